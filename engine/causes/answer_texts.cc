#include "engine/causes/answer_texts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/utf8.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_text.h"
#include "engine/text/answer_scan.h"
#include "engine/text/lower_case.h"
#include "engine/text/number_text.h"

namespace leafscore::internal {
namespace {

// A shorter expected text is found by chance in many sentences.
constexpr std::size_t kMinTextInProse = 4;
// "Very satisfied" is not the answer "satisfied".
constexpr std::ptrdiff_t kMinWordsOfProse = 2;
constexpr std::size_t kMaxDateBytes = 40;
constexpr std::string_view kFences[] = {"```", "~~~"};
// A longer text is not searched for.
constexpr std::size_t kMaxTextInProse = 256;

bool HasOnlyDigits(std::string_view text) {
  return text.find_first_not_of("0123456789.-") == std::string_view::npos;
}

// Removes the country from US$ and the like.
std::string_view WithoutCountry(std::string_view text) {
  const std::size_t sign = text.find('$');
  return sign != std::string_view::npos && sign <= 3 ? text.substr(sign) : text;
}

bool IsWordByte(char c) { return (c & 0x80) != 0 || IsDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

// Returns the month that the first letters of a word stand for, with or without accents, in English, German,
// Dutch, French, Spanish, Italian or Portuguese.
unsigned MonthNamed(std::string_view word) {
  constexpr std::pair<std::string_view, unsigned> kMonthNames[] = {
      {"jan", 1},  {"gen", 1},  {"ene", 1},  {"janeiro", 1}, {"feb", 2},  {"fev", 2},  {"fév", 2},
      {"mar", 3},  {"mär", 3},  {"maa", 3},  {"apr", 4},     {"avr", 4},  {"abr", 4},  {"may", 5},
      {"mai", 5},  {"mag", 5},  {"mei", 5},  {"jun", 6},     {"juin", 6}, {"giu", 6},  {"jul", 7},
      {"juil", 7}, {"lug", 7},  {"aug", 8},  {"aoû", 8},     {"aou", 8},  {"ago", 8},  {"sep", 9},
      {"set", 9},  {"oct", 10}, {"okt", 10}, {"ott", 10},    {"out", 10}, {"nov", 11}, {"dec", 12},
      {"dez", 12}, {"déc", 12}, {"dic", 12}};
  for (const auto& [begin, month] : kMonthNames) {
    if (word.starts_with(begin)) return month;
  }
  return 0;
}

// The words that a date may have beside its numbers and its month.
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

// Returns the days that a text can mean. Tries both orders of day and month, unless the year comes first or
// the month is a word. Reads 2026-03-04, 20260304, 4.3.2026, March 4th, 2026, 4 mars 2026 and 2026年3月4日.
std::vector<std::array<unsigned, 3>> DaysOf(std::string_view text) {
  if (text.size() > kMaxDateBytes) return {};
  std::string folded(WithoutTime(text));
  FoldCase(folded);
  std::vector<unsigned> numbers;
  unsigned month = 0;
  std::optional<std::size_t> year;  // its index among the numbers
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const bool is_number = IsDigit(folded[at]);
    const auto belongs = [&](char c) { return IsWordByte(c) && IsDigit(c) == is_number; };
    while (at < folded.size() && belongs(folded[at])) ++at;
    const std::string_view part = std::string_view(folded).substr(begin, at - begin);
    if (part.empty()) {
      ++at;
    } else if (!is_number) {
      if (std::ranges::find(kDateWords, part) != std::end(kDateWords)) continue;
      const unsigned named = MonthNamed(part);
      if (month != 0 || named == 0) return {};
      month = named;
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

std::string_view WithoutLastPoint(std::string_view text) {
  while (!text.empty() && std::string_view(".!\"'*`").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  while (!text.empty() && std::string_view("\"'*`").find(text.front()) != std::string_view::npos) {
    text.remove_prefix(1);
  }
  return text;
}

// Returns the text with 9 in place of each digit.
std::string PatternOf(std::string_view text) {
  std::string pattern(text);
  std::ranges::replace_if(pattern, IsDigit, '9');
  return pattern;
}

}  // namespace

bool AreOneNumber(std::string_view expected, std::string_view actual) {
  if (!HasOnlyDigits(expected) && !HasOnlyDigits(actual)) return false;  // $5 is not €5
  actual = WithoutCountry(actual);
  std::string first;
  std::string second;
  NumberTextRules with_comma;
  with_comma.decimal_comma = true;
  return ReadNumberText(expected, {}, first) &&
         (ReadNumberText(actual, {}, second) || ReadNumberText(actual, with_comma, second)) &&
         ParseNumber(first) == ParseNumber(second);
}

bool AreOneDay(std::string_view expected, std::string_view actual) {
  if (PatternOf(expected) == PatternOf(actual)) return false;  // written alike, but not equal
  const auto first = DaysOf(expected);
  const auto second = DaysOf(actual);
  return std::ranges::find_first_of(first, second) != first.end();
}

bool DifferInLetters(std::string_view expected, std::string_view actual) {
  for (;;) {
    const auto e = std::ranges::find_if(expected, IsWordByte);
    const auto a = std::ranges::find_if(actual, IsWordByte);
    if (e == expected.end() || a == actual.end()) return false;
    if (((*e | *a) & 0x80) != 0) return false;  // ICU must decide
    if ((*e | 0x20) != (*a | 0x20)) return true;
    expected.remove_prefix(static_cast<std::size_t>(e - expected.begin()) + 1);
    actual.remove_prefix(static_cast<std::size_t>(a - actual.begin()) + 1);
  }
}

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
  if (expected.size() < kMinTextInProse || expected.size() > kMaxTextInProse ||
      blanks(text) < blanks(expected) + kMinWordsOfProse)
    return false;
  FoldCase(text);
  for (const std::string_view no : {" not ", "n't ", " no ", " never "}) {
    if (text.find(no) != std::string::npos) return false;
  }
  for (std::size_t at = text.find(expected); at != std::string::npos; at = text.find(expected, at + 1)) {
    const std::size_t end = at + expected.size();
    if ((at == 0 || !IsWordByte(text[at - 1])) && (end == text.size() || !IsWordByte(text[end]))) return true;
  }
  return false;
}

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

bool AreOneFolded(std::string_view expected, std::string_view actual) {
  std::string first(expected);
  std::string second(actual);
  for (std::string* const text : {&first, &second}) {
    FoldCase(*text);
    std::erase(*text, ' ');
  }
  return first == second;
}

bool HasSigns(std::string_view text) {
  return text.find_first_of("0123456789#+$%&=<>@/\\^~|") != std::string_view::npos;
}

bool HasFence(std::string_view text) {
  return std::ranges::any_of(
      kFences, [&](std::string_view fence) { return text.find(fence) != std::string_view::npos; });
}

}  // namespace leafscore::internal
