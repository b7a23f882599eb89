// cli/import_command.h: `leafscore import`, which turns a file of another tool into a configuration of ours.
#ifndef LEAFSCORE_CLI_IMPORT_COMMAND_H_
#define LEAFSCORE_CLI_IMPORT_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

void AddImportCommand(CLI::App& app);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_IMPORT_COMMAND_H_
