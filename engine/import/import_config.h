// engine/import/import_config.h: reads any file that says how to score: ours as it is, and those of other
// tools by turning them into ours. Each tool has a file of its own here, and a line in Origins().
// THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_
#define LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_

#include <string>
#include <string_view>

#include "engine/import/imported_config.h"

namespace leafscore::internal {

// Reads the text of a file (compressed ones too; "-" is standard input), and not much more of it than a file
// of another tool may have. ERRORS: Error(kInput) when it cannot be read; Error(kUsage) from CheckPath.
std::string ReadImportText(const std::string& path);

// Tells whose a file is by its text and, where a tool goes by names, by its name.
ConfigOrigin DetectOrigin(std::string_view text, std::string_view name);

// Turns the text of a file into a configuration of ours. Files that it refers to are looked for from `path`.
// ERRORS: Error(kUsage) with source and line for what its tool refuses, too, and from ParseConfig.
ImportedConfig ImportConfig(std::string_view text, const std::string& path);

// Reads a file likewise.
inline ImportedConfig LoadConfig(const std::string& path) { return ImportConfig(ReadImportText(path), path); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_IMPORT_CONFIG_H_
