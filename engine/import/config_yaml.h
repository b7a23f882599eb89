// engine/import/config_yaml.h: writes a configuration as YAML for people. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_
#define LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Returns YAML that ParseConfig reads as this value, apart from line numbers. Maps and lists that contain
// others are blocks, the innermost are on one line, and texts are quoted where they would be read as
// something else. COST: recursive, within the depth limit of configurations.
std::string ConfigAsYaml(const ConfigValue& value);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_CONFIG_YAML_H_
