#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/config_file.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/gate_options.h"
#include "cli/interrupt.h"
#include "cli/judge_options.h"
#include "cli/limit_option.h"
#include "cli/option_groups.h"
#include "cli/progress.h"
#include "cli/scenario_profiles.h"
#include "cli/scoring_options.h"
#include "cli/stopped_judges.h"
#include "cli/terminal.h"
#include "engine/base/display.h"
#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_parser.h"
#include "engine/config/scorer_specs.h"
#include "engine/evaluate/asked_scenarios.h"
#include "engine/evaluate/evaluation_summary.h"
#include "engine/evaluate/scenario_scorers.h"
#include "engine/io/replaced_files.h"
#include "engine/judge/price_table.h"
#include "engine/render/cells.h"
#include "engine/run/scorer_set.h"
#include "engine/scorers/static_json/revision_2026_09.h"
#include "leafscore/error.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {
namespace {

// How many left-out items of each kind are named on the terminal. The aggregate lists all items.
constexpr std::size_t kMaxNamed = 10;
constexpr std::size_t kMaxPathBytes = 4096;

constexpr char kEvaluateFooter[] =
    R"(An agent run belongs to the scenario that its scenario_id names; without one, to the scenario that
its file is named after (11.json), else to the one that its run_id names.

Each runner and model that any file names should have a run of every scenario. A scenario without a
score counts as 0 and not passed, also in gates. Groups for --gate-by: scenario_type,
runner_and_model.

Examples:
  leafscore evaluate --trajectories runs --scenarios scenarios_data
  leafscore evaluate --trajectories runs --scenarios scenarios_data --reports-dir reports --clean
  leafscore evaluate --trajectories runs --scenarios scenarios.jsonl --min-pass-rate 0.8 --strict)";

struct EvaluateArguments {
  EvaluationOptions run;
  std::string config;
  std::string prices;
  std::string profiles;
  JudgeArguments judges;
  bool verbose = false;
  bool aggregate_only = false;
  bool strict = false;
  bool quiet = false;
};

template <class... Arguments>
void Append(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  text += fmt::format(format, std::forward<Arguments>(arguments)...);
}

std::string PassText(const EvaluatedRuns& runs) {
  return fmt::format("passed {} of {} ({})", WithThousands(runs.passed), WithThousands(runs.runs),
                     runs.pass_rate ? fmt::format("{:.1f}%", *runs.pass_rate * 100) : "no verdicts");
}

std::string FigureText(std::optional<double> figure) { return figure ? fmt::format("{:.6g}", *figure) : "-"; }

// Returns whether a mean is shown without --verbose.
bool IsShown(std::string_view metric) {
  const auto* const found = std::ranges::find(kMetrics202609, metric, &StaticJsonMetric::name);
  return found == std::end(kMetrics202609) || found->shown == MeanShown::kAlways;
}

std::string FiguresOfGroup(const EvaluatedRuns& runs, bool verbose) {
  std::string text = fmt::format("  {}: {}", QuoteForMessage(runs.name), PassText(runs));
  if (runs.mean)
    Append(text, ", mean of the scored {:.4f} ({:.4f} to {:.4f})", *runs.mean, *runs.min, *runs.max);
  for (const RunMetric& metric : runs.metrics) {
    if (!metric.mean) continue;
    if (std::ranges::find(kKeyListLengths, metric.name) != kKeyListLengths.end()) {
      Append(text, ", {} in all {:.6g}", metric.name, metric.total);
    } else if (verbose || IsShown(metric.name)) {
      Append(text, ", {} {:.4f}", metric.name, *metric.mean);
    }
  }
  const auto cost = std::ranges::find(runs.operational, "est_cost_usd", &OperationalFigures::name)->total;
  if (cost && runs.passed != 0)
    Append(text, ", cost per pass {:.6g}", *cost / static_cast<double>(runs.passed));
  return text + '\n';
}

std::string RenderFigures(const EvaluateArguments& arguments, const EvaluationOptions& options,
                          const EvaluationReport& report) {
  std::string text = fmt::format(
      "Over the runs that there are, as AssetOpsBench counts: {}\n\nBy runner and model, with means:\n",
      PassText(report.matched));
  for (const EvaluatedRuns& runs : report.by_runner_and_model) {
    text += FiguresOfGroup(runs, arguments.verbose);
  }
  text += "\nBy scenario type:\n";
  for (const EvaluatedRuns& runs : report.by_scenario_type) {
    Append(text, "  {}: {}\n", QuoteForMessage(runs.name), PassText(runs));
  }
  text += "\nOperational metrics (total, p50, p95):\n";
  for (const OperationalFigures& figures : report.matched.operational) {
    Append(text, "  {}: {}, {}, {}\n", figures.name, FigureText(figures.total), FigureText(figures.p50),
           FigureText(figures.p95));
  }
  Append(text, "  prices of est_cost_usd: {}\n", QuoteForMessage(report.prices, kMaxPathBytes));
  if (options.run_reports) {
    Append(text, "\nReports: {}/<run_id>.json ({})", options.reports_dir,
           WithThousands(report.matched.runs - report.failed_reports.size()));
  }
  if (!report.aggregate.empty()) {
    Append(text, "\nSummary: {}\nAggregate: {}\n", report.summary, report.aggregate);
  }
  text += '\n';
  return text;
}

std::string RenderCounts(const EvaluationReport& report) {
  const EvaluatedRuns& matched = report.matched;
  return fmt::format(
      "trajectory files {} = matched {} + unmatched {} + not selected {} + skipped {}\n"
      "matched {} = scored {} + unreadable {} + unanswered {} + errors {}\n{}\n",
      WithThousands(report.trajectory_files), WithThousands(matched.runs),
      WithThousands(report.unmatched_runs.size()), WithThousands(report.not_selected),
      WithThousands(report.skipped_trajectories.size()), WithThousands(matched.runs),
      WithThousands(matched.scored), WithThousands(matched.unreadable), WithThousands(matched.unanswered),
      WithThousands(matched.errors),
      report.counts_add_up ? "counts add up" : "COUNTS DO NOT ADD UP; please report this");
}

// Names, on standard error, the first kMaxNamed items that were left out; with `verbose`, all of them.
template <class Items, class ToText>
void Tell(std::string_view what, const Items& items, bool verbose, ToText to_text) {
  if (items.empty()) return;
  std::string message = fmt::format("{}: {}", what, WithThousands(items.size()));
  std::size_t named = 0;
  for (const auto& item : items) {
    if (!verbose && named++ == kMaxNamed) {
      message += fmt::format("\n  and {} more", WithThousands(items.size() - kMaxNamed));
      break;
    }
    message += "\n  " + to_text(item);
  }
  PrintMessage(message);
}

void PrintWhatWasLeftOut(const EvaluateArguments& arguments, const EvaluationReport& report,
                         const ScorerSet& configured) {
  const auto id = [](const std::string& text) { return QuoteForMessage(text); };
  const auto path = [](const std::string& text) { return QuoteForMessage(text, kMaxPathBytes); };
  const auto skipped = [&](const LeftOut& file) { return fmt::format("{}: {}", path(file.path), file.why); };
  const auto tell = [&](std::string_view what, const auto& items, const auto& to_text) {
    Tell(what, items, arguments.verbose, to_text);
  };
  tell("trajectory files skipped", report.skipped_trajectories, skipped);
  tell("scenario files skipped, and scenarios without ground truth", report.skipped_scenarios, skipped);
  tell("reports that could not be written", report.failed_reports,
       [](const LeftOut& failed) { return DisplayText(failed.why); });
  tell("runs that were not judged, as the judge wrote them; --allow-self-judge lets it", report.self_judged,
       skipped);
  tell(
      "warning: runs that were judged, though the judge may have written them under another name; "
      "--allow-self-judge says that it may",
      report.maybe_self_judged, skipped);
  tell("trajectories that match no scenario", report.unmatched_runs, [&](const UnmatchedRun& run) {
    return fmt::format("{}: scenario_id {}{}", path(run.file), id(run.scenario_id),
                       run.run_id ? ", run_id " + id(*run.run_id) : "");
  });
  tell("scenarios without a trajectory", report.unmatched_scenarios, id);
  tell(arguments.profiles.empty() ? "--scenario-ids without a scenario (selections such as fcc_lite need "
                                    "--scenario-profiles)"
                                  : "--scenario-ids without a scenario",
       report.unknown_scenario_ids, id);
  tell("scenarios with the id of an earlier one, which they replace", report.duplicate_scenarios, id);
  tell(std::string("scoring methods that are not known here, ") +
           (arguments.run.accept_unknown_methods
                ? "so that " + arguments.run.default_scorer + " is used"
                : "whose scenarios are errors; --accept-unknown-methods scores them by " +
                      arguments.run.default_scorer),
       report.unknown_methods, [&](const auto& method) {
         const std::string nearest = NearestMethod(method.first, configured.specs());
         return fmt::format("{} (scenarios: {}){}", id(method.first), WithThousands(method.second),
                            nearest.empty() ? "" : fmt::format("; did you mean {}?", id(nearest)));
       });
  if (!arguments.run.judge_model.empty() && report.judged_scenarios == 0) {
    PrintMessage(
        "--judge-model: no scenario was judged, as neither a scoring_method nor --scorer-default "
        "is llm_judge");
  }
  if (report.unread_metadata != 0) {
    PrintMessage(
        fmt::format("scenarios with evaluation_metadata that is not used, as that takes a static_json "
                    "of revision 2026-09: {}",
                    WithThousands(report.unread_metadata)));
  }
}

void PrintEarlierReports(const EvaluationOptions& options, const EvaluationReport& report) {
  if (report.earlier_reports == 0) return;
  const std::string folder = QuoteForMessage(options.reports_dir, kMaxPathBytes);
  const std::string there = WithThousands(report.earlier_reports);
  PrintMessage(options.clean
                   ? fmt::format("{} of {} reports of earlier runs in {} were removed",
                                 WithThousands(report.removed_reports), there, folder)
                   : fmt::format("{} reports of earlier runs lie beside the new ones in {}; --clean "
                                 "removes them",
                                 there, folder));
}

Gates GatesOf(const EvaluateArguments& arguments) {
  Gates gates = arguments.run.gates;
  gates.allow_absent_paths = arguments.run.allow_absent_paths;
  if (arguments.strict) {
    gates.min_coverage = 1;
    gates.max_errors = ErrorLimit{};
  }
  return gates;
}

// Makes the scorers of the configuration, if there is one.
ScorerSet ConfiguredSet(const EvaluationOptions& options) {
  if (!options.config) return {};
  const ConfigValue config = ParseConfig(*options.config, options.config_name);
  return ScorerSet(ReadScorerSpecs(config, options.config_name), options.config_name);
}

// Checks that the cache of replies does not lie where reports could replace it.
// ERRORS: Error(kUsage).
void CheckCacheIsApart(const std::string& cache, const std::string& reports) {
  namespace fs = std::filesystem;
  if (cache.empty() || reports.empty()) return;
  std::error_code none;  // a place that cannot be examined cannot be written to, either
  fs::path folder = fs::weakly_canonical(fs::absolute(reports), none);
  if (folder.filename().empty()) folder = folder.parent_path();
  const fs::path name = fs::absolute(cache);
  for (const fs::path& place : {fs::weakly_canonical(name, none),  // the target of a link, and the link
                                fs::weakly_canonical(name.parent_path(), none) / name.filename()}) {
    if (std::mismatch(folder.begin(), folder.end(), place.begin(), place.end()).first != folder.end())
      continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("a report could replace the cache {}: keep it outside {}", cache, reports));
  }
}

int RunEvaluate(const EvaluateArguments& arguments) {
  const std::string group_fields[] = {kScenarioTypeField, kRunnerAndModelField};
  Gates gates = GatesOf(arguments);
  for (std::vector<Gate>* const named : {&gates.fail_under, &gates.min_pass_rate}) {
    for (Gate& gate : *named) gate.scorer.clear();  // the scorers are not known yet
  }
  CheckGates(gates, {}, group_fields);
  EvaluationOptions options = arguments.run;
  options.gates = GatesOf(arguments);
  std::vector<std::string> inputs = options.scenarios;
  inputs.insert(inputs.end(),
                {options.trajectories, arguments.prices, arguments.judges.prices, arguments.profiles});
  if (!arguments.config.empty()) {
    options.config = ReadScorerConfigText(arguments.config, inputs);
    options.config_name = arguments.config;
  }
  const ScorerSet configured = ConfiguredSet(options);
  AddProgramFiles(configured, inputs);
  const bool asks = !options.judge_model.empty() || configured.asks();
  const JudgeArguments judges = WithCache(arguments.judges, asks, options.reports_dir);
  if (judges.replay) {
    inputs.push_back(judges.cache);
  } else {
    CheckReplacesNone(std::vector{judges.cache}, inputs);
  }
  CheckCacheIsApart(judges.cache, options.reports_dir);
  CheckHoldsNone(options.reports_dir, inputs);
  options.scenario_ids = ResolveScenarioIds(options.scenario_ids, arguments.profiles);
  options.run_reports = !arguments.aggregate_only;
  if (!arguments.prices.empty()) {
    options.prices = ReadConfigText(arguments.prices);
    options.prices_name = arguments.prices;
  }
  options.stop = &CatchInterrupts();
  options.generated_at = EpochOfEnvironment();
  options.judges = MakeJudges(judges, asks, options.reports_dir, options.stop);
  options.dry_run = judges.dry_run;
  std::vector<std::string> read = options.scenarios;
  read.push_back(options.trajectories);
  AskInBatches(judges, options.judges.get(), read, [&] {
    EvaluationOptions questions = options;
    questions.dry_run = true;
    Evaluate(questions);
  });
  const EvaluationReport report = WithProgress(options, &Evaluate);

  PrintWhatWasLeftOut(arguments, report, configured);
  if (options.dry_run) {
    PrintDryRun(options.judges->Report());
    return kExitFine;
  }
  PrintStoppedJudges(report.asked);
  if (!arguments.quiet) {
    if (report.matched.runs != 0) {
      Print(report.asked.ToTable(UseColour(STDOUT_FILENO), TableColumns(STDOUT_FILENO)) + '\n');
      Print(DisplayText(RenderFigures(arguments, options, report)));
    }
    Print(RenderCounts(report));
  }
  PrintEarlierReports(options, report);
  PrintLeftovers(report.leftovers);
  if (!report.counts_add_up) throw Error(ErrorCode::kInternal, "the counts do not add up");
  if (report.matched.runs == 0) {
    throw Error(ErrorCode::kInput, report.trajectory_files == 0
                                       ? "there is no *.json in " + options.trajectories
                                       : "no trajectory matches a scenario; see the ids above");
  }
  if (report.matched.scored == 0) {
    throw Error(ErrorCode::kInput, "not one run was scored; the reports tell why, run by run");
  }
  if (!report.failed_reports.empty()) {
    throw Error(ErrorCode::kOutput, fmt::format("{} reports could not be written; see above",
                                                WithThousands(report.failed_reports.size())));
  }
  return PrintGates(report.asked.gates) ? kExitFine : kExitGateFailed;
}

}  // namespace

void AddEvaluateCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("evaluate", "Score saved agent runs against the ground truth of their scenarios");
  const auto arguments = std::make_shared<EvaluateArguments>();
  EvaluationOptions& run = arguments->run;

  StartGroup(*command, kInputGroup);
  command
      ->add_option("--trajectories", run.trajectories,
                   "Folder of agent runs, each a *.json at any depth; or one such file")
      ->type_name("PATH")
      ->required();
  command
      ->add_option(
          "--scenarios", run.scenarios,
          "Ground truth: folders with scenario_ID/groundtruth.txt, or JSON or JSONL files of scenarios")
      ->type_name("PATH")
      ->required();
  command
      ->add_option("--scenario-ids", run.scenario_ids,
                   "Only these scenarios: ids separated by commas or, with --scenario-profiles, selections "
                   "such as fcc+fmsr_lite")
      ->type_name("ID,")
      ->delimiter(',');
  command
      ->add_option("--scenario-profiles", arguments->profiles,
                   "Folder of lite.yaml and similar files, or one such file, with the ids of each category: "
                   "fcc: [501, 502]")
      ->type_name("PATH");
  StartGroup(*command, kFieldsGroup);
  command
      ->add_option("--answer-field", run.answer_field,
                   "Member of a trajectory file that holds the answer, for example answer_repair")
      ->type_name("FIELD")
      ->capture_default_str();
  AddRepeats(*command,
             "Which of several runs of a runner and model for one scenario counts, by path; all: their mean; "
             "error: none, the evaluation ends [default: all]",
             run.repeats)
      ->group(kInputGroup);
  StartGroup(*command, kScorersGroup);
  command->add_option("--scorer-default", run.default_scorer, "Scorer for scenarios without a scoring_method")
      ->type_name("SCORER")
      ->capture_default_str();
  command
      ->add_option("--config,-c", arguments->config,
                   "YAML or JSON file of scorers with options; a scoring_method can name one of them")
      ->type_name("FILE");
  command->add_flag("--accept-unknown-methods", run.accept_unknown_methods,
                    "Use the default scorer for scenarios whose scoring_method is unknown [default: they are "
                    "errors]");
  command->add_flag("--allow-absent-paths", run.allow_absent_paths,
                    "Accept a path in a scorer's options that no ground truth has; without this, the "
                    "evaluation ends, as the path is probably mistyped");
  StartGroup(*command, kJudgesGroup);
  command
      ->add_option("--judge-model", run.judge_model,
                   "Model for the scoring method llm_judge: asked as the llm_judge in --config says, else at "
                   "OPENAI_BASE_URL with the key in OPENAI_API_KEY, and passing from 0.7 on")
      ->type_name("MODEL");
  command->add_flag("--allow-self-judge", run.allow_self_judge,
                    "Let a model judge its own answers [default: they are errors]");
  AddJudgeOptions(*command, arguments->judges);
  AddBatch(*command, arguments->judges);
  StartGroup(*command, kOutputGroup);
  command->add_option("--reports-dir", run.reports_dir, "Folder for the reports, created if missing")
      ->type_name("FOLDER")
      ->capture_default_str();
  AddDetails(*command, "How much the reports say about each score [default: leaves]", run.details);
  command->add_flag("--aggregate-only", arguments->aggregate_only,
                    "Write only the aggregate and the summary, and no report per agent run");
  command->add_flag("--clean", run.clean,
                    "Remove the reports of earlier runs that this run did not replace from --reports-dir");
  command
      ->add_option("--prices", arguments->prices,
                   "YAML or JSON file of prices in US dollars per million tokens, for the estimated cost: "
                   "MODEL: {input: 2.50, output: 10} [default: those of " +
                       PriceTable::OfAssetOpsBench().source() + "]")
      ->type_name("FILE");
  CLI::Option* const quiet = command->add_flag("--quiet,-q", arguments->quiet, "Print no summary");
  command
      ->add_flag("--verbose,-v", arguments->verbose,
                 "Print every mean, and name everything that was left out, not only the first ten of each "
                 "kind")
      ->excludes(quiet);
  AddLimit(*command, kMaxDetailsBytes, run.max_details_bytes);
  AddGateOptions(*command, run.gates);
  command->add_flag("--strict", arguments->strict,
                    "Fail unless every file is read and joined and everything asked for is scored: "
                    "--min-coverage 1 --max-errors 0");
  AddThreads(*command, run.threads);
  AddLimit(*command, kMaxFileBytes, run.max_file_bytes);
  command->footer(kEvaluateFooter);

  command->callback([arguments, &exit_code] { exit_code = RunEvaluate(*arguments); });
}

}  // namespace leafscore::internal
