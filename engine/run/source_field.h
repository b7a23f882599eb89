// engine/run/source_field.h: guesses which field of a run's records says who answered (SourceFieldSearch).
#ifndef LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_
#define LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_

#include <optional>
#include <string>

#include "leafscore/files.h"

namespace leafscore::internal {

// Searches the first records of the inputs, some 100,000 at most, for a text member that says who answered.
// RETURNS: nullopt if there is no such member, or if an input is standard input or not a regular file.
std::optional<std::string> FindSourceField(const FileOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SOURCE_FIELD_H_
