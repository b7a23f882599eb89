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

// Reads a text that is a date in any of the formats; `order` matters only for two numbers and a year.
// Two-digit days and months may be written with one digit. A time without a zone is in UTC, and one with a
// zone falls on its day in UTC.
// RETURNS: nothing for other texts and for days that do not exist (31 February; the calendar is Gregorian).
std::optional<std::chrono::sys_days> ParseDate(std::string_view text, DayMonthOrder order);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_DATE_H_
