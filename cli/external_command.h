// cli/external_command.h: commands that the binary does not have: programs leafscore-NAME beside it or on the
// PATH.
#ifndef LEAFSCORE_CLI_EXTERNAL_COMMAND_H_
#define LEAFSCORE_CLI_EXTERNAL_COMMAND_H_

#include <string>

namespace leafscore::internal {

// Becomes the program leafscore-`name` that lies beside this command, or else the first on the PATH.
// `arguments` ends with a null pointer; its first becomes the program's path. RETURNS: only when there is
// none. ERRORS: Error(kUsage) for one that cannot be executed, when no other can.
void BecomeExternalCommand(const std::string& name, char** arguments);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_EXTERNAL_COMMAND_H_
