// cli/judge_check_command.h: `leafscore judge-check`: holds scores against those of people.
#ifndef LEAFSCORE_CLI_JUDGE_CHECK_COMMAND_H_
#define LEAFSCORE_CLI_JUDGE_CHECK_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// `exit_code` is set when the command has run.
void AddJudgeCheckCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_JUDGE_CHECK_COMMAND_H_
