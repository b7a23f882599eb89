#include "engine/scorers/static_json/stated_range.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kEnds[][2] = {
    {"start_point", "end_point"},
    {"start", "end"},
    {"start_time", "end_time"},
    {"start_timestamp", "end_timestamp"},
    {"min", "max"},
    {"minimum", "maximum"},
    {"lower", "upper"},
    {"lower_bound", "upper_bound"},
    {"range_start", "range_end"},
};

// Reads parts from the beginning of a text and removes them.
class TextCursor {
 public:
  explicit TextCursor(std::string_view rest) : rest_(rest) {}

  bool AtEnd() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }
  void SkipBlanks() { rest_.remove_prefix(SkipSpace(rest_, 0)); }
  bool Take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool TakeAny(std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return Take(word); });
  }
  // Takes a number: a sign, digits, and a fraction of digits.
  bool TakeNumber(double* number) {
    const std::size_t sign = rest_.starts_with('-') || rest_.starts_with('+') ? 1 : 0;
    std::size_t end = SkipDigits(sign);
    if (end == sign) return false;
    if (end < rest_.size() && rest_[end] == '.') {
      const std::size_t fraction = SkipDigits(end + 1);
      if (fraction != end + 1) end = fraction;
    }
    const std::optional<double> value = ReadFinite(rest_.substr(0, end));
    if (!value) return false;
    *number = *value;
    rest_.remove_prefix(end);
    return true;
  }
  // Takes one end of a range after one of the given names: "min: 3".
  bool TakeNamed(std::span<const std::string_view> words, double* number) {
    for (const std::string_view word : words) {
      TextCursor ahead(rest_);
      if (!ahead.Take(word)) continue;
      ahead.SkipBlanks();
      if (!ahead.Take(":") && !ahead.Take("=")) continue;
      ahead.SkipBlanks();
      if (!ahead.TakeNumber(number)) continue;
      rest_ = ahead.rest_;
      return true;
    }
    return false;
  }

 private:
  std::size_t SkipDigits(std::size_t at) const {
    int digit = 0;
    while (const std::size_t size = ReadDigit(rest_, at, &digit)) at += size;
    return at;
  }

  std::string_view rest_;
};

// Reads a range such as "3-7".
bool ReadSpan(TextCursor text, double* from, double* to) {
  constexpr std::string_view kBetween[] = {"..", "-", "to", "through", ",", "\u2013", "\u2014"};
  if (!text.TakeNumber(from)) return false;
  text.SkipBlanks();
  if (!text.TakeAny(kBetween)) return false;
  text.SkipBlanks();
  return text.TakeNumber(to) && text.AtEnd();
}

// Reads a range such as "between 3 and 7".
bool ReadBetween(TextCursor text, double* from, double* to) {
  const auto take_blanks = [&] {
    const std::size_t before = text.rest().size();
    text.SkipBlanks();
    return text.rest().size() != before;
  };
  return text.Take("between") && take_blanks() && text.TakeNumber(from) && take_blanks() &&
         text.Take("and") && take_blanks() && text.TakeNumber(to) && text.AtEnd();
}

// Reads a range such as "min: 3, max: 7".
bool ReadNamed(TextCursor text, double* from, double* to) {
  constexpr std::string_view kLow[] = {"min", "minimum", "lower", "start"};
  constexpr std::string_view kHigh[] = {"max", "maximum", "upper", "end"};
  if (!text.TakeNamed(kLow, from)) return false;
  for (std::string_view rest = text.rest(); !rest.empty(); rest.remove_prefix(1)) {
    TextCursor end(rest);
    if (end.TakeNamed(kHigh, to) && end.AtEnd()) return true;
  }
  return false;
}

// Takes a number from `least` to `most` with one or two digits, as a pattern of strptime does.
bool TakeTwo(std::string_view& text, int least, int most, int* number) {
  const auto digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9' ? text[at] - '0' : -1;
  };
  if (digit(0) < 0) return false;
  const int two = digit(1) < 0 ? -1 : digit(0) * 10 + digit(1);
  const bool takes_two = two >= least && two <= most;
  *number = takes_two ? two : digit(0);
  text.remove_prefix(takes_two ? 2 : 1);
  return *number >= least;
}

}  // namespace

std::optional<double> ReadFinite(std::string_view text) {
  double number = 0;
  if (!ReadPythonFloat(text, &number) || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<StatedRange> ReadRange(std::string_view text) {
  double from = 0;
  double to = 0;
  const TextCursor cursor(text);
  if (!ReadSpan(cursor, &from, &to) && !ReadBetween(cursor, &from, &to) && !ReadNamed(cursor, &from, &to)) {
    return std::nullopt;
  }
  return RangeBetween(from, to);
}

std::string_view OtherEnd(std::string_view name) {
  for (const auto& [low, high] : kEnds) {
    if (name == low) return high;
    if (name == high) return low;
  }
  return {};
}

std::optional<double> ReadTime(std::string_view text) {
  constexpr std::size_t kYearDigits = 4;
  if (text.size() < 10) return std::nullopt;
  int year = 0;
  for (const char c : text.substr(0, kYearDigits)) {
    if (c < '0' || c > '9') return std::nullopt;
    year = year * 10 + (c - '0');
  }
  text.remove_prefix(kYearDigits);
  const auto take = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  if (year == 0 || !take('-') || !TakeTwo(text, 1, 12, &month) || !take('-')) return std::nullopt;
  if (text.size() >= 2 && text[0] == ' ' && text[1] != '0') {  // strptime accepts a blank as the first digit
    text.remove_prefix(1);
    if (!TakeTwo(text, 1, 9, &day)) return std::nullopt;
  } else if (!TakeTwo(text, 1, 31, &day)) {
    return std::nullopt;
  }
  if (!text.empty()) {
    if ((!take('t') && !take('T')) || !TakeTwo(text, 0, 23, &hour) || !take(':') ||
        !TakeTwo(text, 0, 59, &minute)) {
      return std::nullopt;
    }
    if (!text.empty() && (!take(':') || !TakeTwo(text, 0, 59, &second) || !text.empty())) return std::nullopt;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return std::nullopt;
  const auto days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return days * 86400 + hour * 3600 + minute * 60 + second;
}

}  // namespace leafscore::internal
