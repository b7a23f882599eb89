// cli/lint_command.h: `leafscore lint`, which judges a test before anyone is judged by it.
#ifndef LEAFSCORE_CLI_LINT_COMMAND_H_
#define LEAFSCORE_CLI_LINT_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it and sets `exit_code` (cli/exit_code.h).
// ERRORS: the run throws Error.
void AddLintCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LINT_COMMAND_H_
