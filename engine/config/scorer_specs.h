// engine/config/scorer_specs.h: the list of scorers that a configuration asks for.
#ifndef LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_
#define LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_

#include <span>
#include <string>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// One scorer as asked for; that its type exists and takes these options is checked where it is made.
struct ScorerSpec {
  std::string name;     // unique in the run
  std::string type;     // for example "json_similarity"
  ConfigValue options;  // a map of all other members
  int line = 1;         // where the entry begins; 0: in no file
};

// Reads {evaluators: [{name, type, options...}]}; `scorers` is another name for `evaluators`, and an entry
// without a name is named by its type.
// ERRORS: kUsage with source and line: not that shape, an empty list, a missing type, a name twice.
std::vector<ScorerSpec> ReadScorerSpecs(const ConfigValue& root, const std::string& source_name);

// Checks what holds for the scorers of a run, wherever they come from.
// ERRORS: kUsage for no scorers, and for a name twice.
void CheckScorerSpecs(std::span<const ScorerSpec> specs, const std::string& source_name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_SCORER_SPECS_H_
