// cli/command_line.h: from the words of a command line to the command that they name. It is apart from main,
// so that the headers of the options are compiled once for all commands.
#ifndef LEAFSCORE_CLI_COMMAND_LINE_H_
#define LEAFSCORE_CLI_COMMAND_LINE_H_

#include <functional>
#include <string>

namespace leafscore::internal {

enum class VersionFormat { kText, kJson };

// Runs the command that the arguments name, or becomes the program that does. RETURNS: the exit status.
// ERRORS: Error, and what else the command throws.
int RunCommandLine(int argc, char** argv, const std::function<std::string(VersionFormat)>& version);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMMAND_LINE_H_
