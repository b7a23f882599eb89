#include "engine/text/date.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace leafscore::internal {
namespace {

constexpr std::string_view kFormatNames[] = {"YYYY-MM-DD", "YYYY-MM-DDTHH:mm:ss", "YYYY-MM-DDTHH:mm:ssZ",
                                             "MM/DD/YYYY", "MM-DD-YYYY",          "DD/MM/YYYY",
                                             "DD-MM-YYYY", "DD-MMM-YYYY"};

constexpr std::array<std::string_view, 12> kMonths = {"january",   "february", "march",    "april",
                                                      "may",       "june",     "july",     "august",
                                                      "september", "october",  "november", "december"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes pieces off the front of a text; each Take tells whether the piece was there.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes up to `max` digits.
  bool TakeNumber(std::size_t min, std::size_t max, unsigned& number) {
    std::size_t digits = 0;
    number = 0;
    for (; digits < std::min(max, rest_.size()) && IsDigit(rest_[digits]); ++digits) {
      number = number * 10 + static_cast<unsigned>(rest_[digits] - '0');
    }
    rest_.remove_prefix(digits);
    return digits >= min;
  }
  bool TakeDigits() {
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    rest_.remove_prefix(digits);
    return digits > 0;
  }
  // Takes the English name of a month, whole, its first three letters, or "sept".
  bool TakeMonth(unsigned& month) {
    std::array<char, 9> letters;  // as many as the longest name has
    std::size_t size = 0;
    for (; size < rest_.size(); ++size) {
      const char lower = static_cast<char>(rest_[size] | 0x20);
      if (lower < 'a' || lower > 'z') break;
      if (size == letters.size()) return false;
      letters[size] = lower;
    }
    rest_.remove_prefix(size);
    const std::string_view name(letters.data(), size);
    for (unsigned m = 0; m < kMonths.size(); ++m) {
      if (name == kMonths[m] || name == kMonths[m].substr(0, 3) || (m == 8 && name == "sept")) {
        month = m + 1;
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view rest_;
};

std::optional<std::chrono::sys_days> MakeDay(unsigned year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

// Reads the time of day and the zone behind the T. RETURNS: the minutes since midnight UTC of the date.
std::optional<std::chrono::minutes> ParseTime(Scanner rest) {
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (!rest.TakeNumber(2, 2, hour) || !rest.Take(':') || !rest.TakeNumber(2, 2, minute) || !rest.Take(':') ||
      !rest.TakeNumber(2, 2, second) || hour > 23 || minute > 59 || second > 59 ||
      (rest.Take('.') && !rest.TakeDigits())) {
    return std::nullopt;
  }
  int offset = 0;
  if (!rest.Take('Z') && !rest.AtEnd()) {
    const bool west = rest.Take('-');
    unsigned hours = 0;
    unsigned minutes = 0;
    if ((!west && !rest.Take('+')) || !rest.TakeNumber(2, 2, hours)) return std::nullopt;
    rest.Take(':');
    if (!rest.TakeNumber(2, 2, minutes) || hours > 23 || minutes > 59) return std::nullopt;
    offset = static_cast<int>(hours * 60 + minutes) * (west ? -1 : 1);
  }
  if (!rest.AtEnd()) return std::nullopt;
  return std::chrono::minutes(static_cast<int>(hour * 60 + minute) - offset);
}

std::optional<std::chrono::sys_days> ParseYearFirst(Scanner rest) {
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 0;
  if (!rest.TakeNumber(4, 4, year) || !rest.Take('-') || !rest.TakeNumber(2, 2, month) || !rest.Take('-') ||
      !rest.TakeNumber(2, 2, day)) {
    return std::nullopt;
  }
  const auto date = MakeDay(year, month, day);
  if (!date || rest.AtEnd()) return date;
  if (!rest.Take('T')) return std::nullopt;
  const auto time = ParseTime(rest);
  if (!time) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*date + *time);
}

std::optional<std::chrono::sys_days> ParseYearLast(Scanner rest, DayMonthOrder order) {
  unsigned first = 0;
  unsigned second = 0;
  unsigned year = 0;
  if (!rest.TakeNumber(1, 2, first)) return std::nullopt;
  const char separator = rest.Take('/') ? '/' : '-';
  if (separator == '-' && !rest.Take('-')) return std::nullopt;
  const bool named = !rest.TakeNumber(1, 2, second);
  if (named && (separator == '/' || !rest.TakeMonth(second))) return std::nullopt;
  if (!rest.Take(separator) || !rest.TakeNumber(4, 4, year) || !rest.AtEnd()) return std::nullopt;
  const bool day_first =
      named || order == DayMonthOrder::kDayFirst || (order == DayMonthOrder::kByValue && first > 12);
  return day_first ? MakeDay(year, second, first) : MakeDay(year, first, second);
}

}  // namespace

std::span<const std::string_view> DateFormatNames() { return kFormatNames; }

DayMonthOrder OrderOfFormats(std::span<const std::string> formats) {
  bool day_first = false;
  bool month_first = false;
  for (const std::string& format : formats) {
    day_first |= format == "DD/MM/YYYY" || format == "DD-MM-YYYY";
    month_first |= format == "MM/DD/YYYY" || format == "MM-DD-YYYY";
  }
  if (day_first == month_first) return DayMonthOrder::kByValue;
  return day_first ? DayMonthOrder::kDayFirst : DayMonthOrder::kMonthFirst;
}

std::optional<std::chrono::sys_days> ParseDate(std::string_view text, DayMonthOrder order) {
  const bool year_first = text.size() > 4 && std::all_of(text.begin(), text.begin() + 4, IsDigit);
  return year_first ? ParseYearFirst(Scanner(text)) : ParseYearLast(Scanner(text), order);
}

}  // namespace leafscore::internal
