// cli/external_command.h: commands that the binary does not have: programs leafscore-NAME on the PATH, as git
// does.
#ifndef LEAFSCORE_CLI_EXTERNAL_COMMAND_H_
#define LEAFSCORE_CLI_EXTERNAL_COMMAND_H_

#include <string>

namespace leafscore::internal {

// Becomes the first program on the PATH that is named leafscore-`name`. `arguments` ends with a null pointer;
// its first becomes the program's path. RETURNS: only when there is none. ERRORS: Error(kUsage) for one that
// cannot be executed, when no other can.
void BecomeExternalCommand(const std::string& name, char** arguments);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_EXTERNAL_COMMAND_H_
