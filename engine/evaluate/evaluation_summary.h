// engine/evaluate/evaluation_summary.h: the figures of an evaluation: how the agent runs were joined and
// scored, overall, by type of scenario, and by runner and model. They are added in the order of their paths,
// so sums do not depend on threads. The metrics of each stay here (some 100 bytes) for the percentiles; its
// answer and details are not kept.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_
#define LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluate/agent_metrics.h"
#include "engine/evaluate/trajectory.h"
#include "engine/io/file_tree.h"
#include "engine/report/counts.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// What a scorer made of one agent run.
struct AgentScore {
  std::uint32_t scorer = 0;  // index into the summary's scorers
  Outcome outcome = Outcome::kScored;
  double score = 0;
  std::int8_t passed = -1;      // 1 or 0; -1 without a verdict
  std::vector<double> metrics;  // the scorer's, in their order; NaN where there is none
  std::string rationale;        // why it is not scored, or did not pass; may be empty
  std::string details_json = "{}";
};

// Values of which the sum and percentiles are asked; absent ones are left out.
class MetricSeries {
 public:
  void Add(std::optional<double> value) {
    if (value) values_.push_back(*value);
  }
  // RETURNS: nothing when no agent run stated the value.
  std::optional<double> Total() const;
  // Interpolates between the two values around the rank percent/100 · (n - 1), as Python's
  // statistics.quantiles(values, n=100, method="inclusive") does, and with it AssetOpsBench's reports.
  // (Percentiles of scores are by nearest rank: engine/report/score_statistics.h.)
  std::optional<double> PercentileInterpolated(unsigned percent) const;

 private:
  std::vector<double> values_;
};

struct OpsSummary {
  static constexpr std::array<std::string_view, 6> kNames = {"turns",      "tool_calls",  "tokens_in",
                                                             "tokens_out", "duration_ms", "est_cost_usd"};
  void Add(const AgentMetrics& run);
  std::array<MetricSeries, kNames.size()> series;  // in the order of kNames
};

struct PassCounts {
  void Add(const AgentScore& score) {
    ++total;
    passed += score.passed == 1;
    verdicts += score.passed >= 0;
  }
  // RETURNS: passed / total; nothing when no scorer passed or failed any of them.
  std::optional<double> Rate() const;

  std::uint64_t total = 0;
  std::uint64_t passed = 0;
  std::uint64_t verdicts = 0;
};

// The scores of one runner and model.
struct ScoreGroup {
  PassCounts passes;
  OutcomeCounts outcomes;
  CountedSum score;  // over the scored
  double min = std::numeric_limits<double>::infinity();
  double max = 0;
  std::vector<CountedSum> metrics;  // by EvaluationSummary::metric_names()
  OpsSummary ops;
};

class EvaluationSummary {
 public:
  struct ScorerInfo {
    std::string name;
    std::vector<std::string> metrics;
  };
  struct UnmatchedTrajectory {
    std::string file;
    std::string label;
    std::optional<std::string> run_id;
  };

  explicit EvaluationSummary(std::vector<ScorerInfo> scorers);

  // Adds a matched agent run.
  void Add(std::string_view scenario_type, const Trajectory& run, const AgentScore& score);

  // RETURNS: whether no file was lost or counted twice: trajectory files = matched + unmatched +
  //          not selected + skipped, and matched = scored + unreadable + errors.
  bool CountsAddUp() const;

  const std::vector<ScorerInfo>& scorers() const { return scorers_; }
  // Those of all scorers, each name once.
  const std::vector<std::string>& metric_names() const { return metric_names_; }
  const PassCounts& passes() const { return passes_; }  // passes().total: the matched agent runs
  const OutcomeCounts& outcomes() const { return outcomes_; }
  const std::set<std::string>& runners() const { return runners_; }
  const std::set<std::string>& models() const { return models_; }
  const std::map<std::string, PassCounts>& by_scenario_type() const { return by_scenario_type_; }
  const std::map<std::string, ScoreGroup>& by_runner_and_model() const { return groups_; }
  const OpsSummary& ops() const { return ops_; }

  // What the evaluation finds out beside the scores.
  std::uint64_t trajectory_files = 0;
  std::uint64_t not_selected = 0;                           // agent runs of scenarios that were not selected
  std::uint64_t scenarios = 0;                              // selected ones
  std::vector<UnmatchedTrajectory> unmatched_trajectories;  // by path
  std::vector<std::string> unmatched_scenarios;             // selected ones without an agent run
  std::vector<std::string> unknown_selected_ids;            // selected, without a scenario
  std::vector<std::string> duplicate_scenarios;
  std::map<std::string, std::uint64_t> unknown_methods;  // scoring methods, with how many scenarios name them
  std::vector<SkippedFile> skipped_trajectories;         // by path
  std::vector<SkippedFile> skipped_scenarios;

 private:
  std::vector<ScorerInfo> scorers_;
  std::vector<std::string> metric_names_;
  std::vector<std::vector<std::size_t>> metric_index_;  // by scorer and its metric: index into metric_names_
  PassCounts passes_;
  OutcomeCounts outcomes_;
  std::set<std::string> runners_;
  std::set<std::string> models_;
  std::map<std::string, PassCounts> by_scenario_type_;
  std::map<std::string, ScoreGroup> groups_;
  OpsSummary ops_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_
