// cli/leaderboard_command.h: `leafscore leaderboard`, which ranks models by their score files.
#ifndef LEAFSCORE_CLI_LEADERBOARD_COMMAND_H_
#define LEAFSCORE_CLI_LEADERBOARD_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it. ERRORS: the run throws Error.
void AddLeaderboardCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_LEADERBOARD_COMMAND_H_
