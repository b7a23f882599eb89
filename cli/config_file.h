// cli/config_file.h: reads the configuration files that the command line names.
#ifndef LEAFSCORE_CLI_CONFIG_FILE_H_
#define LEAFSCORE_CLI_CONFIG_FILE_H_

#include <string>
#include <vector>

#include "engine/config/config_value.h"
#include "engine/import/imported_config.h"
#include "engine/run/scorer_set.h"

namespace leafscore::internal {

// Reads the text of a file, which may be compressed; "-" is standard input. Stops reading soon after the
// largest size of a configuration. ERRORS: Error(kInput) if the file cannot be read.
std::string ReadConfigText(const std::string& path);

// Reads and parses a YAML or JSON file.
// ERRORS: Error(kInput) if the file cannot be read; Error(kUsage) from ParseConfig
// (engine/config/config_parser.h).
ConfigValue ReadConfigFile(const std::string& path);

// Reads the text of a configuration of scorers, and converts it to ours if it belongs to another tool.
// Appends to `files` the paths of all files that were read. ERRORS: as LoadScorerConfig.
std::string ReadScorerConfigText(const std::string& path, std::vector<std::string>& files);

// Reads a configuration of scorers, ours or another tool's, and prints on standard error which parts of it
// are skipped or cannot be evaluated here. ERRORS: as ReadConfigFile; Error(kUsage) if no part can be
// evaluated, and for anything that the other tool refuses.
ImportedConfig LoadScorerConfig(const std::string& path);

// Appends to `files` the files of the programs that scorers run.
void AddProgramFiles(const ScorerSet& scorers, std::vector<std::string>& files);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_CONFIG_FILE_H_
