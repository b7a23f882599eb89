// engine/run/source_field.h: guesses which field of a run's records says who answered (SourceFieldSearch).
#ifndef LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_
#define LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_

#include <optional>
#include <string>

#include "leafscore/files.h"

namespace leafscore::internal {

// Searches the first records of the inputs for a member that is a text.
// RETURNS: nullopt also if an input is standard input or not a regular file. COST: reads up to 100,000
// records.
std::optional<std::string> FindSourceField(const FileOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_
