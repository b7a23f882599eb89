// engine/scorers/field_accuracy/field_values.h: reads JSON values for the fields of field_accuracy: as
// numbers, as days, or as not given. Stateless except for the caller's buffers; safe with distinct buffers.
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

// Returns whether a value is given: it is not absent, not null, and not a string of white space.
bool IsGiven(ValueRef value, std::string& buffer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_FIELD_ACCURACY_FIELD_VALUES_H_
