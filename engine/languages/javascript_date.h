// engine/languages/javascript_date.h: reads dates as JavaScript's Date does. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_

#include <chrono>
#include <optional>
#include <string_view>

namespace leafscore::internal {

// Returns the day in UTC of `new Date(text)`, with UTC as the local time; nullopt for an invalid date. The
// forms of ECMA-262, 21.4.1.32, are tried first. For other texts the rules are those of the engine V8: up to
// three numbers (2025/3/4, 03/04/2025 with the month first), names of months, a time, a zone, and remarks in
// parentheses. Days up to 31 roll over into the next month: 31 February is 3 March.
std::optional<std::chrono::sys_days> ParseJavaScriptDate(std::string_view text);

// Returns the day of `new Date(year, month, day)`: months count from 0 and days from 1, and both may run
// over.
std::chrono::sys_days JavaScriptDay(int year, int month, int day);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_
