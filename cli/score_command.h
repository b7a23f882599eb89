// cli/score_command.h: `leafscore score`, which scores files of records.
#ifndef LEAFSCORE_CLI_SCORE_COMMAND_H_
#define LEAFSCORE_CLI_SCORE_COMMAND_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

// Adds the command; running it sets `exit_code` (cli/exit_code.h).
void AddScoreCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCORE_COMMAND_H_
