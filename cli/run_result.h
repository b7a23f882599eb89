// cli/run_result.h: reports the result of a run over files, for `score` and `merge`: the table, the summary,
// the gates and the exit code.
#ifndef LEAFSCORE_CLI_RUN_RESULT_H_
#define LEAFSCORE_CLI_RUN_RESULT_H_

#include <CLI/App.hpp>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

struct ResultArguments {
  std::string summary;
  Gates gates;
  bool strict = false;
  bool quiet = false;
};

// Adds --summary, --quiet, --strict and the gates.
void AddResultOptions(CLI::App& command, ResultArguments& arguments);

// Checks that the files of a run, including the summary, do not replace each other. ERRORS: Error(kUsage).
void CheckResultArguments(const ResultArguments& arguments, std::vector<std::string> outputs,
                          std::span<const std::string> inputs);

// Refuses, for a shard, options that need the result of all shards. ERRORS: Error(kUsage).
void CheckIsOfShard(const ResultArguments& arguments);

// Returns the group fields of the report of a run.
std::vector<std::string> GroupFieldsOf(const FileOptions& options);

using BeforeEnd = std::function<void(const RunReport&)>;  // FileOptions::before_end

// Calls `run`, prints its result, and checks the gates. `options` are the options of the run.
// RETURNS: the exit code.
int RunAndPrint(const ResultArguments& arguments, const FileOptions& options,
                const std::function<RunReport(const BeforeEnd&)>& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_RUN_RESULT_H_
