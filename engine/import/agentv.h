// engine/import/agentv.h: imports AgentV's eval YAML (docs/migrate.md). THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_AGENTV_H_
#define LEAFSCORE_ENGINE_IMPORT_AGENTV_H_

#include <string>
#include <string_view>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Returns whether a text is an AgentV suite.
bool IsAgentVFile(std::string_view text, std::string_view name);

// Imports a suite. ERRORS: Error(kUsage) with file and line for anything that AgentV refuses.
ImportedConfig ImportAgentV(std::string_view text, const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_H_
