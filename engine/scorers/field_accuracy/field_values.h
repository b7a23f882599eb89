// engine/scorers/field_accuracy/field_values.h: converts JSON values for the fields of field_accuracy: to a
// number, a day, or nothing. Stateless except for buffers of the caller's; safe with distinct ones.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_

#include <chrono>
#include <optional>
#include <string>

#include "engine/match/pair_walker.h"
#include "engine/text/date.h"

namespace leafscore::internal {

// RETURNS: the value of a finite number, or of a string that contains only a decimal number and white space.
std::optional<double> FieldNumber(ValueRef value, std::string& buffer);

// RETURNS: the day in a string.
std::optional<std::chrono::sys_days> FieldDay(ValueRef value, DayMonthOrder order, std::string& buffer);

// Tells whether a value is given: not absent, null, or a string of white space.
bool IsGiven(ValueRef value, std::string& buffer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_
