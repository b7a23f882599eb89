// cli/merge_command.h: `leafscore merge`.
#ifndef LEAFSCORE_CLI_MERGE_COMMAND_H_
#define LEAFSCORE_CLI_MERGE_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand to the command line; once it has run, its exit code is in `exit_code`.
void AddMergeCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_MERGE_COMMAND_H_
