// engine/scorers/field_accuracy/field_values.h: what a JSON value is to the fields of field_accuracy: a
// number, a day, nothing. Stateless but for buffers of the caller's; safe with distinct ones.
#ifndef LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_
#define LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_

#include <chrono>
#include <optional>
#include <string>

#include "engine/match/pair_walker.h"
#include "engine/text/date.h"

namespace leafscore::internal {

// RETURNS: the finite number that a number is, or a string that holds a decimal number and white space only.
std::optional<double> FieldNumber(ValueRef value, std::string& buffer);

// RETURNS: the day that a string names.
std::optional<std::chrono::sys_days> FieldDay(ValueRef value, DayMonthOrder order, std::string& buffer);

// Tells whether there is something: not absent, null, or a string of white space.
bool IsGiven(ValueRef value, std::string& buffer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_
