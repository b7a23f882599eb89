// engine/text/date.h: calendar days as people write them.
#ifndef LEAFSCORE_ENGINE_TEXT_DATE_H_
#define LEAFSCORE_ENGINE_TEXT_DATE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace leafscore::internal {

// The names of the formats that ParseDate reads, as a configuration gives them.
std::span<const std::string_view> DateFormatNames();

// How 03/04/2025 is read.
enum class DayMonthOrder : std::uint8_t {
  kByValue,  // a number above 12 is the day; else the second is
  kDayFirst,
  kMonthFirst,
};

// Returns the order that the formats imply: day first with DD/MM/YYYY or DD-MM-YYYY, month first with
// MM/DD/YYYY or MM-DD-YYYY, and by value with both sorts or neither.
DayMonthOrder OrderOfFormats(std::span<const std::string> formats);

// Reads a text that is a date, whatever formats were given; `order` matters only for two numbers and a year.
// It is one of
//   2025-01-15, 2025/1/5, 2025-01       the year of four digits first; without a day, the month's first one
//   01/15/2025, 15-1-25, 15-JAN-2025    a day and a month, by number or English name, and a year
//   15 January 2025, Jan 15, 2025       with the name of the month, whole or its first three letters
// in any case, with the day of the week in front or not, and with a remark in parentheses at the end or not.
// A time may follow, after T behind the first kind, after spaces behind all: hours and minutes, seconds or
// not, AM or PM or not, a zone or not. Without a zone it is in UTC, and one with a zone falls on its day in
// UTC. Years of two digits are those from 1950 to 2049. RETURNS: nothing for other texts and for days that do
// not exist (31 February; the calendar is Gregorian).
std::optional<std::chrono::sys_days> ParseDate(std::string_view text, DayMonthOrder order);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_DATE_H_
