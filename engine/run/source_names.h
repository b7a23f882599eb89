// engine/run/source_names.h: short names for the inputs of a run.
#ifndef LEAFSCORE_ENGINE_RUN_SOURCE_NAMES_H_
#define LEAFSCORE_ENGINE_RUN_SOURCE_NAMES_H_

#include <span>
#include <string>
#include <vector>

namespace leafscore::internal {

// Returns a name for each path: the file name without .gz or .zst, and then without .jsonl, .ndjson or .json;
// the whole path if two names would be equal. Names are valid UTF-8.
std::vector<std::string> SourceNames(std::span<const std::string> paths);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SOURCE_NAMES_H_
