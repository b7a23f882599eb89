#include "engine/text/date.h"

#include <string_view>

#include "engine/text/date_scanner.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kFormatNames[] = {"YYYY-MM-DD", "YYYY-MM-DDTHH:mm:ss", "YYYY-MM-DDTHH:mm:ssZ",
                                             "MM/DD/YYYY", "MM-DD-YYYY",          "DD/MM/YYYY",
                                             "DD-MM-YYYY", "DD-MMM-YYYY"};

constexpr std::string_view kMonths[] = {"january",  "february", "march",  "april",     "may",
                                        "june",     "july",     "august", "september", "october",
                                        "november", "december", "sept"};
constexpr unsigned kSept = 12;
constexpr unsigned kSeptember = 8;
constexpr std::string_view kWeekdays[] = {"monday", "tuesday",  "wednesday", "thursday",
                                          "friday", "saturday", "sunday"};
constexpr std::string_view kHalves[] = {"am", "pm"};
constexpr std::string_view kZones[] = {"z", "utc", "gmt", "ut"};

using Day = std::optional<std::chrono::sys_days>;

Day MakeDay(unsigned year, unsigned month, unsigned day) {
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day));
  if (!date.ok()) return std::nullopt;
  return std::chrono::sys_days(date);
}

bool TakeMonthName(DateScanner& rest, unsigned& month) {
  const std::optional<unsigned> name = rest.TakeName(kMonths);
  if (name) month = 1 + (*name == kSept ? kSeptember : *name);
  return name.has_value();
}

// Takes a comma, spaces, or both.
bool TakeGap(DateScanner& rest) {
  const bool comma = rest.Take(',');
  return rest.TakeSpaces() || comma;
}

// Takes a year of four digits, or the last two digits of a year from 1950 to 2049.
bool TakeYear(DateScanner& rest, unsigned& year) {
  unsigned first = 0;
  unsigned second = 0;
  if (!rest.TakeNumber(2, 2, first)) return false;
  if (rest.AtDigit()) {
    year = first * 100;
    if (!rest.TakeNumber(2, 2, second)) return false;
    year += second;
  } else {
    year = first + (first < 50 ? 2000 : 1900);
  }
  return !rest.AtDigit();
}

// Takes 2025-01-15, 2025/1/5, or 2025-01, which means its first day.
Day TakeYearFirst(DateScanner& rest) {
  unsigned year = 0;
  unsigned month = 0;
  unsigned day = 1;
  if (!rest.TakeNumber(4, 4, year)) return std::nullopt;
  const char separator = rest.Take('/') ? '/' : '-';
  if (separator == '-' && !rest.Take('-')) return std::nullopt;
  if (!rest.TakeNumber(1, 2, month)) return std::nullopt;
  const bool has_day = rest.Take(separator);
  if (has_day ? !rest.TakeNumber(1, 2, day) : separator == '/' || !rest.AtEnd()) return std::nullopt;
  return rest.AtDigit() ? std::nullopt : MakeDay(year, month, day);
}

// Takes 15/01/2025, 15-1-25, 15-JAN-2025, 15/January/25 or 15 Jan 2025.
Day TakeYearLast(DateScanner& rest, DayMonthOrder order) {
  unsigned first = 0;
  unsigned second = 0;
  unsigned year = 0;
  if (!rest.TakeNumber(1, 2, first)) return std::nullopt;
  if (rest.TakeSpaces()) {
    if (!TakeMonthName(rest, second)) return std::nullopt;
    rest.Take('.');
    if (!TakeGap(rest) || !TakeYear(rest, year)) return std::nullopt;
    return MakeDay(year, second, first);
  }
  const char separator = rest.Take('/') ? '/' : '-';
  if (separator == '-' && !rest.Take('-')) return std::nullopt;
  const bool named = !rest.TakeNumber(1, 2, second);
  if (named && !TakeMonthName(rest, second)) return std::nullopt;
  if (!rest.Take(separator) || !TakeYear(rest, year)) return std::nullopt;
  const bool day_first =
      named || order == DayMonthOrder::kDayFirst || (order == DayMonthOrder::kByValue && first > 12);
  return day_first ? MakeDay(year, second, first) : MakeDay(year, first, second);
}

// Takes January 15, 2025 or Jan. 15 2025.
Day TakeMonthFirst(DateScanner& rest) {
  unsigned month = 0;
  unsigned day = 0;
  unsigned year = 0;
  if (!TakeMonthName(rest, month)) return std::nullopt;
  rest.Take('.');
  if (!rest.TakeSpaces() || !rest.TakeNumber(1, 2, day)) return std::nullopt;
  if (!TakeGap(rest) || !TakeYear(rest, year)) return std::nullopt;
  return MakeDay(year, month, day);
}

// Takes a zone: Z, UTC, GMT, +05:30, -0800, +05 or GMT+0100. RETURNS: its offset in minutes east of
// Greenwich.
std::optional<int> TakeZone(DateScanner& rest) {
  const bool named = rest.TakeName(kZones).has_value();
  const bool west = rest.Take('-');
  if (!west && !rest.Take('+')) return named ? std::optional(0) : std::nullopt;
  unsigned hours = 0;
  unsigned minutes = 0;
  if (!rest.TakeNumber(2, 2, hours)) return std::nullopt;
  if ((rest.Take(':') || rest.AtDigit()) && !rest.TakeNumber(2, 2, minutes)) return std::nullopt;
  if (hours > 23 || minutes > 59) return std::nullopt;
  return static_cast<int>(hours * 60 + minutes) * (west ? -1 : 1);
}

// Takes a time of day and its zone. RETURNS: the time in minutes after midnight UTC of the date.
std::optional<std::chrono::minutes> TakeTime(DateScanner& rest) {
  unsigned hour = 0;
  unsigned minute = 0;
  unsigned second = 0;
  if (!rest.TakeNumber(1, 2, hour) || !rest.Take(':') || !rest.TakeNumber(2, 2, minute)) return std::nullopt;
  if (rest.Take(':') && (!rest.TakeNumber(2, 2, second) || (rest.Take('.') && !rest.TakeDigits()))) {
    return std::nullopt;
  }
  rest.TakeSpaces();
  if (const std::optional<unsigned> half = rest.TakeName(kHalves)) {
    if (hour < 1 || hour > 12) return std::nullopt;
    hour = hour % 12 + 12 * *half;
    rest.TakeSpaces();
  }
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::optional<int> offset = rest.AtEnd() ? std::optional(0) : TakeZone(rest);
  if (!offset) return std::nullopt;
  return std::chrono::minutes(static_cast<int>(hour * 60 + minute) - *offset);
}

// Returns a text without the remark in parentheses at its end, if any, and without the spaces before the
// remark.
std::string_view WithoutRemark(std::string_view text) {
  if (!text.ends_with(')') || text.rfind('(') == std::string_view::npos) return text;
  text = text.substr(0, text.rfind('('));
  return text.substr(0, text.find_last_not_of(' ') + 1);
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
  DateScanner rest(WithoutRemark(text));
  if (!rest.AtDigit() && rest.TakeName(kWeekdays) && !TakeGap(rest)) return std::nullopt;
  DateScanner probe = rest;
  unsigned digits = 0;
  const bool year_first = probe.TakeNumber(4, 4, digits);
  const Day date = year_first       ? TakeYearFirst(rest)
                   : rest.AtDigit() ? TakeYearLast(rest, order)
                                    : TakeMonthFirst(rest);
  if (!date || rest.AtEnd()) return date;
  if (!TakeGap(rest) && !(year_first && (rest.Take('T') || rest.Take('t')))) return std::nullopt;
  const std::optional<std::chrono::minutes> time = TakeTime(rest);
  if (!time || !rest.AtEnd()) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*date + *time);
}

}  // namespace leafscore::internal
