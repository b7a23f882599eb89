#include "cli/score_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/file_name.h"
#include "cli/gate_options.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/progress.h"
#include "cli/scoring_options.h"
#include "cli/stopped_judges.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/io/output_file.h"
#include "engine/io/replaced_files.h"
#include "engine/run/file_options.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {
namespace {

struct ScoreArguments {
  FileOptions run;
  ScorerArguments scorers;
  std::string summary;
  Gates gates;
  bool strict = false;
  bool quiet = false;
};

// Returns whether all gates hold, and tells which failed.
bool GatesHold(const ScoreArguments& arguments, const RunReport& report) {
  Gates gates = arguments.gates;
  gates.allow_absent_paths = arguments.run.allow_absent_paths;
  std::vector<std::string> failed = FailedGates(report, gates);
  if (arguments.strict && report.totals.rejected != 0) {
    failed.push_back(fmt::format("--strict, and {} records were rejected", report.totals.rejected));
  }
  for (const std::string& why : failed) PrintMessage("gate failed: " + why);
  return failed.empty();
}

// Writes what is known at the end of a run. `error` ended it early, or is null; then `summary`, unless that
// is null, gets what there is.
void TellResult(const ScoreArguments& arguments, const RunReport& report, const Error* error,
                std::vector<std::string> leftovers, OutputFile* summary) {
  if (!arguments.quiet) PrintNotice(report.ToTable(UseColour(STDERR_FILENO)));
  if (report.device && !report.device->warning.empty()) {
    PrintMessage("warning: " + report.device->warning);
  }
  leftovers.insert(leftovers.begin(), report.leftovers.begin(), report.leftovers.end());
  PrintLeftovers(leftovers);
  if (report.resumed_records != 0) {
    PrintMessage(fmt::format("went on after {} records", report.resumed_records));
  } else if (arguments.run.resume && error == nullptr) {
    PrintMessage("nothing was left to go on with: scored from the start");
  }
  TellStoppedJudges(report);
  if (error != nullptr) {
    PrintMessage(error->what());
    if (!report.partial_output.empty()) {
      PrintMessage("the scores before that are in " + report.partial_output +
                   (report.journal.empty() ? "" : "; --resume goes on with them"));
    }
  }
  if (error == nullptr || summary == nullptr) return;
  summary->Write(report.ToJson());
  PrintMessage("the summary of them is in " + summary->KeepPartial());
}

int Score(const ScoreArguments& arguments) {
  const Plan plan = MakePlan(arguments.scorers);
  FileOptions options = arguments.run;
  if (arguments.summary == "-" && options.output == "-") {
    throw Error(ErrorCode::kUsage, "scores and summary would mix on standard output; name a file for one");
  }
  std::vector<std::string> outputs = OutputsOf(options.output);
  outputs.push_back(arguments.summary);
  std::vector<std::string> inputs = InputsOf(options);
  inputs.push_back(arguments.scorers.config);
  CheckReplacesNone(outputs, inputs);
  CheckOutputSuffix(arguments.summary, std::array<std::string_view, 1>{".json"});
  std::vector<std::string> group_fields = options.group_by;
  if (!options.gold.empty()) group_fields.emplace_back("source");
  CheckGates(arguments.gates, plan.scorer_names(), group_fields);
  options.strict_gold = arguments.strict;
  options.stop = &CatchInterrupts();
  // Opened early, so that a long run does not end with a summary that cannot be written.
  std::unique_ptr<OutputFile> summary;
  std::vector<std::string> leftovers;
  if (!arguments.summary.empty()) {
    summary = OutputFile::Open(arguments.summary, options.stop);
    leftovers = summary->leftovers();
    // While it is written, the run can still be gone on with.
    options.before_end = [&](const RunReport& report) {
      const std::unique_ptr<OutputFile> file = std::move(summary);
      file->Write(report.ToJson());
      file->Commit();
    };
  }

  RunReport report;
  try {
    report = WithProgress(options, [&](const FileOptions& shown) { return ScoreFiles(plan, shown); });
  } catch (const RunError& error) {
    TellResult(arguments, error.report(), &error, std::move(leftovers), summary.get());
    return error.code() == ErrorCode::kInterrupted ? InterruptedExitCode() : ExitCodeOf(error.code());
  }
  TellResult(arguments, report, nullptr, std::move(leftovers), nullptr);
  if (!report.CountsAddUp()) throw Error(ErrorCode::kInternal, "the counts do not add up");
  return GatesHold(arguments, report) ? kExitFine : kExitGateFailed;
}

}  // namespace

void AddScoreCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command = app.add_subcommand("score", "Score files of (expected, actual) records");
  const auto arguments = std::make_shared<ScoreArguments>();
  FileOptions& run = arguments->run;
  run.output = "-";

  AddScorerOptions(*command, run, arguments->scorers);
  command
      ->add_option("-o,--output", run.output,
                   "Output file: .jsonl or .csv, also with .gz or .zst, which compress [-, standard output]")
      ->check(CheckFileName);
  command->add_flag(
      "--resume", run.resume,
      "Go on where an earlier run to this output was killed, interrupted or met an error; the end has "
      "the same bytes as a run without a break");
  command->add_flag(
      "--trailer", run.trailer,
      "End the scores with a line that tells whether they are whole, as NAME.manifest.json does "
      "for a file");
  AddDetails(*command, "How much to tell about each score [basic]; leaves: every expected leaf", run.details);
  AddLimit(*command, kMaxDetailsBytes, run.max_details_bytes);
  command
      ->add_option("--group-by", run.group_by,
                   "Also summarise by this field of the records, or of their gold (repeatable)")
      ->allow_extra_args(false);
  AddGoldOptions(*command, run);
  command->add_flag(
      "--csv-raw", run.csv_raw,
      "Write texts that begin with =, +, - or @ to CSV as they are, though a spreadsheet would run "
      "them [an apostrophe before them]");
  command->add_option("--summary", arguments->summary, "Write the summary as JSON to this file")
      ->check(CheckFileName);
  command->add_flag("--quiet,-q", arguments->quiet, "Print no summary table");

  AddRecordOptions(*command, run);
  command->add_flag(
      "--allow-absent-paths", run.allow_absent_paths,
      "Go on where a path in the options of a scorer leads nowhere in any expected value, which "
      "else ends the run as a mistyped one");

  AddGateOptions(*command, arguments->gates);
  command->add_flag("--strict", arguments->strict,
                    "Exit 1 if any record was rejected, 2 if the gold file has a flaw");
  AddThreads(*command, run.threads);
  command->add_option(
      "--device", run.device,
      "Where edit distances may be computed: auto, cpu, cuda or cuda:N; no score depends on it [auto]");
  AddLimit(*command, kGpuMemory, run.gpu_memory_bytes);
  AddLimit(*command, kBatchBytes, run.batch_bytes);
  AddLimit(*command, kMaxGroups, run.max_groups);

  command->callback([arguments, &exit_code] { exit_code = Score(*arguments); });
}

}  // namespace leafscore::internal
