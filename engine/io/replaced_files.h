// engine/io/replaced_files.h: finds outputs that would overwrite another file of the same run, before
// anything is opened. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_
#define LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_

#include <span>
#include <string>

namespace leafscore::internal {

// Checks that no output of a run is one of its inputs or another output. Files are compared by identity, not
// by spelling, so links are followed; a file that does not exist yet is identified by its folder and name.
// The check skips "-" (standard input or output), empty names, and devices and sockets, which are never
// replaced. Nor may the name of an output be the name of another output plus .partial or .journal, because
// temporary files have these names.
// ERRORS: Error(kUsage).
void CheckReplacesNone(std::span<const std::string> outputs, std::span<const std::string> inputs);

// Checks a folder into which a run will write .json files under names from its data: the folder may not
// contain an input whose name ends in .json. ERRORS: Error(kUsage).
void CheckHoldsNone(const std::string& folder, std::span<const std::string> inputs);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_
