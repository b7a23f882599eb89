#include "engine/evaluate/evaluation_summary.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>

namespace leafscore::internal {
namespace {

TEST(MetricSeries, InterpolatesPercentiles) {
  MetricSeries series;
  EXPECT_EQ(series.PercentileInterpolated(50), std::nullopt);
  EXPECT_EQ(series.Total(), std::nullopt);
  series.Add(std::nullopt);
  EXPECT_EQ(series.Total(), std::nullopt);
  series.Add(500);
  EXPECT_EQ(series.PercentileInterpolated(50), 500);
  EXPECT_EQ(series.PercentileInterpolated(95), 500);
  series.Add(100);
  series.Add(300);
  // As statistics.quantiles([100, 300, 500], n=100, method="inclusive") in Python.
  EXPECT_EQ(series.PercentileInterpolated(50), 300);
  EXPECT_EQ(series.PercentileInterpolated(95), 480);
  series.Add(7);
  EXPECT_EQ(series.PercentileInterpolated(50), 200);
  EXPECT_EQ(series.PercentileInterpolated(95), 470);
  EXPECT_EQ(series.PercentileInterpolated(100), 500);
  EXPECT_EQ(series.Total(), 907);
}

TEST(PassCounts, HasNoRateWithoutVerdicts) {
  PassCounts passes;
  EXPECT_EQ(passes.Rate(), std::nullopt);
  AgentScore score;
  passes.Add(score);
  EXPECT_EQ(passes.Rate(), std::nullopt);
  score.passed = 1;
  passes.Add(score);
  EXPECT_EQ(passes.Rate(), 0.5);
}

TEST(EvaluationSummary, AveragesEachMetricOverTheRunsThatHaveIt) {
  EvaluationSummary summary({{"first", {"f1", "keys"}}, {"second", {"distance", "f1"}}});
  EXPECT_EQ(summary.metric_names(), (std::vector<std::string>{"f1", "keys", "distance"}));
  Trajectory run;
  run.runner = "agent";
  run.model = "m";
  AgentScore score;
  score.score = 0.5;
  score.passed = 0;
  score.metrics = {0.5, std::numeric_limits<double>::quiet_NaN()};
  summary.Add("iot", run, score);
  score.scorer = 1;
  score.score = 1;
  score.passed = 1;
  score.metrics = {3, 1};
  summary.Add("", run, score);
  score.outcome = Outcome::kUnreadable;
  score.passed = 0;
  score.metrics.clear();
  run.model.reset();
  summary.Add("iot", run, score);

  ASSERT_EQ(summary.by_runner_and_model().size(), 2u);
  const ScoreGroup& group = summary.by_runner_and_model().at("agent_m");
  EXPECT_EQ(group.passes.total, 2u);
  EXPECT_EQ(group.score.Mean(), 0.75);
  EXPECT_EQ(group.min, 0.5);
  EXPECT_EQ(group.max, 1);
  EXPECT_EQ(group.metrics[0].Mean(), 0.75);
  EXPECT_EQ(group.metrics[1].count, 0u);
  EXPECT_EQ(group.metrics[2].Mean(), 3);
  const ScoreGroup& other = summary.by_runner_and_model().at("agent_unknown");
  EXPECT_EQ(other.score.count, 0u);
  EXPECT_EQ(other.outcomes.unreadable, 1u);
  EXPECT_EQ(summary.by_scenario_type().at("iot").total, 2u);
  EXPECT_EQ(summary.by_scenario_type().at("unknown").passed, 1u);

  summary.trajectory_files = 4;
  EXPECT_FALSE(summary.CountsAddUp());
  summary.not_selected = 1;
  EXPECT_TRUE(summary.CountsAddUp());
}

}  // namespace
}  // namespace leafscore::internal
