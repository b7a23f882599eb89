// cli/judge_cache_command.h: `leafscore judge-cache`: looks into files of --judge-cache.
#ifndef LEAFSCORE_CLI_JUDGE_CACHE_COMMAND_H_
#define LEAFSCORE_CLI_JUDGE_CACHE_COMMAND_H_

#include <CLI/App.hpp>

namespace leafscore::internal {

// `exit_code` is set when the command has run.
void AddJudgeCacheCommand(CLI::App& app, int& exit_code);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_JUDGE_CACHE_COMMAND_H_
