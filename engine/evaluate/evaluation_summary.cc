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

EvaluationSummary::EvaluationSummary(std::vector<ScorerInfo> scorers) : scorers_(std::move(scorers)) {
  bool has_lists = false;
  for (const ScorerInfo& scorer : scorers_) {
    std::vector<std::size_t>& index = metric_index_.emplace_back();
    for (const std::string& metric : scorer.metrics) index.push_back(MetricIndex(metric));
    const auto place_of = [&](std::string_view name) {
      const auto found = std::ranges::find(scorer.metrics, name);
      return found == scorer.metrics.end() ? kNoMetric
                                           : static_cast<std::size_t>(found - scorer.metrics.begin());
    };
    const KeyCounts counts{place_of("total_gold_keys"), place_of("total_model_keys"),
                           place_of("matched_keys"), place_of("mode_key_match")};
    const bool counts_keys =
        counts.gold != kNoMetric && counts.model != kNoMetric && counts.matched != kNoMetric;
    key_counts_.push_back(counts_keys ? std::optional(counts) : std::nullopt);
    has_lists |= counts_keys;
  }
  first_list_ = metric_names_.size();
  if (has_lists) metric_names_.insert(metric_names_.end(), kKeyListLengths.begin(), kKeyListLengths.end());
}

// Returns the index of a metric in metric_names_; adds the metric if it is new.
std::size_t EvaluationSummary::MetricIndex(std::string_view name) {
  const auto found = std::ranges::find(metric_names_, name);
  const auto index = static_cast<std::size_t>(found - metric_names_.begin());
  if (found == metric_names_.end()) metric_names_.emplace_back(name);
  return index;
}

// Adds the lengths of a score's three key lists, also if the score keeps only parts of them: missing keys,
// unexpected keys, and details. In a score for a mode, the only key that can be missing is the key of the
// mode, and there is a detail for each gold key: the mode and its terms.
void EvaluationSummary::AddKeyLists(const KeyCounts& counts, const std::vector<double>& metrics,
                                    Group& group) const {
  const double gold = metrics[counts.gold];
  const double model = metrics[counts.model];
  const double matched = metrics[counts.matched];
  if (std::isnan(gold)) return;
  const bool is_mode = counts.mode != kNoMetric && !std::isnan(metrics[counts.mode]);
  const std::array<double, kKeyListLengths.size()> lengths =
      is_mode ? std::array{1 - matched, model - gold, gold}
              : std::array{gold - matched, model - matched, gold + model - matched};
  for (std::size_t i = 0; i < lengths.size(); ++i) group.metrics[first_list_ + i].Add(lengths[i]);
}

void EvaluationSummary::Add(std::string_view scenario_type, const Trajectory& run, const AgentScore& score) {
  if (run.runner) runners_.insert(*run.runner);
  if (run.model) models_.insert(*run.model);
  AddTo(all_, run.metrics, score);
  AddTo(by_scenario_type_[std::string(scenario_type.empty() ? kUnknown : scenario_type)], run.metrics, score);
  AddTo(by_runner_and_model_[run.RunnerAndModel()], run.metrics, score);
}

void EvaluationSummary::AddTo(Group& group, const AgentMetrics& run, const AgentScore& score) const {
  const std::array operational = {run.turns,       run.tool_calls, run.tokens_in,      run.tokens_out,
                                  run.duration_ms, run.cost_usd,   run.input_cost_usd, run.output_cost_usd};
  for (std::size_t i = 0; i < operational.size(); ++i) group.series[i].Add(operational[i]);
  EvaluatedRuns& counts = group.counts;
  ++counts.runs;
  counts.unreadable += score.outcome == Outcome::kUnreadable;
  counts.unanswered += score.outcome == Outcome::kUnanswered;
  counts.errors += score.outcome == Outcome::kError;
  counts.passed += score.passed == 1;
  group.has_verdicts |= score.passed >= 0;
  if (score.outcome != Outcome::kScored) return;
  ++counts.scored;
  counts.min = std::min(counts.min.value_or(score.score), score.score);
  counts.max = std::max(counts.max.value_or(score.score), score.score);
  group.score.Add(score.score);
  group.metrics.resize(metric_names_.size());
  for (std::size_t m = 0; m < score.metrics.size(); ++m) {
    if (!std::isnan(score.metrics[m])) group.metrics[metric_index_[score.scorer][m]].Add(score.metrics[m]);
  }
  const auto& key_counts = key_counts_[score.scorer];
  if (key_counts && !score.metrics.empty()) AddKeyLists(*key_counts, score.metrics, group);
}

EvaluatedRuns EvaluationSummary::FiguresOf(const std::string& name, const Group& group) const {
  EvaluatedRuns runs = group.counts;
  runs.name = name;
  if (group.has_verdicts) runs.pass_rate = static_cast<double>(runs.passed) / static_cast<double>(runs.runs);
  runs.mean = group.score.Mean();
  for (std::size_t m = 0; m < metric_names_.size(); ++m) {
    const CountedSum sum = m < group.metrics.size() ? group.metrics[m] : CountedSum();
    runs.metrics.push_back({metric_names_[m], sum.sum, sum.Mean()});
  }
  constexpr const char* kNames[] = {
      "turns",       "tool_calls",   "tokens_in",          "tokens_out",
      "duration_ms", "est_cost_usd", "est_input_cost_usd", "est_output_cost_usd"};
  for (std::size_t i = 0; i < group.series.size(); ++i) {
    const MetricSeries& series = group.series[i];
    runs.operational.push_back(
        {kNames[i], series.Total(), series.PercentileInterpolated(50), series.PercentileInterpolated(95)});
  }
  // The sum of the unrounded costs.
  constexpr std::size_t kCost = 5;
  if (auto& costs = runs.operational; costs[kCost].total) {
    costs[kCost].total = *costs[kCost + 1].total + *costs[kCost + 2].total;
  }
  return runs;
}

void EvaluationSummary::FillIn(EvaluationReport& report) const {
  report.runners.assign(runners_.begin(), runners_.end());
  report.models.assign(models_.begin(), models_.end());
  report.matched = FiguresOf("all", all_);
  for (const auto& [type, group] : by_scenario_type_) {
    report.by_scenario_type.push_back(FiguresOf(type, group));
  }
  for (const auto& [name, group] : by_runner_and_model_) {
    report.by_runner_and_model.push_back(FiguresOf(name, group));
  }
  const EvaluatedRuns& matched = report.matched;
  report.counts_add_up =
      report.trajectory_files == matched.runs + report.unmatched_runs.size() + report.not_selected +
                                     report.skipped_trajectories.size() &&
      matched.runs == matched.scored + matched.unreadable + matched.unanswered + matched.errors &&
      report.asked.CountsAddUp();
}

}  // namespace leafscore::internal
