// engine/text/date.h: reads calendar days as people write them.
#ifndef LEAFSCORE_ENGINE_TEXT_DATE_H_
#define LEAFSCORE_ENGINE_TEXT_DATE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the names of the formats that ParseDate reads, as configurations spell them.
std::span<const std::string_view> DateFormatNames();

// How 03/04/2025 is read.
enum class DayMonthOrder : std::uint8_t {
  kByValue,  // a number above 12 is the day; otherwise the second number is
  kDayFirst,
  kMonthFirst,
};

// Returns the order that the formats imply: day first for DD/MM/YYYY or DD-MM-YYYY, month first for
// MM/DD/YYYY or MM-DD-YYYY, and by value for both or neither.
DayMonthOrder OrderOfFormats(std::span<const std::string> formats);

// Reads a text that is a date, whatever the formats of the configuration; `order` matters only for two
// numbers and a year. The forms are
//   2025-01-15, 2025/1/5, 2025-01       a year of four digits first; without a day, the first of the month
//   01/15/2025, 15-1-25, 15-JAN-2025    a day, a month (number or English name) and a year
//   15 January 2025, Jan 15, 2025       with the name of the month, or its first three letters
// in upper or lower case, with an optional day of the week before and an optional remark in parentheses at
// the end. A time may follow: after T for the first form, after spaces or a comma for all forms. It has hours
// and minutes, and optionally seconds, AM or PM, and a zone. Without a zone, the time is in UTC. With a zone,
// the result is the day in UTC. Years of two digits mean 1950 to 2049.
// RETURNS: nullopt for other texts, and for days that do not exist (31 February; the calendar is Gregorian).
std::optional<std::chrono::sys_days> ParseDate(std::string_view text, DayMonthOrder order);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_DATE_H_
