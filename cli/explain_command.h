// cli/explain_command.h: `leafscore explain`, which shows how the score of one record came about.
#ifndef LEAFSCORE_CLI_EXPLAIN_COMMAND_H_
#define LEAFSCORE_CLI_EXPLAIN_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it. ERRORS: the run throws Error.
void AddExplainCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_EXPLAIN_COMMAND_H_
