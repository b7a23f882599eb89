// engine/config/config_json.h: writes a value of a configuration as JSON text.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_JSON_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_JSON_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Appends the value as compact JSON. Unquoted bools and finite numbers keep their type, and numbers keep
// their digits if JSON allows them. All other scalars become strings.
// COST: recursive, within the depth limit of configurations.
void AppendConfigAsJson(const ConfigValue& value, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_JSON_H_
