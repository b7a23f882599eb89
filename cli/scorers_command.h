// cli/scorers_command.h: `leafscore scorers`, which lists the scorers and their options.
#ifndef LEAFSCORE_CLI_SCORERS_COMMAND_H_
#define LEAFSCORE_CLI_SCORERS_COMMAND_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it.
void AddScorersCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_SCORERS_COMMAND_H_
