// cli/score_command.h: `leafscore score`, which scores files of records.
#ifndef LEAFSCORE_CLI_SCORE_COMMAND_H_
#define LEAFSCORE_CLI_SCORE_COMMAND_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it and sets `exit_code` (cli/exit_code.h).
// ERRORS: the run throws Error.
void AddScoreCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCORE_COMMAND_H_
