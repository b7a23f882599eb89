// cli/command_line.h: runs the command that a command line names. It is separate from main, so that the
// headers of the options are compiled once for all commands.
#ifndef LEAFSCORE_CLI_COMMAND_LINE_H_
#define LEAFSCORE_CLI_COMMAND_LINE_H_

#include <functional>
#include <string>

namespace leafscore::internal {

enum class VersionFormat { kText, kJson };

// Runs the command that the arguments name, or replaces this process by an external program for it. RETURNS:
// the exit status. ERRORS: Error, and any other exception of the command.
int RunCommandLine(int argc, char** argv, const std::function<std::string(VersionFormat)>& version);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMMAND_LINE_H_
