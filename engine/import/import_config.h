// engine/import/import_config.h: reads any file that says how to score: our own format, and the formats of
// other tools, which it converts. Each tool has a file of its own here, and a line in Origins().
// THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_

#include <string>
#include <string_view>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Reads the text of a file, decompressed if necessary; "-" is standard input. Stops soon after the most bytes
// that a file of another tool may contain. ERRORS: Error(kInput) if it cannot be read; Error(kUsage) from
// CheckPath.
std::string ReadImportText(const std::string& path);

// Finds the tool of a file by its text and, if the tool requires certain names, by its name.
ConfigOrigin DetectOrigin(std::string_view text, std::string_view name);

// Turns the text of a file into a configuration of ours. Files that it refers to are searched relative to
// `path`.
// ERRORS: Error(kUsage) with source and line, also for anything that the other tool refuses; errors of
// ParseConfig.
ImportedConfig ImportConfig(std::string_view text, const std::string& path);

// Reads and imports a file.
inline ImportedConfig LoadConfig(const std::string& path) { return ImportConfig(ReadImportText(path), path); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_
