// cli/evaluate_command.h: `leafscore evaluate`, which scores saved agent runs against their scenarios.
#ifndef LEAFSCORE_CLI_EVALUATE_COMMAND_H_
#define LEAFSCORE_CLI_EVALUATE_COMMAND_H_

namespace CLI {
class App;
}

namespace leafscore::internal {

// Adds the subcommand; parsing a command line with it runs it and sets `exit_code` (cli/exit_code.h).
// ERRORS: the run throws Error.
void AddEvaluateCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_EVALUATE_COMMAND_H_
