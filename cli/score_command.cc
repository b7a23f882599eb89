#include "cli/score_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/progress.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/io/output_file.h"
#include "engine/report/summary_json.h"
#include "engine/report/summary_table.h"
#include "engine/run/run_files.h"
#include "engine/run/scorer_set.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

struct ScoreArguments {
  FileOptions run;
  ScorerArguments scorers;
  std::string summary;
  std::optional<double> fail_under;
  std::optional<double> min_pass_rate;
  bool strict = false;
  bool quiet = false;
};

// Tells which gates failed. A gate holds for every scorer that it applies to.
bool GatesHold(const ScoreArguments& arguments, const RunSummary& summary) {
  bool hold = true;
  bool any_pass_rate = false;
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    const ScoreStatistics& statistics = summary.Overall(s);
    const std::string& name = summary.scorer_names()[s];
    const std::optional<double> mean = statistics.Mean();
    if ((arguments.fail_under || arguments.min_pass_rate) && !mean) {
      fmt::print(stderr, "leafscore: gate failed: {} scored no record\n", name);
      hold = false;
    }
    if (arguments.fail_under && mean && *mean < *arguments.fail_under) {
      fmt::print(stderr, "leafscore: gate failed: the mean of {} is {:.6g}, under {:.6g}\n", name, *mean,
                 *arguments.fail_under);
      hold = false;
    }
    const std::optional<double> pass_rate = statistics.PassRate();
    any_pass_rate |= pass_rate.has_value();
    if (arguments.min_pass_rate && pass_rate && *pass_rate < *arguments.min_pass_rate) {
      fmt::print(stderr, "leafscore: gate failed: the pass rate of {} is {:.6g}, under {:.6g}\n", name,
                 *pass_rate, *arguments.min_pass_rate);
      hold = false;
    }
  }
  if (arguments.min_pass_rate && !any_pass_rate && hold) {
    throw Error(ErrorCode::kUsage, "--min-pass-rate needs a scorer that passes or fails records");
  }
  if (arguments.strict && summary.totals().rejected != 0) {
    fmt::print(stderr, "leafscore: gate failed: --strict, and {} records were rejected\n",
               summary.totals().rejected);
    hold = false;
  }
  return hold;
}

void CheckSomethingScored(const RunSummary& summary) {
  if (summary.totals().records_read == 0) throw Error(ErrorCode::kInput, "the input holds no records");
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    if (summary.Overall(s).counts().scored != 0) return;
  }
  throw Error(ErrorCode::kInput,
              "not one record was scored; the output (or the table above) tells why, record by record");
}

int Score(const ScoreArguments& arguments) {
  const ScorerSet scorers = MakeScorers(arguments.scorers);
  FileOptions options = arguments.run;
  std::vector<std::string> others = options.inputs;
  others.insert(others.end(), {options.output, arguments.scorers.config, options.gold});
  CheckReplacesNone(arguments.summary, others);
  CheckReplacesNone(options.output, {&arguments.scorers.config, 1});
  if (arguments.summary == "-" && options.output == "-") {
    throw Error(ErrorCode::kUsage, "scores and summary would mix on standard output; name a file for one");
  }
  // Opened early, so that a long run does not end with a summary that cannot be written.
  std::unique_ptr<OutputFile> summary;
  if (!arguments.summary.empty()) summary = OutputFile::Open(arguments.summary);
  options.strict_gold = arguments.strict;
  options.stop = &CatchInterrupts();

  const RunResult run =
      WithProgress([&](const RunObserver& observer) { return RunFiles(scorers, options, observer); });

  if (!arguments.quiet) fmt::print(stderr, "{}", RenderSummaryTable(run.summary, UseColour(STDERR_FILENO)));
  if (run.summary.device() && !run.summary.device()->warning.empty()) {
    fmt::print(stderr, "leafscore: warning: {}\n", run.summary.device()->warning);
  }
  if (run.error) {
    fmt::print(stderr, "leafscore: {}\n", run.error->what());
    if (!run.partial_output.empty()) {
      fmt::print(stderr, "leafscore: the scores before that are in {}\n", run.partial_output);
    }
  }
  if (summary != nullptr) {
    summary->Write(RenderSummaryJson(run.summary));
    if (run.error) {
      fmt::print(stderr, "leafscore: the summary of them is in {}\n", summary->KeepPartial());
    } else {
      summary->Commit();
    }
  }
  if (run.error) {
    return run.error->code() == ErrorCode::kInterrupted ? InterruptedExitCode()
                                                        : ExitCodeOf(run.error->code());
  }
  if (!run.summary.CountsAddUp()) throw Error(ErrorCode::kInternal, "the counts do not add up");
  CheckSomethingScored(run.summary);
  return GatesHold(arguments, run.summary) ? kExitFine : kExitGateFailed;
}

}  // namespace

void AddScoreCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("score", "Score files of (expected, actual) records");
  const auto arguments = std::make_shared<ScoreArguments>();
  FileOptions& run = arguments->run;
  run.output = "-";

  AddScorerOptions(*command, run, arguments->scorers);
  command->add_option("-o,--output", run.output,
                      "Where the scores go: .jsonl (default), .csv, also .gz and .zst; - is standard output");
  AddDetails(*command, "How much to tell of a score's making [basic]; leaves: every expected leaf",
             run.details);
  command->add_option("--group-by", run.group_by, "Summarise by this field of the records too (repeatable)")
      ->allow_extra_args(false);
  AddGoldOptions(*command, run);
  command->add_option("--summary", arguments->summary, "Write the summary as JSON to this file");
  command->add_flag("--quiet,-q", arguments->quiet, "No summary table");

  AddRecordOptions(*command, run);

  // CLI::Range would let NaN pass, and with it every run.
  const CLI::Validator share(
      [](const std::string& text) {
        double value = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool valid = error == std::errc() && *end == '\0' && value >= 0 && value <= 1;
        return valid ? std::string() : "\"" + text + "\" is no number from 0 to 1";
      },
      "from 0 to 1");
  command->add_option("--fail-under", arguments->fail_under, "Exit 1 when the mean of a scorer is lower")
      ->check(share);
  command
      ->add_option("--min-pass-rate", arguments->min_pass_rate,
                   "Exit 1 when the pass rate of a scorer is lower")
      ->check(share);
  command->add_flag("--strict", arguments->strict,
                    "Exit 1 when any record was rejected, and 2 for a flaw in the gold file");
  AddThreads(*command, run.threads);
  command->add_option("--device", run.device,
                      "What computes edit distances beside the CPU: auto, cpu, cuda or cuda:N [auto]");
  AddLimit(*command, kGpuMemory, run.gpu_memory_bytes);
  AddLimit(*command, kBatchBytes, run.batch_bytes);
  AddLimit(*command, kMaxGroups, run.max_groups);

  command->callback([arguments, &exit_code] { exit_code = Score(*arguments); });
}

}  // namespace leafscore::internal
