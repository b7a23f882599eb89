// engine/scorers/python_equal.h: whether Python's == finds two JSON values equal once their numbers are
// reals, as in UiPath's exact match: a bool is the number 0 or 1, NaN equals nothing. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_PYTHON_EQUAL_H_
#define LEAFSCORE_ENGINE_SCORERS_PYTHON_EQUAL_H_

#include "engine/json/json_view.h"

namespace leafscore::internal {

// COST: members are looked up one by one. Recursive, within the depth limit of values.
bool PythonEqual(const JsonView& a, const JsonView& b);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PYTHON_EQUAL_H_
