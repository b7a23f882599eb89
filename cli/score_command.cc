#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/comparison_options.h"
#include "cli/comparison_result.h"
#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/interrupt.h"
#include "cli/judge_options.h"
#include "cli/label_options.h"
#include "cli/memory_option.h"
#include "cli/option_groups.h"
#include "cli/progress.h"
#include "cli/run_option.h"
#include "cli/run_result.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/model_name.h"
#include "engine/base/suggest.h"
#include "engine/io/output_file.h"
#include "engine/run/file_options.h"
#include "engine/run/result_writer.h"
#include "engine/run/resumed_run.h"
#include "engine/scores/human_labels.h"
#include "engine/scores/manifest.h"
#include "leafscore/error.h"
#include "leafscore/files.h"
#include "leafscore/plan.h"
#include "leafscore/report.h"

namespace leafscore::internal {
namespace {

struct ScoreArguments {
  FileOptions run;
  ScorerArguments scorers;
  ResultArguments result;
  ComparisonArguments comparison;  // used if it has a base
  JudgeArguments judges;
  std::string labels;
};

constexpr char kScoreExamples[] = R"(Examples:
  leafscore score pairs.jsonl -s json_similarity -o scores.jsonl
  leafscore score model-a.jsonl model-b.jsonl --gold gold.jsonl -c scorers.yaml -o scores.jsonl
  zcat answers.jsonl.gz | leafscore score - -s exact_match --group-by topic --fail-under 0.9)";

bool ReadWhole(const std::string& text, std::uint32_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// Reads "3/8".
Shard ReadShard(const std::string& text) {
  const std::size_t slash = text.find('/');
  Shard shard;
  const bool is_read = slash != std::string::npos && ReadWhole(text.substr(0, slash), shard.index) &&
                       ReadWhole(text.substr(slash + 1), shard.count);
  if (!is_read) {
    throw CLI::ValidationError("--shard", "\"" + text + "\" is no I/N, as in 3/8 for the third of eight");
  }
  return shard;
}

// Checks that the option of this name can read the scores back from the output. `other` is the advice for
// shards. ERRORS: Error(kUsage).
void CheckCanReadBack(const FileOptions& run, std::string_view option, std::string_view other) {
  if (run.output == "-" || run.shard) {
    throw Error(ErrorCode::kUsage, fmt::format("{} reads the scores back from a file, and all of them; {}",
                                               option, run.shard ? other : "name it with -o"));
  }
  if (OutputFormatOf(run.output) == OutputFormat::kCsv) {
    throw Error(ErrorCode::kUsage,
                fmt::format("{} reads the scores back, and {} is CSV, which is an export: name lines of JSON "
                            "with -o (.jsonl)",
                            option, run.output));
  }
}

// Completes the options of the comparison with the options of the run, before either begins.
// ERRORS: Error(kUsage), also for a gate of a scorer that the run does not have.
void PrepareComparison(const ScoreArguments& arguments, const Plan& plan, ComparisonArguments& comparison) {
  const FileOptions& run = arguments.run;
  CheckCanReadBack(run, "--compare-to", "compare what `leafscore merge` makes of the shards");
  if (arguments.result.summary == "-") {
    throw Error(ErrorCode::kUsage,
                "comparison and summary would mix on standard output; name a file for the summary");
  }
  comparison.options.news = {run.output};
  comparison.options.repeats = run.repeats;
  comparison.options.threads = run.threads;
  comparison.options.max_ratio = run.max_ratio;
  comparison.options.stop = &CatchInterrupts();
  comparison.gates.max_errors = arguments.result.gates.max_errors;
  const std::vector<std::string> names = plan.scorer_names();
  CheckGateScorers(comparison.gates, std::vector<std::string_view>(names.begin(), names.end()));
}

// Performs the run only to collect its questions, and does not touch its files.
RunReport RunForQuestions(const Plan& plan, FileOptions options) {
  options.output.clear();
  options.resume = false;
  options.shard.reset();
  options.trailer = false;
  return WithProgress(options, [&](const FileOptions& shown) { return ScoreFiles(plan, shown); });
}

// ERRORS: Error(kUsage) for a gate on the final score, because the score would lack a part of the test.
void CheckNoneIsOfTheFinalScore(const Gates& gates, const Plan& plan, const std::string& config) {
  const std::vector<std::string> names = plan.scorer_names();
  if (std::ranges::find(names, Gate::kFinalScore) != names.end()) return;
  if (std::ranges::find(gates.fail_under, Gate::kFinalScore, &Gate::scorer) == gates.fail_under.end()) return;
  throw Error(ErrorCode::kUsage,
              fmt::format("a part of {} cannot be done here (see above), so that its final score is none to "
                          "hold a gate against: hold gates against its scorers, or score what `leafscore "
                          "import` makes of the rest",
                          config));
}

// Before anything is scored, prints why --resume starts from the beginning although an earlier run seems to
// have left something. RETURNS: whether it starts from the beginning.
bool PrintWhyAnew(const FileOptions& options) {
  if (options.output.empty() || options.output == "-") return false;
  const std::string path = options.shard ? ShardPath(options.output, *options.shard) : options.output;
  const std::string why = WhyAnew(WithoutLinks(path), options.shard.has_value());
  if (!why.empty()) PrintMessage(why);
  return !why.empty();
}

// Warns of a base that is a pipe, because leaderboards name models after the files of their answers.
void PrintNamelessBase(const std::string& base) {
  std::error_code ignored;
  if (base != "-" && !std::filesystem::is_fifo(base, ignored)) return;
  PrintMessage(
      fmt::format("warning: the base is a pipe, after which leaderboards name its model: {}; give "
                  "--versus a file instead",
                  QuoteForMessage(ModelOfFile(base))));
}

int Score(const ScoreArguments& arguments) {
  FileOptions options = arguments.run;
  const MadePlan made = MakePlan(arguments.scorers, options);
  const Plan& plan = made.plan;
  if (made.is_partial) CheckNoneIsOfTheFinalScore(arguments.result.gates, plan, arguments.scorers.config);
  if (options.shard) CheckIsOfShard(arguments.result);
  if (options.shard && arguments.judges.batch)
    throw Error(ErrorCode::kUsage, "--batch asks all questions of a run: give it without --shard");
  std::vector<std::string> inputs = InputsOf(options);
  inputs.insert(inputs.end(), made.files.begin(), made.files.end());
  std::vector<std::string> outputs = OutputsOf(options);
  ComparisonArguments comparison = arguments.comparison;
  const bool compares = !comparison.options.base.empty();
  if (compares) {
    PrepareComparison(arguments, plan, comparison);
    inputs.push_back(comparison.options.base);
    inputs.push_back(ManifestPath(comparison.options.base));
    const std::vector<std::string> compared = OutputsOf(comparison);
    outputs.insert(outputs.end(), compared.begin(), compared.end());
  }
  const std::string& labels = arguments.labels;
  if (!labels.empty()) {
    CheckCanReadBack(options, "--labels",
                     "give them to `leafscore leaderboard` with what `leafscore merge` makes");
    inputs.push_back(labels);
    const HumanLabels checked(labels, /*several_models=*/false);  // before anything is scored and paid
  }
  const std::string written = options.shard ? ShardPath(options.output, *options.shard) : options.output;
  const JudgeArguments judges = WithCache(arguments.judges, plan.scorers().asks(), written);
  (judges.replay ? inputs : outputs).push_back(judges.cache);
  inputs.push_back(judges.prices);
  CheckResultArguments(arguments.result, outputs, inputs);
  CheckGates(arguments.result.gates, plan.scorer_names(), GroupFieldsOf(options));
  options.strict_gold = arguments.result.strict;
  options.interval_by = arguments.result.gates.by;
  options.stop = &CatchInterrupts();
  options.judges = MakeJudges(judges, plan, written, options.stop);
  if (judges.dry_run) {
    PrintDryRun(*RunForQuestions(plan, options).judges);
    return kExitFine;
  }
  std::vector<std::string> read = options.inputs;
  read.push_back(options.gold);
  read.push_back(options.versus);
  AskInBatches(judges, options.judges.get(), read, [&] { RunForQuestions(plan, options); });
  if (!options.versus.empty() && !options.output.empty()) PrintNamelessBase(options.versus);
  const bool told_anew = options.resume && PrintWhyAnew(options);
  std::optional<ComparisonResult> result;
  if (compares) result.emplace(comparison);
  const int exit_code = RunAndPrint(arguments.result, options, [&](const BeforeEnd& before_end) {
    options.before_end = before_end;
    RunReport report =
        WithProgress(options, [&](const FileOptions& shown) { return ScoreFiles(plan, shown); });
    // A shard may be empty.
    const bool is_anew = report.resumed_records == 0 && report.totals.records_read != 0;
    if (options.resume && is_anew && !told_anew) {
      PrintMessage("there was nothing to go on with: scored from the start");
    }
    return report;
  });
  if (exit_code != kExitFine && exit_code != kExitGateFailed) return exit_code;
  if (!labels.empty()) PrintCorrected(options, labels, arguments.result.quiet);
  if (!result) return exit_code;
  result->Tell();
  return std::max(exit_code, result->exit_code());  // the more serious one
}

}  // namespace

void AddScoreCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("score", "Score files of (expected, actual) records");
  const auto arguments = std::make_shared<ScoreArguments>();
  FileOptions& run = arguments->run;
  run.output = "-";

  AddScorerOptions(*command, run, arguments->scorers);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option("-o,--output", run.output,
                   "Output file: .jsonl or .csv, compressed with .gz or .zst after it [default: standard "
                   "output, -]")
      ->type_name("FILE")
      ->check(CheckFileName);
  AddDetails(*command, "How much to write about each score; leaves: every expected leaf [default: basic]",
             run.details);
  AddRecordOptions(*command, run);
  AddCallsField(*command, run);
  StartGroup(*command, kMachineGroup);
  AddThreads(*command, run.threads);
  command
      ->add_option("--device", run.device,
                   "Where edit distances may be computed: auto, cpu, cuda or cuda:N; the scores are the same "
                   "[default: auto]")
      ->type_name("DEVICE");
  AddMemory(*command, run.memory_bytes);
  AddRunOptions(*command, Commands::kScore, run);
  StartGroup(*command, kOutputGroup);
  command
      ->add_option_function<std::string>(
          "--shard", [&run](const std::string& text) { run.shard = ReadShard(text); },
          "Score only part I of N of the records, and write OUTPUT.shard-I-of-N; `leafscore merge` joins the "
          "parts, prints the summary and checks the gates")
      ->type_name("I/N");
  AddResultOptions(*command, arguments->result);
  AddGoldOptions(*command, run, arguments->scorers);
  AddLabels(*command, arguments->labels);
  AddCompareTo(*command, arguments->comparison);

  AddJudgeOptions(*command, arguments->judges);
  AddBatch(*command, arguments->judges);
  command
      ->add_option("--versus", run.versus,
                   "File with the answers of another model, in the layout of the inputs; llm_judge then says "
                   "for each answer, in both orders, which of the two is better")
      ->type_name("FILE")
      ->check(CheckFileName);
  command->footer(kScoreExamples);
  command->callback([arguments, &exit_code] { exit_code = Score(*arguments); });
}

}  // namespace leafscore::internal
