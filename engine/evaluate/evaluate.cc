#include "leafscore/evaluate.h"

#include <utility>

#include "engine/config/config_parser.h"
#include "engine/evaluate/evaluate_files.h"
#include "engine/evaluate/report_folder.h"

namespace leafscore {
namespace {

using internal::EvaluateOptions;
using internal::EvaluationSummary;

EvaluateOptions EngineOptionsOf(const EvaluationOptions& options) {
  EvaluateOptions run;
  run.trajectories = options.trajectories;
  run.scenarios = options.scenarios;
  run.scenario_ids = options.scenario_ids;
  run.reports_dir = options.reports_dir;
  run.run_reports = options.run_reports;
  run.default_scorer = options.default_scorer;
  if (!options.config.empty()) {
    run.configured_scorers = internal::ReadScorerSpecs(
        internal::ParseConfig(options.config, options.config_name), options.config_name);
    run.config_name = options.config_name;
  }
  if (!options.prices.empty()) {
    run.prices =
        internal::PriceTable(internal::ParseConfig(options.prices, options.prices_name), options.prices_name);
  }
  run.details = options.details;
  run.threads = options.threads;
  run.max_file_bytes = options.max_file_bytes;
  run.generated_at = options.generated_at;
  run.stop = options.stop;
  run.progress = options.progress;
  return run;
}

EvaluatedRuns RunsOf(const std::string& name, const internal::PassCounts& passes) {
  return {.name = name, .runs = passes.total, .passed = passes.passed, .pass_rate = passes.Rate()};
}

EvaluatedRuns RunsOf(const std::string& name, const internal::ScoreGroup& group,
                     const std::vector<std::string>& metric_names) {
  EvaluatedRuns runs = RunsOf(name, group.passes);
  runs.mean = group.score.Mean();
  if (runs.mean) {
    runs.min = group.min;
    runs.max = group.max;
  }
  for (std::size_t m = 0; m < metric_names.size(); ++m) {
    runs.metrics.push_back({metric_names[m], group.metrics[m].Mean()});
  }
  return runs;
}

}  // namespace

EvaluationReport Evaluate(const EvaluationOptions& options) {
  EvaluationSummary summary = internal::EvaluateFiles(EngineOptionsOf(options));
  EvaluationReport report{.trajectory_files = summary.trajectory_files,
                          .scored = summary.outcomes().scored,
                          .unreadable = summary.outcomes().unreadable,
                          .errors = summary.outcomes().errors + summary.outcomes().unanswered,
                          .not_selected = summary.not_selected,
                          .matched = RunsOf("all", summary.passes()),
                          .unmatched_scenarios = std::move(summary.unmatched_scenarios),
                          .unknown_scenario_ids = std::move(summary.unknown_selected_ids),
                          .duplicate_scenarios = std::move(summary.duplicate_scenarios),
                          .counts_add_up = summary.CountsAddUp()};
  for (const auto& [type, passes] : summary.by_scenario_type()) {
    report.by_scenario_type.push_back(RunsOf(type, passes));
  }
  for (const auto& [name, group] : summary.by_runner_and_model()) {
    report.by_runner_and_model.push_back(RunsOf(name, group, summary.metric_names()));
  }
  for (std::size_t i = 0; i < internal::OpsSummary::kNames.size(); ++i) {
    const internal::MetricSeries& series = summary.ops().series[i];
    report.operational.push_back({std::string(internal::OpsSummary::kNames[i]), series.Total(),
                                  series.PercentileInterpolated(50), series.PercentileInterpolated(95)});
  }
  for (const auto& run : summary.unmatched_trajectories) {
    report.unmatched_runs.push_back({run.file, "no scenario has its id, " + run.label});
  }
  for (const auto* files : {&summary.skipped_trajectories, &summary.skipped_scenarios}) {
    for (const internal::SkippedFile& file : *files) report.skipped_files.push_back({file.path, file.why});
  }
  for (const auto& [method, scenarios] : summary.unknown_methods) report.unknown_methods.push_back(method);
  if (summary.passes().total != 0) {
    report.aggregate = options.reports_dir + "/" + std::string(internal::kAggregateName);
  }
  return report;
}

}  // namespace leafscore
