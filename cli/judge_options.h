// cli/judge_options.h: options of runs with scorers that ask models: which replies are kept, and the limits
// on cost.
#ifndef LEAFSCORE_CLI_JUDGE_OPTIONS_H_
#define LEAFSCORE_CLI_JUDGE_OPTIONS_H_

#include <CLI/App.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "engine/judge/judge_service.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore::internal {

struct JudgeArguments {
  std::string cache;  // "none": replies are not kept
  bool replay = false;
  bool retry_errors = false;
  bool dry_run = false;
  std::optional<std::uint64_t> max_requests;
  std::optional<double> max_cost;
  std::string prices;
  bool batch = false;
};

void AddJudgeOptions(CLI::App& command, JudgeArguments& arguments);

// Adds --batch, for commands that call AskInBatches.
void AddBatch(CLI::App& command, JudgeArguments& arguments);

// With --batch, asks all questions of a run before the run begins. pass() performs the run without its
// output, and is called until the cache answers all questions. ERRORS: as pass() and
// JudgeService::AskInBatches.
void AskInBatches(const JudgeArguments& arguments, Judges* judges, std::span<const std::string> inputs,
                  const std::function<void()>& pass);

// Returns the arguments with the cache that is used; unchanged if no scorer asks a model. If they name no
// cache, it is a file beside the output (a file or folder). The cache is empty if replies are not kept; a
// message says so, unless the user asked for that. ERRORS: Error(kUsage) if a replay or --batch has no cache.
JudgeArguments WithCache(JudgeArguments arguments, bool asks, const std::string& output);

// Returns the judges that the scorers of a plan ask; null if no scorer asks a model. Replies that the cache
// cannot take go into a file beside `output` (a file or folder), or are not kept if `output` is "-" or empty.
// ERRORS: Error(kUsage) for options that are for judges if no scorer asks; the errors of ReadConfigFile,
// PriceTable and ReplyCache.
std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, const Plan& plan,
                                   const std::string& output, const std::atomic<bool>* stop);
// The same, if it is known whether any scorer asks.
std::shared_ptr<Judges> MakeJudges(const JudgeArguments& arguments, bool asks, const std::string& output,
                                   const std::atomic<bool>* stop);

// Prints the counts of a dry run.
void PrintDryRun(const JudgeReport& judges);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_CLI_JUDGE_OPTIONS_H_
