// engine/evaluate/evaluation_summary.h: the figures of an evaluation: how the agent runs were joined and
// scored, overall, by type of scenario, and by runner and model. Runs are added in the order of their paths,
// so sums do not depend on threads. The metrics of each run are kept for the percentiles (about 100 bytes);
// its answer and details are not.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_
#define LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/evaluate/agent_metrics.h"
#include "engine/evaluate/trajectory.h"
#include "engine/report/counts.h"
#include "engine/report/run_summary.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {

// The lengths of static_json's lists of keys, as metrics.
inline constexpr std::array<std::string_view, 3> kKeyListLengths = {"missing_keys", "extra_keys",
                                                                    "detail_entries"};

// The result of one agent run under a scorer.
struct AgentScore : RecordScore {
  std::uint32_t scorer = 0;     // index into the summary's scorers
  std::vector<double> metrics;  // the scorer's, in their order; NaN if there is no value
  std::string rationale;        // why it is not scored, or did not pass; may be empty
  std::string details_json = "{}";
};

// Values whose sum and percentiles are needed; absent ones are left out.
class MetricSeries {
 public:
  void Add(std::optional<double> value) {
    if (value) values_.push_back(*value);
  }
  // RETURNS: nullopt if no agent run stated the value.
  std::optional<double> Total() const;
  // Interpolates between the two values around the rank percent/100 · (n - 1), like Python's
  // statistics.quantiles(values, n=100, method="inclusive"), which AssetOpsBench's reports use. (Percentiles
  // of scores are by nearest rank: engine/report/score_statistics.h.)
  std::optional<double> PercentileInterpolated(unsigned percent) const;

 private:
  std::vector<double> values_;
};

class EvaluationSummary {
 public:
  struct ScorerInfo {
    std::string name;
    std::vector<std::string> metrics;
    std::string revision = {};
  };

  explicit EvaluationSummary(std::vector<ScorerInfo> scorers);

  // Adds a matched agent run.
  void Add(std::string_view scenario_type, const Trajectory& run, const AgentScore& score);

  // Fills in the figures of the report, and whether its counts add up: trajectory files = matched + unmatched
  // + not selected + skipped, and matched = scored + unreadable + unanswered + errors.
  void FillIn(EvaluationReport& report) const;

  const std::vector<ScorerInfo>& scorers() const { return scorers_; }

 private:
  // The figures of some agent runs, while they are added up.
  struct Group {
    EvaluatedRuns counts;
    bool has_verdicts = false;
    CountedSum score;                    // over the scored ones
    std::vector<CountedSum> metrics;     // by metric_names_
    std::array<MetricSeries, 8> series;  // operational
  };
  // The metrics of static_json that give the lengths of its lists, as indexes into a scorer's metrics.
  struct KeyCounts {
    std::size_t gold;
    std::size_t model;
    std::size_t matched;
    std::size_t mode;  // kNoMetric if its revision has no modes
  };
  static constexpr std::size_t kNoMetric = static_cast<std::size_t>(-1);

  std::size_t MetricIndex(std::string_view name);
  void AddKeyLists(const KeyCounts& counts, const std::vector<double>& metrics, Group& group) const;

  void AddTo(Group& group, const AgentMetrics& run, const AgentScore& score) const;
  EvaluatedRuns FiguresOf(const std::string& name, const Group& group) const;

  std::vector<ScorerInfo> scorers_;
  std::vector<std::string> metric_names_;               // those of all scorers, each name once
  std::vector<std::vector<std::size_t>> metric_index_;  // by scorer and its metric: index into metric_names_
  std::vector<std::optional<KeyCounts>> key_counts_;    // by scorer
  std::size_t first_list_ = 0;  // of kKeyListLengths in metric_names_, if any scorer has them
  std::set<std::string> runners_;
  std::set<std::string> models_;
  Group all_;
  std::map<std::string, Group> by_scenario_type_;
  std::map<std::string, Group> by_runner_and_model_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_EVALUATION_SUMMARY_H_
