// cli/run_result.h: what becomes of the result of a run over files: the table, the summary, the gates and the
// exit code, of `score` and `merge` alike.
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

// Checks that the files of a run do not replace each other, with the summary. ERRORS: Error(kUsage).
void CheckResultArguments(const ResultArguments& arguments, std::vector<std::string> outputs,
                          std::span<const std::string> inputs);

// Checks that nothing is asked of a shard that only all shards together tell. ERRORS: Error(kUsage).
void CheckIsOfShard(const ResultArguments& arguments);

// Returns the group fields of the report of a run.
std::vector<std::string> GroupFieldsOf(const FileOptions& options);

using BeforeEnd = std::function<void(const RunReport&)>;  // FileOptions::before_end

// Runs, writes what the result is, and checks the gates. The options are those of the run.
// RETURNS: the exit code.
int PrintRun(const ResultArguments& arguments, const FileOptions& options,
             const std::function<RunReport(const BeforeEnd&)>& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_RUN_RESULT_H_
