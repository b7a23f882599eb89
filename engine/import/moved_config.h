// engine/import/moved_config.h: a configuration that is written to another folder. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Rewrites the folders that scripts of the scorer `asserts` run in, which a configuration gives from its own
// folder, for the configuration at the path `to` instead of `from`; "-" is in the current folder.
void MoveScripts(const std::string& from, const std::string& to, ConfigValue& config);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
