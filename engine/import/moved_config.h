// engine/import/moved_config.h: adapts a configuration that is written to another folder. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_

#include <string>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Rewrites the folders in which scripts of the scorer `asserts` run, as they are relative to the folder of
// the configuration. The configuration moves from the path `from` to the path `to`; the path "-" is in the
// current folder.
void MoveScripts(const std::string& from, const std::string& to, ConfigValue& config);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_MOVED_CONFIG_H_
