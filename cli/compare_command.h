// cli/compare_command.h: `leafscore compare`, which tells whether scores changed between runs.
#ifndef LEAFSCORE_CLI_COMPARE_COMMAND_H_
#define LEAFSCORE_CLI_COMPARE_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it and sets exit_code. ERRORS: the run throws
// Error.
void AddCompareCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_COMPARE_COMMAND_H_
