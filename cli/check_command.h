// cli/check_command.h: `leafscore check`, which says what a configuration will do.
#ifndef LEAFSCORE_CLI_CHECK_COMMAND_H_
#define LEAFSCORE_CLI_CHECK_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

void AddCheckCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_CHECK_COMMAND_H_
