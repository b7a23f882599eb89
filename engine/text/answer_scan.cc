#include "engine/text/answer_scan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace

std::string_view SkipAnswerLabel(std::string_view text) {
  constexpr std::string_view kLabels[] = {"<answer>", "final answer", "answer",
                                          "output",   "result",       "response"};
  std::size_t best = std::size(kLabels);
  std::size_t behind = 0;
  for (std::size_t line = 0;;) {
    for (std::size_t label = 0; label < best; ++label) {
      if (!StartsIgnoringCase(text.substr(line), kLabels[label])) continue;
      best = label;
      behind = line + kLabels[label].size();
      break;
    }
    const std::size_t end = text.find('\n', line);
    if (end == kNowhere) break;
    line = SkipSpace(text, end);
  }
  if (best == std::size(kLabels)) return text;
  behind = SkipSpace(text, behind);
  if (behind < text.size() && text[behind] == ':') ++behind;
  return StripSpace(text.substr(behind));
}

std::string_view FenceContent(std::string_view text) {
  constexpr std::string_view kFence = "```";
  const std::size_t open = text.find(kFence);
  if (open == kNowhere) return text;
  std::size_t begin = open + kFence.size();
  const std::size_t close = text.find(kFence, begin);
  if (close == kNowhere) return text;
  for (const std::string_view language : {"json", "python", "py"}) {
    if (!StartsIgnoringCase(text.substr(begin), language)) continue;
    begin += language.size();
    break;
  }
  return StripSpace(text.substr(begin, close - begin));
}

AnswerContent FindAnswerContent(std::string_view text) {
  const std::string_view whole = StripSpace(text);
  const std::string_view labelled = SkipAnswerLabel(whole);
  const std::string_view content = FenceContent(labelled);
  return {content, labelled.data() != whole.data(), content.data() != labelled.data()};
}

namespace {

// The brackets, quotes and backslashes of a text; and, for each quote, where the text continues after the
// string that the quote would open.
class Marks {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  explicit Marks(std::string_view text) : text_(text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (kMarks[static_cast<unsigned char>(text[at])]) offsets_.push_back(static_cast<std::uint32_t>(at));
    }
    FindStringEnds();
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(offsets_.size()); }
  std::uint32_t offset(std::uint32_t mark) const { return offsets_[mark]; }
  char character(std::uint32_t mark) const { return text_[offsets_[mark]]; }

  // Returns the mark after the end of the string that a quote opens, or kNone if the string is not closed.
  std::uint32_t behind_string(std::uint32_t quote) const { return behind_string_[quote]; }

 private:
  static constexpr std::array<bool, 256> kMarks = [] {
    std::array<bool, 256> marks{};
    for (const unsigned char c : std::string_view("{}[]()\"'\\")) marks[c] = true;
    return marks;
  }();

  // Goes from the last mark to the first: inside a string, the result for a mark follows from the results for
  // the next two marks.
  void FindStringEnds() {
    behind_string_.assign(offsets_.size(), kNone);
    for (const char quote : {'"', '\''}) {
      std::uint32_t from_next = kNone;          // inside a string from mark + 1 on: the mark after its end
      std::uint32_t from_next_but_one = kNone;  // the same from mark + 2 on
      for (std::uint32_t mark = size(); mark-- != 0;) {
        std::uint32_t from_here = from_next;
        if (character(mark) == quote) {
          behind_string_[mark] = from_next;
          from_here = mark + 1;
        } else if (character(mark) == '\\' && mark + 1 < size() && offsets_[mark + 1] == offsets_[mark] + 1) {
          from_here = from_next_but_one;
        }
        from_next_but_one = from_next;
        from_next = from_here;
      }
    }
  }

  std::string_view text_;
  std::vector<std::uint32_t> offsets_;
  std::vector<std::uint32_t> behind_string_;
};

}  // namespace

void FindBalanced(std::string_view text, std::vector<std::string_view>& stretches) {
  constexpr std::string_view kKinds[] = {"{}", "[]", "()"};
  const auto occurs = [&](std::string_view kind) {
    return text.find(kind[0]) != kNowhere && text.find(kind[1]) != kNowhere;
  };
  if (std::ranges::none_of(kKinds, occurs)) return;
  const Marks marks(text);
  // closer[m]: the mark that would close a bracket opened, outside quotes, just before mark m.
  std::vector<std::uint32_t> closer(marks.size() + 1);
  for (const std::string_view kind : kKinds) {
    if (!occurs(kind)) continue;
    closer[marks.size()] = Marks::kNone;
    for (std::uint32_t mark = marks.size(); mark-- != 0;) {
      const char c = marks.character(mark);
      std::uint32_t next = mark + 1;
      if (c == kind[1]) {
        closer[mark] = mark;
        continue;
      }
      if (c == kind[0]) {
        next = closer[mark + 1];
        if (next != Marks::kNone) ++next;
      } else if (c == '"' || c == '\'') {
        next = marks.behind_string(mark);
      }
      closer[mark] = next == Marks::kNone ? Marks::kNone : closer[next];
    }
    const std::size_t first = stretches.size();
    for (std::uint32_t mark = 0; mark < marks.size(); ++mark) {
      if (marks.character(mark) != kind[0] || closer[mark + 1] == Marks::kNone) continue;
      const std::uint32_t begin = marks.offset(mark);
      mark = closer[mark + 1];
      stretches.push_back(text.substr(begin, marks.offset(mark) + 1 - begin));
    }
    std::reverse(stretches.begin() + static_cast<std::ptrdiff_t>(first), stretches.end());
  }
}

std::string_view LastLine(std::string_view text) {
  // str.splitlines() also breaks at U+0085, U+2028 and U+2029.
  std::size_t line = 0;
  for (std::size_t at = text.size(); at-- != 0;) {
    const std::string_view rest = text.substr(at);
    const auto c = static_cast<unsigned char>(rest[0]);
    if ((c >= 0x0a && c <= 0x0d) || (c >= 0x1c && c <= 0x1e) || rest.starts_with("\u0085") ||
        rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      line = at;
      break;
    }
  }
  return text.substr(SkipSpace(text, line));
}

namespace {

std::size_t SkipDigits(std::string_view text, std::size_t at) {
  int digit = 0;
  while (const std::size_t size = ReadDigit(text, at, &digit)) at += size;
  return at;
}

// Returns the offset after the number whose digits begin at `at`, including a fraction.
std::size_t SkipNumber(std::string_view text, std::size_t at) {
  const std::size_t end = SkipDigits(text, at);
  if (end == at || end == text.size() || text[end] != '.') return end;
  const std::size_t fraction_end = SkipDigits(text, end + 1);
  return fraction_end == end + 1 ? end : fraction_end;
}

// Returns the first number at or after `from` that is not part of a word, or an empty view.
std::string_view NextNumber(std::string_view text, std::size_t from) {
  const auto touches_word = [&](std::size_t at) { return at < text.size() && IsWordCharacter(text[at]); };
  int digit = 0;
  for (std::size_t at = from; at < text.size();) {
    if (ReadDigit(text, at, &digit) == 0) {
      ++at;
      continue;
    }
    const std::size_t digits_end = SkipDigits(text, at);
    if (at == 0 || !IsWordCharacter(text[at - 1])) {
      const bool signed_number = at > from && text[at - 1] == '-' && (at == 1 || !touches_word(at - 2));
      const std::size_t begin = at - signed_number;
      std::size_t end = SkipNumber(text, at);
      if (touches_word(end)) end = digits_end;  // 2.5x is 2, as in the original
      if (!touches_word(end)) return text.substr(begin, end - begin);
    }
    at = digits_end;
  }
  return {};
}

// Returns whether the number, which ends `text`, is part of a name.
bool EndsName(std::string_view text, std::string_view number) {
  constexpr std::string_view kCountWords[] = {
      "about",    "all",     "almost",  "answer", "approximately", "are",    "around", "count",
      "equals",   "exactly", "found",   "is",     "nearly",        "number", "only",   "output",
      "response", "result",  "roughly", "sum",    "there",         "total",  "totals"};
  if (text.ends_with('.')) text.remove_suffix(1);
  if (number.data() + number.size() != text.data() + text.size()) return false;
  const std::size_t number_begin = text.size() - number.size();
  if (number_begin == 0 || text[number_begin - 1] != ' ') return false;
  const std::size_t word_end = number_begin - 1;
  std::size_t word = word_end;
  while (word != 0 && IsWordCharacter(text[word - 1])) --word;
  if (word == word_end || text[word] < 'A' || text[word] > 'Z') return false;
  return std::ranges::none_of(kCountWords, [&](std::string_view known) {
    return known.size() == word_end - word && StartsIgnoringCase(text.substr(word), known);
  });
}

// Returns the number that makes up the last line of a text, or an empty view. With `bare_verb`, `is` or a
// colon may come before it even without `answer`, `count` or `result`.
std::string_view LastLineNumber(std::string_view text, bool bare_verb) {
  text = LastLine(text);
  std::size_t at = 0;
  const auto take = [&](std::string_view word) {
    if (!StartsIgnoringCase(text.substr(at), word)) return false;
    at += word.size();
    return true;
  };
  bool introduced = take("answer") || take("count") || take("result");
  if (!introduced && take("final")) {
    const std::size_t behind = SkipSpace(text, at);
    const bool spaced = behind != at;
    at = behind;
    introduced = spaced && take("answer");
    if (!introduced) return {};
  }
  if (introduced || bare_verb) {
    at = SkipSpace(text, at);
    if (!take("is")) take(":");
    at = SkipSpace(text, at);
  }
  const std::size_t begin = at;
  take("-");
  const std::size_t digits = at;
  at = SkipNumber(text, digits);
  if (at == digits) return {};
  const std::string_view number = text.substr(begin, at - begin);
  at = SkipSpace(text, at);
  take(".");
  return SkipSpace(text, at) == text.size() ? number : std::string_view();
}

// Appends a number found by the scanners above as a JSON number.
void AppendNumber(std::string_view number, std::string& json) {
  std::size_t at = 0;
  if (number[0] == '-') {
    json += '-';
    ++at;
  }
  int digit = 0;
  bool leading = true;
  while (at < number.size()) {
    if (number[at] == '.') {
      if (leading) json += '0';
      leading = false;
      json += number[at++];
      continue;
    }
    at += ReadDigit(number, at, &digit);
    leading = leading && digit == 0;
    if (!leading) json += static_cast<char>('0' + digit);
  }
  if (leading) json += '0';
}

}  // namespace

namespace {

// Returns the only number in a text; an empty view if there is no number, or more than one.
std::string_view OnlyNumber(std::string_view text) {
  const std::string_view number = NextNumber(text, 0);
  const auto end = static_cast<std::size_t>(number.data() + number.size() - text.data());
  return !number.empty() && NextNumber(text, end).empty() ? number : std::string_view();
}

// Returns whether the number ends the text and follows `answer is`, `count:` or the like.
bool IsStated(std::string_view text, std::string_view number) {
  if (text.ends_with('.')) text = StripSpace(text.substr(0, text.size() - 1));
  if (number.data() + number.size() != text.data() + text.size()) return false;
  text = StripSpace(text.substr(0, text.size() - number.size()));
  if (text.ends_with(':')) {
    text.remove_suffix(1);
  } else if (text.size() >= 2 && StartsIgnoringCase(text.substr(text.size() - 2), "is")) {
    text.remove_suffix(2);
  } else {
    return false;
  }
  text = StripSpace(text);
  return std::ranges::any_of(std::array{"answer", "count", "result"}, [&](std::string_view word) {
    if (text.size() < word.size()) return false;
    const std::size_t begin = text.size() - word.size();
    return StartsIgnoringCase(text.substr(begin), word) && (begin == 0 || !IsWordCharacter(text[begin - 1]));
  });
}

}  // namespace

std::vector<std::string_view> FindOuterBrackets(std::string_view text, char first) {
  std::vector<std::string_view> stretches;
  FindBalanced(text, stretches);
  std::erase_if(stretches, [](std::string_view stretch) { return stretch[0] == '('; });
  std::ranges::sort(stretches, std::less<>(), [](std::string_view stretch) { return stretch.data(); });
  const char* end = text.data();
  std::erase_if(stretches, [&](std::string_view stretch) {
    if (stretch.data() < end) return true;
    end = stretch.data() + stretch.size();
    return false;
  });
  std::ranges::reverse(stretches);
  std::ranges::stable_partition(stretches, [&](std::string_view stretch) { return stretch[0] == first; });
  return stretches;
}

bool FindCount(std::string_view text, std::string& json, std::string_view* number) {
  *number = OnlyNumber(text);
  const bool only = !number->empty();
  if (!only) *number = LastLineNumber(text, /*bare_verb=*/false);
  if (number->empty() || (only && EndsName(text, *number))) return false;
  AppendNumber(*number, json);
  return true;
}

bool FindStatedCount(std::string_view text, std::string& json, std::string_view* number) {
  *number = LastLineNumber(text, /*bare_verb=*/true);
  if (number->empty()) {
    *number = OnlyNumber(text);
    if (number->empty() || !IsStated(text, *number)) return false;
  }
  AppendNumber(*number, json);
  return true;
}

}  // namespace leafscore::internal
