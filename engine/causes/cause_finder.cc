#include "engine/causes/cause_finder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_view.h"
#include "engine/languages/python_text.h"
#include "engine/match/deep_equal.h"
#include "engine/text/answer_scan.h"
#include "engine/text/lower_case.h"
#include "engine/text/normaliser.h"
#include "engine/text/number_text.h"
#include "engine/text/text_sense.h"

namespace leafscore::internal {
namespace {

// A part counts as a cause from this share of what the answer lost.
constexpr std::uint64_t kPartsOfALoss = 4;
// Below this, an expected text is found by chance in many a sentence.
constexpr std::size_t kMinTextInProse = 4;
// "Very satisfied" is another answer than "satisfied".
constexpr std::ptrdiff_t kMinWordsOfProse = 2;
constexpr std::ptrdiff_t kMinSentenceBlanks = 4;

constexpr std::size_t kMaxDateBytes = 40;
constexpr std::size_t kMaxNumberBytes = 64;  // longer texts are no numbers or dates
constexpr std::string_view kFences[] = {"```", "~~~"};

bool IsStructure(ValueRef value) { return value.present() && IsContainer(value.kind()); }
bool IsText(ValueRef value) { return value.present() && IsString(value.kind()); }
bool IsNull(ValueRef value) { return !value.present() || value.kind() == ValueKind::kNull; }
bool HasChildren(ValueRef container) { return container.table->end(container.node) != container.node + 1; }

std::string TextOf(ValueRef text) {
  std::string out;
  AppendStringText(*text.table, text.node, out);
  return out;
}

std::string FoldedKey(std::string_view key) {
  std::string folded(key);
  FoldCase(folded);
  std::erase_if(folded, [](char c) { return c == ' ' || c == '\t' || c == '_' || c == '-' || c == '.'; });
  return folded;
}

NormaliserRules RulesOfLetters() {
  NormaliserRules rules;
  for (const NormaliserStep step :
       {NormaliserStep::kTypography, NormaliserStep::kCase, NormaliserStep::kPunctuation,
        NormaliserStep::kTerminalPunctuation, NormaliserStep::kSpace}) {
    rules.Add(step);
  }
  return rules;
}

// Removes the country from US$ and the like.
std::string_view WithoutCountry(std::string_view text) {
  const std::size_t sign = text.find('$');
  return sign != std::string_view::npos && sign <= 3 ? text.substr(sign) : text;
}

bool AreOneNumber(std::string_view expected, std::string_view actual) {
  actual = WithoutCountry(actual);
  std::string first;
  std::string second;
  NumberTextRules with_comma;
  with_comma.decimal_comma = true;
  return ReadNumberText(expected, {}, first) &&
         (ReadNumberText(actual, {}, second) || ReadNumberText(actual, with_comma, second)) &&
         ParseNumber(first) == ParseNumber(second);
}

bool IsWordByte(char c) {
  return (c & 0x80) != 0 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

// A month by the beginning of its name, without accents, in English, German, Dutch, French, Spanish, Italian
// and Portuguese.
unsigned MonthNamed(std::string_view word) {
  constexpr std::pair<std::string_view, unsigned> kMonths[] = {
      {"jan", 1},  {"gen", 1},  {"ene", 1},  {"janeiro", 1}, {"feb", 2},  {"fev", 2},  {"fév", 2},
      {"mar", 3},  {"mär", 3},  {"maa", 3},  {"apr", 4},     {"avr", 4},  {"abr", 4},  {"may", 5},
      {"mai", 5},  {"mag", 5},  {"mei", 5},  {"jun", 6},     {"juin", 6}, {"giu", 6},  {"jul", 7},
      {"juil", 7}, {"lug", 7},  {"aug", 8},  {"aoû", 8},     {"aou", 8},  {"ago", 8},  {"sep", 9},
      {"set", 9},  {"oct", 10}, {"okt", 10}, {"ott", 10},    {"out", 10}, {"nov", 11}, {"dec", 12},
      {"dez", 12}, {"déc", 12}, {"dic", 12}};
  for (const auto& [begin, month] : kMonths) {
    if (word.starts_with(begin)) return month;
  }
  return 0;
}

// What may stand in a date beside numbers and a month.
constexpr std::string_view kDateWords[] = {
    "st",       "nd",        "rd",         "th",       "of",       "the",     "de",
    "del",      "do",        "um",         "年",       "月",       "日",      "mon",
    "tue",      "wed",       "thu",        "fri",      "sat",      "sun",     "monday",
    "tuesday",  "wednesday", "thursday",   "friday",   "saturday", "sunday",  "montag",
    "dienstag", "mittwoch",  "donnerstag", "freitag",  "samstag",  "sonntag", "lundi",
    "mardi",    "mercredi",  "jeudi",      "vendredi", "samedi",   "dimanche"};

// Removes a time of day and what follows it.
std::string_view WithoutTime(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 3) return text;
  const std::size_t before = text.find_last_not_of("0123456789", colon - 1);
  return before == std::string_view::npos ? text : StripSpace(text.substr(0, before));
}

// Returns the days that a text can mean, whichever of day and month comes first: 2026-03-04, 20260304,
// 4.3.2026, March 4th, 2026, 4 mars 2026 or 2026年3月4日.
std::vector<std::array<unsigned, 3>> DaysOf(std::string_view text) {
  if (text.size() > kMaxDateBytes) return {};
  std::string folded(WithoutTime(text));
  FoldCase(folded);
  std::vector<unsigned> numbers;
  unsigned month = 0;
  std::optional<std::size_t> year;  // its index among the numbers
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const bool is_number = folded[at] >= '0' && folded[at] <= '9';
    const auto belongs = [&](char c) { return IsWordByte(c) && (c >= '0' && c <= '9') == is_number; };
    while (at < folded.size() && belongs(folded[at])) ++at;
    const std::string_view part = std::string_view(folded).substr(begin, at - begin);
    if (part.empty()) {
      ++at;
    } else if (!is_number) {
      const unsigned named = MonthNamed(part);
      if (month != 0 || named == 0) {
        if (std::ranges::find(kDateWords, part) == std::end(kDateWords)) return {};
      } else {
        month = named;
      }
    } else if (numbers.size() == 3 || part.size() > 8 || part == "00") {
      return {};  // a time, or no date
    } else {
      const auto number = static_cast<unsigned>(std::stoul(std::string(part)));
      if (part.size() == 8) return {{number / 10000, number / 100 % 100, number % 100}};
      if (part.size() == 4 && !year) year = numbers.size();
      numbers.push_back(number);
    }
  }
  if (numbers.size() + (month != 0) != 3) return {};
  if (!year && month == 0) {
    year = 2;
    numbers[2] += numbers[2] < 50 ? 2000 : 1900;
  }
  if (!year) return {};
  const unsigned of = numbers[*year];
  numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(*year));
  if (month != 0) return {{of, month, numbers[0]}};
  if (*year == 0) return {{of, numbers[0], numbers[1]}};
  return {{of, numbers[0], numbers[1]}, {of, numbers[1], numbers[0]}};
}

bool AreOneDay(std::string_view expected, std::string_view actual) {
  const auto first = DaysOf(expected);
  const auto second = DaysOf(actual);
  return std::ranges::find_first_of(first, second) != first.end();
}

// Tells with a quick check that two texts which begin so differ in an ASCII letter or digit, whatever their
// case and punctuation.
bool DifferInLetters(std::string_view expected, std::string_view actual) {
  const auto is_letter = [](char c) { return IsWordByte(c); };
  for (;;) {
    const auto e = std::ranges::find_if(expected, is_letter);
    const auto a = std::ranges::find_if(actual, is_letter);
    if (e == expected.end() || a == actual.end()) return false;
    if (((*e | *a) & 0x80) != 0) return false;  // for ICU to say
    if ((*e | 0x20) != (*a | 0x20)) return true;
    expected.remove_prefix(static_cast<std::size_t>(e - expected.begin()) + 1);
    actual.remove_prefix(static_cast<std::size_t>(a - actual.begin()) + 1);
  }
}

// Tells whether the first elements of two arrays are of one kind, if both have any.
bool HasLikeElements(ValueRef expected, ValueRef actual) {
  return !HasChildren(expected) || !HasChildren(actual) ||
         expected.table->kind(expected.node + 1) == actual.table->kind(actual.node + 1);
}

enum class JsonEnd {
  kClosed,  // it ends in the text
  kOpen,    // the text ends within it
  kBroken,  // a bracket or a quote is missing within it
};

// Returns how the object or array ends that a text begins with.
JsonEnd FindJsonEnd(std::string_view json) {
  std::string open;  // the brackets that close what is open
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      if (c == '\\') ++at;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open.back() != c) return JsonEnd::kBroken;
      open.pop_back();
      if (open.empty()) return JsonEnd::kClosed;
    }
  }
  const bool is_string_missed = in_string && (json.back() == '}' || json.back() == ']');
  return is_string_missed ? JsonEnd::kBroken : JsonEnd::kOpen;
}

// Returns where the JSON in a text begins: its first character, or an object or array after other words that
// goes on as JSON does; npos without one.
std::size_t BeginOfJson(std::string_view text) {
  for (std::size_t at = text.find_first_of("{["); at != std::string_view::npos;
       at = text.find_first_of("{[", at + 1)) {
    const std::size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    const bool goes_on = next != std::string_view::npos &&
                         (text[next] == '"' || text[next] == '{' || (text[at] == '[' && text[next] == '['));
    if (at == 0 || goes_on) return at;
  }
  return std::string_view::npos;
}

std::string_view WithoutLastPoint(std::string_view text) {
  while (!text.empty() && std::string_view(".!\"'*`").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  while (!text.empty() && std::string_view("\"'*`").find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  return text;
}

// Tells whether a longer text gives the expected one as its answer: after a label, as its last line or, if it
// is no common word, anywhere as whole words.
bool StandsIn(std::string text, std::string expected) {
  std::erase(text, '*');
  FoldCase(expected);
  expected = std::string(WithoutLastPoint(StripSpace(expected)));
  if (expected.empty()) return false;
  const auto is_answer = [&](std::string_view part) {
    std::string folded(part);
    FoldCase(folded);
    return WithoutLastPoint(StripSpace(folded)) == expected;
  };
  if (is_answer(FindAnswerContent(text).text) || is_answer(LastLine(text))) return true;
  const std::size_t colon = text.rfind(": ");
  if (colon != std::string::npos && is_answer(std::string_view(text).substr(colon + 2))) return true;
  const auto blanks = [](std::string_view words) { return std::ranges::count(words, ' '); };
  if (expected.size() < kMinTextInProse || blanks(text) < blanks(expected) + kMinWordsOfProse) return false;
  FoldCase(text);
  for (std::size_t at = text.find(expected); at != std::string::npos; at = text.find(expected, at + 1)) {
    const std::size_t end = at + expected.size();
    if ((at == 0 || !IsWordByte(text[at - 1])) && (end == text.size() || !IsWordByte(text[end]))) return true;
  }
  return false;
}

// Tells whether a text is the expected one in a fence, which may name any language.
bool IsFenced(std::string_view text, std::string_view expected) {
  return std::ranges::any_of(kFences, [&](std::string_view fence) {
    const std::size_t begin = text.find(fence);
    const std::size_t end = text.rfind(fence);
    if (begin == std::string_view::npos || end < begin + fence.size()) return false;
    const std::string_view content = text.substr(begin + fence.size(), end - begin - fence.size());
    const std::string_view below = content.substr(std::min(content.find('\n'), content.size()));
    return StripSpace(content) == StripSpace(expected) || StripSpace(below) == StripSpace(expected);
  });
}

}  // namespace

CauseFinder::CauseFinder(ShapeTable* shapes, const JsonOptions& json)
    : shapes_(shapes),
      answer_reader_(shapes, json.max_depth),
      nested_reader_(shapes, json),
      letters_(RulesOfLetters()),
      walker_(shapes) {}

AnswerCauses CauseFinder::Find(ValueRef expected, ValueRef actual) {
  if (IsNull(expected)) return {};
  if (IsNull(actual)) return {AnswerCause::kNoValue};
  if (IsText(actual)) return OfText(expected, TextOf(actual));
  if (actual.kind() == ValueKind::kObject) {
    const JsonView view(*actual.table, *shapes_, actual.node);
    const JsonView refusal = view.Member("refusal");
    if (refusal.IsText() && IsNull({actual.table, view.Member("content").node()}))
      return {AnswerCause::kRefusal};
    if (IsFailure(expected, actual)) return {AnswerCause::kFailure};
  }
  return Compare(expected, actual);
}

bool CauseFinder::IsFailure(ValueRef expected, ValueRef actual) const {
  constexpr std::string_view kErrorKeys[] = {"error", "errors", "message", "detail", "details"};
  constexpr std::string_view kOtherKeys[] = {
      "status",    "status_code", "statuscode",  "code",    "type", "title",     "param", "request_id",
      "requestid", "trace_id",    "retry_after", "success", "ok",   "timestamp", "path"};
  if (actual.kind() != ValueKind::kObject || SharedKeys(expected, actual) != 0) return false;
  bool tells_error = false;
  bool tells_other = false;
  JsonView(*actual.table, *shapes_, actual.node)
      .ForEachMember([&](std::string_view key, const JsonView& member) {
        std::string folded(key);
        FoldCase(folded);
        if (folded == "error" && !member.Is(ValueKind::kNull)) tells_error = true;
        const bool is_of_error = std::ranges::find(kErrorKeys, folded) != std::end(kErrorKeys);
        tells_other |= !is_of_error && std::ranges::find(kOtherKeys, folded) == std::end(kOtherKeys);
      });
  const bool has_text = JsonView(*actual.table, *shapes_, actual.node).Member("message").IsText() ||
                        JsonView(*actual.table, *shapes_, actual.node).Member("detail").IsText();
  return tells_error || (has_text && !tells_other);
}

AnswerCauses CauseFinder::OfText(ValueRef expected, std::string_view text) {
  const std::string_view stripped = StripSpace(text);
  if (stripped.empty()) return {AnswerCause::kEmpty};
  if (IsStructure(expected)) {
    AnswerCauses causes;
    const ValueRef inner = ReadStructure(expected, stripped, causes);
    if (!inner.present()) return causes;
    if (IsFailure(expected, inner)) return {AnswerCause::kFailure};
    const AnswerCauses more = Compare(expected, inner);
    // Brackets of another kind in a text are no answer.
    if (causes.Has(AnswerCause::kInProse) && more.Has(AnswerCause::kOtherKind)) return {AnswerCause::kProse};
    return causes | more;
  }
  if (SoundsLikeRefusal(stripped)) return {AnswerCause::kRefusal};
  std::string wanted;
  AppendValueText(*expected.table, *shapes_, expected.node, wanted);
  // A sentence may be about failures.
  const bool is_sentence = std::ranges::count(wanted, ' ') >= kMinSentenceBlanks;
  if (is_sentence ? SenseOf(stripped) == TextSense::kFailure : SoundsLikeFailure(stripped)) {
    return {AnswerCause::kFailure};
  }
  if (IsFenced(stripped, wanted)) return {AnswerCause::kFenced};
  if (const auto form = FormOf(wanted, stripped, !IsText(expected))) return {*form};
  std::string count;
  std::string_view number;
  if (expected.kind() == ValueKind::kNumber && FindCount(stripped, count, &number) &&
      ParseNumber(count) == ParseNumber(wanted)) {
    return {AnswerCause::kInProse};
  }
  if (StandsIn(std::string(stripped), wanted)) return {AnswerCause::kInProse};
  return {};
}

ValueRef CauseFinder::ReadStructure(ValueRef expected, std::string_view text, AnswerCauses& causes) {
  const std::string_view content = FindAnswerContent(text).text;
  const auto read = [&](std::string_view part) {
    answer_text_ = std::string(part);
    answer_reader_.Read(answer_text_, CountRule::kNone, answer_);
    return answer_.root != kNoNode && IsContainer(answer_.table.kind(answer_.root));
  };
  bool found = read(text);
  const std::size_t begin = BeginOfJson(content);
  if (begin != std::string_view::npos && !(found && !answer_.steps.balanced)) {
    // What ends in the middle, or cannot be read, may hold complete parts, which are not the answer.
    const JsonEnd end = FindJsonEnd(content.substr(begin));
    if (end != JsonEnd::kClosed) {
      causes.Add(end == JsonEnd::kOpen ? AnswerCause::kCutOff : AnswerCause::kMalformed);
      return {};
    }
  }
  AnswerSteps steps = answer_.steps;
  if (steps.balanced) {
    const std::vector<std::string_view> parts =
        FindOuterBrackets(content, expected.kind() == ValueKind::kObject ? '{' : '[');
    found = std::ranges::any_of(parts,
                                [&](std::string_view part) { return read(part) && !answer_.steps.balanced; });
    steps.rung = answer_.steps.rung;
  }
  if (found) {
    const bool has_fence = std::ranges::any_of(
        kFences, [&](std::string_view fence) { return text.find(fence) != std::string_view::npos; });
    if (steps.rung == AnswerRung::kPython || steps.rung == AnswerRung::kQuotes) {
      causes.Add(AnswerCause::kPythonLiteral);
    }
    if (has_fence) {
      causes.Add(AnswerCause::kFenced);
    } else if (steps.balanced || steps.label) {
      causes.Add(AnswerCause::kInProse);
    } else if (steps.rung == AnswerRung::kJson) {
      causes.Add(AnswerCause::kJsonText);
    }
    return {&answer_.table, answer_.root};
  }
  if (SoundsLikeRefusal(text)) {
    causes.Add(AnswerCause::kRefusal);
  } else if (SoundsLikeFailure(text)) {
    causes.Add(AnswerCause::kFailure);
  } else {
    causes.Add(begin == std::string_view::npos ? AnswerCause::kProse : AnswerCause::kMalformed);
  }
  return {};
}

std::size_t CauseFinder::SharedKeys(ValueRef expected, ValueRef actual) const {
  if (expected.kind() != ValueKind::kObject || actual.kind() != ValueKind::kObject) return 0;
  std::set<std::string> keys;
  for (const std::string_view key : shapes_->Keys(actual.table->shape(actual.node)))
    keys.insert(FoldedKey(key));
  return static_cast<std::size_t>(
      std::ranges::count_if(shapes_->Keys(expected.table->shape(expected.node)),
                            [&](std::string_view key) { return keys.contains(FoldedKey(key)); }));
}

ValueRef CauseFinder::Unwrap(ValueRef expected, ValueRef actual, AnswerCauses& causes) const {
  if (expected.kind() == ValueKind::kObject && actual.kind() == ValueKind::kArray && HasChildren(actual)) {
    const ValueRef only{actual.table, actual.node + 1};
    const bool is_one = actual.table->end(only.node) == actual.table->end(actual.node);
    if (!is_one || only.kind() != ValueKind::kObject) return actual;
    causes.Add(AnswerCause::kListOfOne);
    return only;
  }
  if (actual.kind() != ValueKind::kObject || SharedKeys(expected, actual) != 0) return actual;
  // The one member that can be the answer, or the largest.
  ValueRef inner;
  std::uint32_t most_leaves = 0;
  std::size_t candidates = 0;
  std::size_t members = 0;
  JsonView(*actual.table, *shapes_, actual.node).ForEachMember([&](std::string_view, const JsonView& member) {
    const ValueRef value{actual.table, member.node()};
    ++members;
    const bool fits = expected.kind() == ValueKind::kObject ? SharedKeys(expected, value) != 0
                      : IsContainer(expected.kind())
                          ? value.kind() == expected.kind() && HasLikeElements(expected, value)
                          : !IsContainer(value.kind());
    if (!fits) return;
    const std::uint32_t leaves = value.table->leaf_count(value.node);
    if (candidates != 0 && leaves == most_leaves) ++candidates;
    if (candidates != 0 && leaves <= most_leaves) return;
    inner = value;
    most_leaves = leaves;
    candidates = 1;
  });
  if (candidates != 1 || (!IsContainer(expected.kind()) && members != 1)) return actual;
  causes.Add(AnswerCause::kWrapped);
  return inner;
}

AnswerCauses CauseFinder::Compare(ValueRef expected, ValueRef actual) {
  AnswerCauses causes;
  actual = Unwrap(expected, actual, causes);
  const bool same_kind =
      IsContainer(expected.kind()) || IsContainer(actual.kind()) ? expected.kind() == actual.kind() : true;
  if (!same_kind) {
    causes.Add(AnswerCause::kOtherKind);
    return causes;
  }
  if (IsContainer(actual.kind()) && !HasChildren(actual) && HasChildren(expected)) {
    causes.Add(AnswerCause::kEmpty);
    return causes;
  }
  leaves_ = {};
  places_.assign(1, {expected, actual, false});
  while (!places_.empty()) {
    const Place place = places_.back();
    places_.pop_back();
    if (place.expected.kind() == ValueKind::kObject && place.actual.kind() == ValueKind::kObject) {
      CompareObjects(place);
    } else if (place.expected.kind() == ValueKind::kArray && place.actual.kind() == ValueKind::kArray) {
      CompareArrays(place);
    } else {
      CompareLeaves(place);
    }
  }
  const std::uint64_t lost = expected.table->leaf_count(expected.node) - leaves_.equal;
  const auto add_if = [&](AnswerCause cause, std::uint64_t leaves) {
    if (leaves != 0 && kPartsOfALoss * leaves >= lost) causes.Add(cause);
  };
  add_if(AnswerCause::kKeyNames, leaves_.renamed);
  add_if(AnswerCause::kReordered, leaves_.reordered);
  add_if(AnswerCause::kNumberForm, leaves_.number_form);
  add_if(AnswerCause::kDateForm, leaves_.date_form);
  add_if(AnswerCause::kLetterCase, leaves_.letter_case);
  add_if(AnswerCause::kNestedText, leaves_.nested_text);
  add_if(AnswerCause::kMissing, leaves_.missing);
  if (2 * leaves_.extra > actual.table->leaf_count(actual.node)) causes.Add(AnswerCause::kExtra);
  if (causes.empty() && leaves_.wrong == 1 && leaves_.equal != 0) causes.Add(AnswerCause::kNearMiss);
  return causes;
}

void CauseFinder::CompareObjects(const Place& place) {
  const LeafTable& e = *place.expected.table;
  const LeafTable& a = *place.actual.table;
  const auto keys = shapes_->Keys(a.shape(place.actual.node));
  std::vector<ValueRef> members;
  ListChildren(place.actual, members);
  std::vector<bool> used(members.size());
  std::optional<std::map<std::string, std::size_t>> by_folded;  // made for the first key that is not there
  NodeId child = place.expected.node + 1;
  for (const std::string_view key : shapes_->Keys(e.shape(place.expected.node))) {
    const ValueRef value{place.expected.table, child};
    child = e.end(child);
    std::size_t at = shapes_->FindMember(a.shape(place.actual.node), key);
    bool renamed = place.renamed;
    if (at == ShapeTable::kNoMember) {
      if (!by_folded) {
        by_folded.emplace();
        for (std::size_t m = 0; m < members.size(); ++m) by_folded->emplace(FoldedKey(keys[m]), m);
      }
      const auto found = by_folded->find(FoldedKey(key));
      if (found == by_folded->end() || used[found->second]) {
        leaves_.missing += e.leaf_count(value.node);
        continue;
      }
      at = found->second;
      renamed = true;
    }
    used[at] = true;
    places_.push_back({value, members[at], renamed});
  }
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (!used[m]) leaves_.extra += a.leaf_count(members[m].node);
  }
}

void CauseFinder::CompareArrays(const Place& place) {
  std::vector<ValueRef> expected;
  std::vector<ValueRef> actual;
  ListChildren(place.expected, expected);
  ListChildren(place.actual, actual);
  // Equal elements belong together wherever they are, and the others in their order.
  std::multimap<std::uint64_t, std::size_t> by_hash;
  for (std::size_t i = 0; i < actual.size(); ++i) by_hash.emplace(DeepHash(actual[i], *shapes_), i);
  std::vector<ValueRef> unequal;
  std::vector<bool> used(actual.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto [first, last] = by_hash.equal_range(DeepHash(expected[i], *shapes_));
    if (first == last) {
      unequal.push_back(expected[i]);
      continue;
    }
    auto chosen = first;
    for (auto it = first; it != last; ++it) {
      if (it->second == i) chosen = it;
    }
    const std::uint64_t leaves = expected[i].table->leaf_count(expected[i].node);
    (chosen->second == i ? place.renamed ? leaves_.renamed : leaves_.equal : leaves_.reordered) += leaves;
    used[chosen->second] = true;
    by_hash.erase(chosen);
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (used[i]) continue;
    if (next < unequal.size()) {
      places_.push_back({unequal[next++], actual[i], place.renamed});
    } else {
      leaves_.extra += actual[i].table->leaf_count(actual[i].node);
    }
  }
  for (; next < unequal.size(); ++next)
    leaves_.missing += unequal[next].table->leaf_count(unequal[next].node);
}

void CauseFinder::CompareLeaves(const Place& place) {
  const auto [expected, actual, renamed] = place;
  const std::uint64_t leaves = expected.table->leaf_count(expected.node);
  if (IsStructure(expected) || IsStructure(actual)) {
    if (IsNull(actual)) {
      leaves_.missing += leaves;
    } else if (IsStructure(expected) && IsText(actual)) {
      nested_text_ = TextOf(actual);
      nested_reader_.Begin(nested_text_, /*lines=*/false, &nested_table_);
      const NodeId root = nested_reader_.Read(0, static_cast<std::uint32_t>(nested_text_.size())).root;
      const bool is_nested = root != kNoNode && nested_table_.kind(root) == expected.kind();
      (is_nested ? leaves_.nested_text : leaves_.wrong) += leaves;
    } else {
      leaves_.wrong += leaves;
    }
    return;
  }
  const std::string_view expected_token = expected.table->leaf_token(expected.node);
  const std::string_view actual_token = actual.table->leaf_token(actual.node);
  if (IsText(expected) && IsText(actual) &&
      std::max(expected_token.size(), actual_token.size()) > kMaxNumberBytes &&
      DifferInLetters(expected_token.substr(0, expected_token.find('\\')),
                      actual_token.substr(0, actual_token.find('\\')))) {
    ++leaves_.wrong;
    return;
  }
  if (DeepEqual(expected, actual, walker_)) {
    ++(renamed ? leaves_.renamed : leaves_.equal);
    return;
  }
  if (IsNull(actual) || IsNull(expected)) {
    ++(IsNull(actual) ? leaves_.missing : leaves_.wrong);
    return;
  }
  std::string first;
  std::string second;
  AppendValueText(*expected.table, *shapes_, expected.node, first);
  AppendValueText(*actual.table, *shapes_, actual.node, second);
  const auto form = FormOf(first, second, IsText(expected) != IsText(actual));
  ++(form == AnswerCause::kNumberForm   ? leaves_.number_form
     : form == AnswerCause::kDateForm   ? leaves_.date_form
     : form == AnswerCause::kLetterCase ? leaves_.letter_case
                                        : leaves_.wrong);
  leaves_.renamed += renamed && form;
}

std::optional<AnswerCause> CauseFinder::FormOf(std::string_view expected, std::string_view actual,
                                               bool of_two_kinds) const {
  if (std::max(expected.size(), actual.size()) <= kMaxNumberBytes) {
    if (AreOneNumber(expected, actual) || (of_two_kinds && expected == actual))
      return AnswerCause::kNumberForm;
    if (AreOneDay(expected, actual)) return AnswerCause::kDateForm;
  }
  if (DifferInLetters(expected, actual)) return std::nullopt;
  std::string first;
  std::string second;
  letters_.Text(expected, first);
  letters_.Text(actual, second);
  for (std::string* const text : {&first, &second}) std::erase(*text, ' ');
  if (!first.empty() && first == second) return AnswerCause::kLetterCase;
  return std::nullopt;
}

}  // namespace leafscore::internal
