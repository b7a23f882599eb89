// engine/import/moved_config.h: adapts a configuration that is written to another folder. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Rewrites the folders in which scripts of the scorer `asserts` run. They are relative to the configuration,
// which moves from the path `from` to the path `to`; "-" is in the current folder.
void MoveScripts(const std::string& from, const std::string& to, ConfigValue& config);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
