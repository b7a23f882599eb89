#include "engine/scorers/field_accuracy/rules_2026_07.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/javascript_date.h"
#include "engine/languages/javascript_text.h"
#include "engine/match/deep_equal.h"
#include "engine/text/date_scanner.h"

namespace leafscore::internal {
namespace {

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

char LowerLetter(char c) { return IsLetter(c) ? static_cast<char>(c | 0x20) : c; }

// Returns the text without ``` and ```json, and without a line break after ```json.
std::string WithoutFences(std::string_view text) {
  std::string kept;
  for (std::size_t mark; (mark = text.find("```")) != text.npos;) {
    kept += text.substr(0, mark);
    text.remove_prefix(mark + 3);
    if (text.starts_with("json\n")) {
      text.remove_prefix(5);
    } else if (text.starts_with("json")) {
      text.remove_prefix(4);
    }
  }
  return kept.append(text);
}

bool StartsWithPassed(std::string_view text) {
  constexpr std::string_view kKey = "\"passed\"";
  return text.size() >= kKey.size() && std::ranges::equal(text.substr(0, kKey.size()), kKey, {}, LowerLetter);
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (const std::size_t size = JavaScriptSpaceAt(text.substr(at))) at += size;
  return at;
}

// Returns the end of the word or quoted text at `begin`; `begin` if there is no such text.
std::size_t WordEnd(std::string_view text, std::size_t begin) {
  if (begin == text.size()) return begin;
  if (text[begin] == '"') {
    const std::size_t quote = text.find('"', begin + 1);
    return quote == text.npos || quote == begin + 1 ? begin : quote + 1;
  }
  if (!IsLetter(text[begin]) && text[begin] != '_') return begin;
  const auto is_in_word = [](char c) {
    return IsLetter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return static_cast<std::size_t>(
      std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_in_word) -
      text.begin());
}

// Returns the text with each word after "passed": replaced by true or false, whether the word is bare or in
// quotes: /("passed"\s*:\s*)(?:"([^"]+)"|([A-Za-z_][A-Za-z0-9_-]*))/gi. Only the word true becomes true.
std::string WithPassedMended(std::string_view text) {
  std::string mended;
  std::size_t copied = 0;
  for (std::size_t at = 0; (at = text.find('"', at)) != text.npos; ++at) {
    if (!StartsWithPassed(text.substr(at))) continue;
    const std::size_t colon = SkipBlanks(text, at + std::string_view("\"passed\"").size());
    if (colon == text.size() || text[colon] != ':') continue;
    const std::size_t begin = SkipBlanks(text, colon + 1);
    const std::size_t end = WordEnd(text, begin);
    if (end == begin) continue;
    const bool quoted = text[begin] == '"';
    const std::string_view word =
        JavaScriptTrim(quoted ? text.substr(begin + 1, end - begin - 2) : text.substr(begin, end - begin));
    mended += text.substr(copied, begin - copied);
    mended += std::ranges::equal(word, std::string_view("true"), {}, LowerLetter) ? "true" : "false";
    copied = end;
    at = end - 1;
  }
  return mended.append(text.substr(copied));
}

// Appends a value as JavaScript's String() writes it.
void AppendString(ValueRef value, const ShapeTable& shapes, std::string& text) {
  if (value.kind() == ValueKind::kObject) {
    text += "[object Object]";
  } else if (value.kind() == ValueKind::kNumber) {
    text += JavaScriptNumberText(ParseNumber(value.table->leaf_token(value.node)));
  } else if (value.kind() == ValueKind::kArray) {
    std::vector<ValueRef> elements;
    ListChildren(value, elements);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (i > 0) text += ',';
      if (elements[i].kind() != ValueKind::kNull) AppendString(elements[i], shapes, text);
    }
  } else {
    AppendValueText(*value.table, shapes, value.node, text);
  }
}

// Returns the day of `new Date(year, month - 1, day)`, which takes a year of two digits as 1900 to 1999.
std::chrono::sys_days DayOfNumbers(unsigned year, unsigned month, unsigned day) {
  return JavaScriptDay(static_cast<int>(year < 100 ? year + 1900 : year), static_cast<int>(month) - 1,
                       static_cast<int>(day));
}

// Returns the day of numbers such as 12/25/2025, if the requested order or the numbers themselves determine
// it.
std::optional<std::chrono::sys_days> DayInOrder(unsigned first, unsigned second, unsigned year,
                                                DayMonthOrder order) {
  const bool day_first =
      order == DayMonthOrder::kDayFirst || (order == DayMonthOrder::kByValue && first > 12 && second <= 12);
  const unsigned month = day_first ? second : first;
  const unsigned day = day_first ? first : second;
  if (month > 12) return std::nullopt;
  const bool in_range = month >= 1 && day >= 1 && day <= 31;
  if (order != DayMonthOrder::kByValue && !in_range) return std::nullopt;
  return DayOfNumbers(year, month, day);
}

double NumberOf(ValueRef value) {
  if (value.kind() == ValueKind::kNumber) return ParseNumber(value.table->leaf_token(value.node));
  if (!IsString(value.kind())) return std::numeric_limits<double>::quiet_NaN();
  std::string text;
  AppendStringText(*value.table, value.node, text);
  return JavaScriptParseFloat(text);
}

std::optional<std::chrono::sys_days> DayOf(ValueRef value, DayMonthOrder order, const ShapeTable& shapes) {
  std::string text;
  AppendString(value, shapes, text);
  return ParseDate2026_07(JavaScriptTrim(text), order);
}

}  // namespace

NodeId FindNamedNumber(const LeafTable& table, NodeId root) {
  for (NodeId node = root; node != table.end(root); ++node) {
    if (table.kind(node) == ValueKind::kNumber && IsNamedNumber(table.leaf_token(node))) return node;
  }
  return kNoNode;
}

JsonResult ReadJavaScriptJson(ParsedText& parsed, std::size_t begin, std::size_t end, ParsedTexts& texts) {
  JsonResult result = texts.Read(parsed, begin, end);
  if (result.root == kNoNode || !result.nonstandard) return result;
  const NodeId named = FindNamedNumber(parsed.table, result.root);
  if (named == kNoNode) return result;
  const std::string_view token = parsed.table.leaf_token(named);
  result.offset = static_cast<std::uint32_t>(token.data() - parsed.text.data());
  result.message = "NaN and Infinity are not JSON";
  result.root = kNoNode;
  return result;
}

ValueRef ReadAnswer2026_07(ValueRef text, ParsedTexts& texts, std::string* fault) {
  ParsedText& parsed = texts.Push();
  AppendStringText(*text.table, text.node, parsed.text);
  parsed.text = WithoutFences(parsed.text);
  const std::size_t open = parsed.text.find('{');
  const std::size_t close = parsed.text.rfind('}');
  if (open != std::string::npos && close != std::string::npos && open < close) {
    parsed.text = parsed.text.substr(open, close + 1 - open);
  }
  parsed.text = WithPassedMended(parsed.text);
  const JsonResult result = ReadJavaScriptJson(parsed, 0, parsed.text.size(), texts);
  if (result.root == kNoNode) {
    *fault = parsed.text.empty()
                 ? "the text is empty"
                 : fmt::format("the text from its first brace to its last is not JSON: at byte {}, {}",
                               result.offset, result.message);
  }
  return {&parsed.table, result.root};
}

DayMonthOrder OrderOfFormats2026_07(std::span<const std::string> formats) {
  const auto any_has = [&](std::string_view slashes, std::string_view hyphens) {
    return std::ranges::any_of(formats, [&](const std::string& format) {
      return format.find(slashes) != format.npos || format.find(hyphens) != format.npos;
    });
  };
  const bool month_first = any_has("MM/DD", "MM-DD");
  if (month_first == any_has("DD/MM", "DD-MM")) return DayMonthOrder::kByValue;
  return month_first ? DayMonthOrder::kMonthFirst : DayMonthOrder::kDayFirst;
}

std::optional<std::chrono::sys_days> ParseDate2026_07(std::string_view text, DayMonthOrder order) {
  if (const auto day = ParseJavaScriptDate(text)) return day;
  constexpr std::string_view kMonths[] = {"january",  "february", "march",  "april",     "may",
                                          "june",     "july",     "august", "september", "october",
                                          "november", "december", "sept"};
  constexpr unsigned kSept = 12;
  DateScanner rest(text);
  unsigned first = 0;
  unsigned second = 0;
  unsigned year = 0;
  if (!rest.TakeNumber(1, 2, first)) return std::nullopt;
  const bool hyphen = rest.Take('-');
  if (!hyphen && !rest.Take('/')) return std::nullopt;
  unsigned month = 0;  // set if it is given by name
  if (const auto name = hyphen ? rest.TakeName(kMonths) : std::nullopt)
    month = *name == kSept ? 9 : *name + 1;
  if (month == 0 && !rest.TakeNumber(1, 2, second)) return std::nullopt;
  const bool separated = rest.Take('-') || (month == 0 && rest.Take('/'));
  if (!separated || !rest.TakeNumber(4, 4, year) || !rest.AtEnd()) return std::nullopt;
  return month != 0 ? DayOfNumbers(year, month, first) : DayInOrder(first, second, year, order);
}

FieldVerdict CompareField2026_07(const FieldRule& rule, ValueRef expected, ValueRef actual,
                                 const ShapeTable& shapes, PairWalker& walker) {
  if (rule.match == FieldMatch::kExact) {
    return DeepEqual(expected, actual, walker) ? FieldVerdict::kMatch : FieldVerdict::kDifferent;
  }
  if (rule.match == FieldMatch::kDate) {
    const auto expected_day = DayOf(expected, rule.order, shapes);
    if (!expected_day) return FieldVerdict::kExpectedNotADate;
    const auto actual_day = DayOf(actual, rule.order, shapes);
    if (!actual_day) return FieldVerdict::kActualNotADate;
    return expected_day == actual_day ? FieldVerdict::kMatch : FieldVerdict::kOtherDay;
  }
  const double wanted = NumberOf(expected);
  const double given = NumberOf(actual);
  if (!std::isfinite(wanted)) return FieldVerdict::kExpectedNotANumber;
  if (!std::isfinite(given)) return FieldVerdict::kActualNotANumber;
  double difference = std::abs(given - wanted);
  if (rule.relative && wanted != 0) difference /= std::abs(wanted);
  return difference <= rule.tolerance ? FieldVerdict::kMatch : FieldVerdict::kOutsideTolerance;
}

}  // namespace leafscore::internal
