#include "engine/evaluate/evaluation_summary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr char kUnknown[] = "unknown";

}  // namespace

std::optional<double> MetricSeries::Total() const {
  if (values_.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values_) sum += value;
  return sum;
}

std::optional<double> MetricSeries::PercentileInterpolated(unsigned percent) const {
  if (values_.empty()) return std::nullopt;
  std::vector<double> sorted = values_;
  std::ranges::sort(sorted);
  const std::size_t rank = percent * (sorted.size() - 1);
  const std::size_t below = rank / 100;
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const auto weight = static_cast<double>(rank % 100);
  return (sorted[below] * (100 - weight) + sorted[above] * weight) / 100;
}

void OpsSummary::Add(const AgentMetrics& run) {
  const std::array<std::optional<double>, kNames.size()> values = {
      run.turns, run.tool_calls, run.tokens_in, run.tokens_out, run.duration_ms, run.cost_usd};
  for (std::size_t i = 0; i < values.size(); ++i) series[i].Add(values[i]);
}

std::optional<double> PassCounts::Rate() const {
  if (verdicts == 0) return std::nullopt;
  return static_cast<double>(passed) / static_cast<double>(total);
}

EvaluationSummary::EvaluationSummary(std::vector<ScorerInfo> scorers) : scorers_(std::move(scorers)) {
  for (const ScorerInfo& scorer : scorers_) {
    std::vector<std::size_t>& index = metric_index_.emplace_back();
    for (const std::string& metric : scorer.metrics) {
      const auto found = std::ranges::find(metric_names_, metric);
      index.push_back(static_cast<std::size_t>(found - metric_names_.begin()));
      if (found == metric_names_.end()) metric_names_.push_back(metric);
    }
  }
}

void EvaluationSummary::Add(std::string_view scenario_type, const Trajectory& run, const AgentScore& score) {
  passes_.Add(score);
  outcomes_.Add(score.outcome);
  by_scenario_type_[std::string(scenario_type.empty() ? kUnknown : scenario_type)].Add(score);
  ops_.Add(run.metrics);
  if (run.runner) runners_.insert(*run.runner);
  if (run.model) models_.insert(*run.model);

  ScoreGroup& group = groups_[run.runner.value_or(kUnknown) + '_' + run.model.value_or(kUnknown)];
  group.passes.Add(score);
  group.outcomes.Add(score.outcome);
  group.ops.Add(run.metrics);
  group.metrics.resize(metric_names_.size());
  if (score.outcome != Outcome::kScored) return;
  group.score.Add(score.score);
  group.min = std::min(group.min, score.score);
  group.max = std::max(group.max, score.score);
  for (std::size_t m = 0; m < score.metrics.size(); ++m) {
    if (std::isnan(score.metrics[m])) continue;
    group.metrics[metric_index_[score.scorer][m]].Add(score.metrics[m]);
  }
}

bool EvaluationSummary::CountsAddUp() const {
  return trajectory_files ==
             passes_.total + unmatched_trajectories.size() + not_selected + skipped_trajectories.size() &&
         passes_.total == outcomes_.asked();
}

}  // namespace leafscore::internal
