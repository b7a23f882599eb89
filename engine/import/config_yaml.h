// engine/import/config_yaml.h: a configuration as YAML for people. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_
#define LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Returns YAML that ParseConfig reads as this value, but for lines: maps and lists that hold others in
// blocks, the innermost on one line, and texts in quotes where they would be something else without them.
// COST: recursive, within the depth limit of configurations.
std::string ConfigAsYaml(const ConfigValue& value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_
