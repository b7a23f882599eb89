// cli/generate_command.h: `leafscore generate`, which writes realistic pairs from a seed.
#ifndef LEAFSCORE_CLI_GENERATE_COMMAND_H_
#define LEAFSCORE_CLI_GENERATE_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it.
// ERRORS: the run throws Error (kUsage for an error rate outside [0, 1], kOutput).
void AddGenerateCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_GENERATE_COMMAND_H_
