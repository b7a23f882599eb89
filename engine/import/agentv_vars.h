// engine/import/agentv_vars.h: the variables of AgentV's tests, and the texts that they are filled into.
// Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_
#define LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// A suite has become larger than kMaxSuiteBytes.
struct SuiteTooLarge {};

// Returns a text with each {{ name }} or {{ name.member }} replaced by that variable, as Nunjucks does for
// plain names: an unknown one is empty, a number as JavaScript writes it. Anything else in braces stays as it
// is, and sets *unfilled. ERRORS: SuiteTooLarge.
std::string FillText(std::string_view text, const ConfigValue& vars, bool* unfilled);

// Fills every text within a value. A text that is the name of a variable and nothing else becomes its value.
void FillValue(const ConfigValue& vars, ConfigValue& value, bool* unfilled);

// Returns a map with the members of `own` and those of `below` that it lacks. Either may be no map.
ConfigValue MergeMaps(const ConfigValue* below, const ConfigValue* own);

// Returns how many sets of variables tests are made for: one for each combination of the elements of those
// variables that are a list of texts (or an empty list, of which there is none); at most kMaxSuiteTests
// and 1.
std::uint64_t CountCombinations(const ConfigValue& vars);

// Returns one of them; the elements of the last list change first. REQUIRES: number <
// CountCombinations(vars).
ConfigValue Combination(const ConfigValue& vars, std::uint64_t number);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_VARS_H_
