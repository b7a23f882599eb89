// engine/languages/javascript_date.h: the day that a text names in JavaScript's Date. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_
#define LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_

#include <chrono>
#include <optional>
#include <string_view>

namespace leafscore::internal {

// Returns the day in UTC of `new Date(text)` where the local time is UTC, too; nothing for an invalid date.
// The forms of ECMA-262, 21.4.1.32, are read first; then, as the engine V8 does for what the standard leaves
// open, any row of up to three numbers (2025/3/4, 03/04/2025 with the month first), names of months, a time,
// a zone, and remarks in parentheses. Days up to 31 roll over into the next month: 31 February is 3 March.
std::optional<std::chrono::sys_days> ParseJavaScriptDate(std::string_view text);

// Returns the day that is so many days behind the first of a month of so many months behind January, as
// `new Date(year, month, day)` counts.
std::chrono::sys_days JavaScriptDay(int year, int month, int day);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_JAVASCRIPT_DATE_H_
