// engine/import/agentv_vars.h: the variables of AgentV's tests, and how they are filled into texts.
// Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_
#define LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Thrown when a suite has become larger than kMaxSuiteBytes.
struct SuiteTooLarge {};

// Returns a text with each {{ name }} or {{ name.member }} replaced by that variable, as Nunjucks does for
// plain names: an unknown variable is empty, a number is written as in JavaScript. Any other expression in
// braces stays as it is, and sets *unfilled. ERRORS: SuiteTooLarge.
std::string FillText(std::string_view text, const ConfigValue& vars, bool* unfilled);

// Fills every text in a value. A text that consists only of a variable's name becomes that variable's value.
void FillValue(const ConfigValue& vars, ConfigValue& value, bool* unfilled);

// Returns a map with the members of `own`, and those members of `below` that `own` lacks. An argument that is
// null or not a map counts as empty.
ConfigValue MergeMaps(const ConfigValue* below, const ConfigValue* own);

// Returns how many tests these variables make: one test for each combination of elements of those variables
// that are lists of texts. Returns 0 if one of these lists is empty, and at most kMaxSuiteTests + 1.
std::uint64_t CountCombinations(const ConfigValue& vars);

// Returns the variables of one of these tests. From test to test, the last list changes its element first.
// REQUIRES: number < CountCombinations(vars).
ConfigValue Combination(const ConfigValue& vars, std::uint64_t number);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_
