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
  kByValue,  // the day is what is above 12; else it is the second number
  kDayFirst,
  kMonthFirst,
};

// Returns the order of the given formats: that of DD/MM/YYYY and DD-MM-YYYY, or of MM/DD/YYYY and MM-DD-YYYY,
// when only the one sort is among them; by value when both are, or neither.
DayMonthOrder OrderOfFormats(std::span<const std::string> formats);

// Reads a text that is a date in any of the formats; `order` only tells how one of two numbers and a year is
// read. Days and months of two numbers may have one digit. A time without a zone is in UTC, and one with a
// zone falls on its day in UTC.
// RETURNS: nothing for other texts and for days that no calendar has (31 February; Gregorian throughout).
std::optional<std::chrono::sys_days> ParseDate(std::string_view text, DayMonthOrder order);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_TEXT_DATE_H_
