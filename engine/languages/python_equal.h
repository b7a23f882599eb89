// engine/languages/python_equal.h: compares two JSON values like Python's ==: a bool is the number 0 or 1,
// and NaN equals nothing. Stateless.
#ifndef LEAFSCORE_ENGINE_LANGUAGES_PYTHON_EQUAL_H_
#define LEAFSCORE_ENGINE_LANGUAGES_PYTHON_EQUAL_H_

#include "engine/json/json_view.h"
#include "engine/languages/python_repr.h"

namespace leafscore::internal {

// Numbers are reals, as in UiPath's exact match, or integers and reals as json.loads reads them.
// COST: members are looked up one by one. Recursive, within the depth limit of values.
bool PythonEqual(const JsonView& a, const JsonView& b, PythonNumbers numbers = PythonNumbers::kReals);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LANGUAGES_PYTHON_EQUAL_H_
