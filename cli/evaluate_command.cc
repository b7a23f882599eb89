#include "cli/evaluate_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/config_file.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/limit_option.h"
#include "cli/progress.h"
#include "cli/scoring_options.h"
#include "cli/terminal.h"
#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/evaluate/evaluate_files.h"
#include "engine/evaluate/report_folder.h"
#include "engine/report/human_numbers.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// At most so many left-out items of each kind are named on the terminal; the aggregate lists all.
constexpr std::size_t kMaxNamed = 10;
constexpr std::size_t kMaxPathBytes = 4096;

struct EvaluateArguments {
  EvaluateOptions run;
  std::string config;
  std::string prices;
  bool aggregate_only = false;
  bool strict = false;
  bool quiet = false;
};

template <class... Arguments>
void Append(std::string& text, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  text += fmt::format(format, std::forward<Arguments>(arguments)...);
}

std::string PassText(const PassCounts& passes) {
  const std::optional<double> rate = passes.Rate();
  return fmt::format("{} of {} ({})", WithThousands(passes.passed), WithThousands(passes.total),
                     rate ? fmt::format("{:.1f}%", *rate * 100) : "no verdicts");
}

std::string FigureText(std::optional<double> figure) { return figure ? fmt::format("{:.6g}", *figure) : "-"; }

void AppendGroup(const std::vector<std::string>& metric_names, const ScoreGroup& group, std::string& text) {
  Append(text, "passed {}", PassText(group.passes));
  const std::optional<double> score = group.score.Mean();
  if (!score) return;
  Append(text, ", score {:.4f} ({:.4f} to {:.4f})", *score, group.min, group.max);
  for (std::size_t m = 0; m < metric_names.size(); ++m) {
    if (const auto mean = group.metrics[m].Mean()) Append(text, ", {} {:.4f}", metric_names[m], *mean);
  }
}

std::string RenderFigures(const EvaluateOptions& options, const EvaluationSummary& summary) {
  std::string text =
      fmt::format("passed {}\n\nBy runner and model, with means:\n", PassText(summary.passes()));
  for (const auto& [name, group] : summary.by_runner_and_model()) {
    Append(text, "  {}: ", QuoteForMessage(name));
    AppendGroup(summary.metric_names(), group, text);
    text += '\n';
  }
  text += "\nBy scenario type:\n";
  for (const auto& [type, passes] : summary.by_scenario_type()) {
    Append(text, "  {}: passed {}\n", QuoteForMessage(type), PassText(passes));
  }
  text += "\nOperational metrics (total, p50, p95):\n";
  for (std::size_t i = 0; i < OpsSummary::kNames.size(); ++i) {
    const MetricSeries& series = summary.ops().series[i];
    Append(text, "  {}: {}, {}, {}\n", OpsSummary::kNames[i], FigureText(series.Total()),
           FigureText(series.PercentileInterpolated(50)), FigureText(series.PercentileInterpolated(95)));
  }
  if (options.run_reports) {
    Append(text, "\nReports: {}/<run_id>.json ({})", options.reports_dir,
           WithThousands(summary.passes().total));
  }
  Append(text, "\nAggregate: {}/{}\n\n", options.reports_dir, kAggregateName);
  return text;
}

std::string RenderCounts(const EvaluationSummary& summary) {
  return fmt::format(
      "trajectory files {} = matched {} + unmatched {} + not selected {} + skipped {}\n"
      "matched {} = scored {} + unreadable {} + errors {}\n{}\n",
      WithThousands(summary.trajectory_files), WithThousands(summary.passes().total),
      WithThousands(summary.unmatched_trajectories.size()), WithThousands(summary.not_selected),
      WithThousands(summary.skipped_trajectories.size()), WithThousands(summary.passes().total),
      WithThousands(summary.outcomes().scored), WithThousands(summary.outcomes().unreadable),
      WithThousands(summary.outcomes().errors),
      summary.CountsAddUp() ? "counts add up" : "COUNTS DO NOT ADD UP; please report this");
}

// Names the first of the items left out, on standard error.
template <class Items, class ToText>
void Tell(std::string_view what, const Items& items, ToText to_text) {
  if (items.empty()) return;
  fmt::print(stderr, "leafscore: {}: {}\n", what, WithThousands(items.size()));
  std::size_t named = 0;
  for (const auto& item : items) {
    if (named++ == kMaxNamed) {
      fmt::print(stderr, "  and {} more\n", WithThousands(items.size() - kMaxNamed));
      break;
    }
    fmt::print(stderr, "  {}\n", to_text(item));
  }
}

void TellWhatWasLeftOut(const EvaluationSummary& summary, const std::string& default_scorer) {
  const auto id = [](const std::string& text) { return QuoteForMessage(text); };
  const auto path = [](const std::string& text) { return QuoteForMessage(text, kMaxPathBytes); };
  const auto skipped = [&](const SkippedFile& file) {
    return fmt::format("{}: {}", path(file.path), file.why);
  };
  Tell("trajectory files skipped", summary.skipped_trajectories, skipped);
  Tell("scenario files skipped", summary.skipped_scenarios, skipped);
  Tell("trajectories that match no scenario", summary.unmatched_trajectories, [&](const auto& run) {
    return fmt::format("{}: scenario_id {}{}", path(run.file), id(run.label),
                       run.run_id ? ", run_id " + id(*run.run_id) : "");
  });
  Tell("scenarios without a trajectory", summary.unmatched_scenarios, id);
  Tell("--scenario-ids of which there is no scenario", summary.unknown_selected_ids, id);
  Tell("scenarios with the id of an earlier one, which they replace", summary.duplicate_scenarios, id);
  Tell(fmt::format("scoring methods that are not known here, so that {} is used", default_scorer),
       summary.unknown_methods, [&](const auto& method) {
         return fmt::format("{} (scenarios: {})", id(method.first), WithThousands(method.second));
       });
}

int Evaluate(const EvaluateArguments& arguments) {
  EvaluateOptions options = arguments.run;
  options.run_reports = !arguments.aggregate_only;
  if (!arguments.config.empty()) {
    options.configured_scorers = ReadScorerSpecs(ReadConfigFile(arguments.config), arguments.config);
    options.config_name = arguments.config;
  }
  if (!arguments.prices.empty()) {
    options.prices = PriceTable(ReadConfigFile(arguments.prices), arguments.prices);
  }
  options.stop = &CatchInterrupts();

  options.generated_at = EpochOfEnvironment();
  const EvaluationSummary summary = WithProgress(options, [&] { return EvaluateFiles(options); });

  TellWhatWasLeftOut(summary, options.default_scorer);
  if (!arguments.quiet) {
    std::string text = summary.passes().total == 0 ? "" : RenderFigures(options, summary);
    text += RenderCounts(summary);
    Print(text);
  }
  if (!summary.CountsAddUp()) throw Error(ErrorCode::kInternal, "the counts do not add up");
  if (summary.passes().total == 0) {
    throw Error(ErrorCode::kInput, summary.trajectory_files == 0
                                       ? "there is no *.json in " + options.trajectories
                                       : "no trajectory matches a scenario; see the ids above");
  }
  if (summary.outcomes().scored == 0) {
    throw Error(ErrorCode::kInput, "not one run was scored; the reports tell why, run by run");
  }
  const std::size_t left_out =
      summary.skipped_trajectories.size() + summary.skipped_scenarios.size() + summary.outcomes().errors;
  if (arguments.strict && left_out != 0) {
    fmt::print(stderr, "leafscore: gate failed: --strict, and {} files were skipped or have no score\n",
               left_out);
    return kExitGateFailed;
  }
  return kExitFine;
}

}  // namespace

void AddEvaluateCommand(CLI::App& app, int& exit_code) {
  CLI::App* const command =
      app.add_subcommand("evaluate", "Score saved agent runs against the ground truth of their scenarios");
  const auto arguments = std::make_shared<EvaluateArguments>();
  EvaluateOptions& run = arguments->run;

  command
      ->add_option("--trajectories", run.trajectories,
                   "Folder in which every *.json, at any depth, is an agent run; or one such file")
      ->required();
  command
      ->add_option(
          "--scenarios", run.scenarios,
          "Ground truth: folders with scenario_ID/groundtruth.txt, or JSON or JSONL files of scenarios")
      ->required();
  command
      ->add_option("--scorer-default", run.default_scorer,
                   "Scorer for scenarios whose scoring_method is missing or unknown")
      ->capture_default_str();
  command->add_option("--reports-dir", run.reports_dir, "Folder for the reports, created if missing")
      ->capture_default_str();
  command->add_option("--scenario-ids", run.scenario_ids, "Only these scenarios: ids separated by commas")
      ->delimiter(',');
  command->add_option("--config,-c", arguments->config,
                      "YAML or JSON file of scorers with options; a scoring_method can be the name of one");
  command->add_option("--prices", arguments->prices,
                      "YAML or JSON file of prices in US dollars per million tokens, for the estimated cost: "
                      "MODEL: {input: 2.50, output: 10}");
  AddDetails(*command, "How much the reports tell about each score [leaves]", run.details);
  command->add_flag("--aggregate-only", arguments->aggregate_only,
                    "Write only the aggregate, no report for each agent run");
  command->add_flag("--strict", arguments->strict,
                    "Exit 1 if a file was skipped or a matched agent run is an error");
  command->add_flag("--quiet,-q", arguments->quiet, "Print no summary");
  AddThreads(*command, run.threads);
  AddLimit(*command, kMaxFileBytes, run.max_file_bytes);
  command->footer(
      "An agent run belongs to the scenario that its scenario_id names; without one, to the one that its\n"
      "file's name gives (11.json); and if there is no such scenario, to the one that its run_id names.\n"
      "\n"
      "Exit status: 0 fine; 1 --strict failed; 2 usage, input or output error, nothing matched or nothing\n"
      "scored; 3 defect of leafscore; 130 and 143 interrupted.");

  command->callback([arguments, &exit_code] { exit_code = Evaluate(*arguments); });
}

}  // namespace leafscore::internal
