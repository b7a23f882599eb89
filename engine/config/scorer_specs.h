// engine/config/scorer_specs.h: the list of scorers in a configuration.
#ifndef LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_
#define LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_

#include <span>
#include <string>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// One requested scorer. Whether its type exists and accepts these options is checked when the scorer is made.
struct ScorerSpec {
  std::string name;     // unique in the run
  std::string type;     // for example "json_similarity"
  ConfigValue options;  // a map of all other members
  int line = 1;         // where the entry begins; 0: not in a file
};

// Reads {evaluators: [{name, type, options...}]}; `scorers` is another name for `evaluators`, and an entry
// without a name is named after its type.
// ERRORS: Error(kUsage) with source and line: another shape, an empty list, a missing type, a duplicate name.
std::vector<ScorerSpec> ReadScorerSpecs(const ConfigValue& root, const std::string& source_name);

// Reads one entry of the list of scorers. ERRORS: as ReadScorerSpecs.
ScorerSpec ReadScorerSpec(const ConfigValue& entry, const std::string& source_name);

// Checks the rules for the scorers of a run, wherever they come from.
// ERRORS: Error(kUsage) if there are no scorers, or two have the same name.
void CheckScorerSpecs(std::span<const ScorerSpec> specs, const std::string& source_name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_
