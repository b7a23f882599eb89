// engine/io/replaced_files.h: finds outputs that would destroy another file of the same run, before anything
// is opened. Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_
#define LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_

#include <span>
#include <string>

namespace leafscore::internal {

// Checks that no output of a run is one of its inputs or another of its outputs. Files are told apart by what
// they are, not by how they are spelled, so links are seen through; one that is still to be made is known by
// its folder and name. "-" is standard input or output; empty names, and devices and sockets, which nothing
// replaces, are left out. An output may also not have the name of a file that lies beside another until that
// is complete: .partial, .journal.
// ERRORS: Error(kUsage).
void CheckReplacesNone(std::span<const std::string> outputs, std::span<const std::string> inputs);

// Checks that a folder to which files in .json are written under names found in a run's data holds none of
// its inputs, as far as their names end in .json. ERRORS: Error(kUsage).
void CheckHoldsNone(const std::string& folder, std::span<const std::string> inputs);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_REPLACED_FILES_H_
