// engine/process/program_files.h: the user's files that a command names.
#ifndef LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_
#define LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_

#include <string>
#include <vector>

#include "engine/process/child_process.h"

namespace leafscore::internal {

// Returns the files that the command names: a program or script by its path, and any argument that is a file.
// What the system looks up (python3, node) is none of them, as it is no part of the configuration.
// ERRORS: Error(kInput) where it cannot be told now whether an argument is a file.
std::vector<std::string> FilesOfProgram(const ProgramSpec& program);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_PROCESS_PROGRAM_FILES_H_
