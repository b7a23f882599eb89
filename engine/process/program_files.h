// engine/process/program_files.h: finds the user's files that a command names.
#ifndef LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_
#define LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_

#include <string>
#include <vector>

#include "engine/process/child_process.h"

namespace leafscore::internal {

// Returns the files that the command names: a program or script given by its path, and every argument that is
// a file. Programs that the system looks up (python3, node) are left out, as they are not part of the
// configuration.
// ERRORS: Error(kInput) if the system cannot tell now whether an argument is a file.
std::vector<std::string> FilesOfProgram(const ProgramSpec& program);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_
