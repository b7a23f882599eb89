// engine/languages/python_date.h: reads dates like Python's dateutil.parser.parse(text), version 2.9, so that
// scores agree with evaluators that use it. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_DATE_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_DATE_H_

#include <chrono>
#include <optional>
#include <string_view>

namespace leafscore::internal {

// Reads a text that consists of a day, month and year, with an optional weekday, time and time zone:
// 2024-03-05T10:30Z, 3/5/24 10:30 PM EST, Tue Mar 5, 2024. The first of two numbers before a year is the
// month, unless it is above 12. A year of two digits means a year from `this_year` - 50 to `this_year` + 49.
// The day is the day as written, whatever the zone.
// RETURNS: nullopt for other texts and days that do not exist. Unlike dateutil, it needs day, month and year,
// knows digits and letters of ASCII only, and reads no hours written as 10h30 and no fractions other than
// those of seconds.
std::optional<std::chrono::year_month_day> ReadPythonDate(std::string_view text, int this_year);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_DATE_H_
