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

AgentScore Scored(double score, std::int8_t passed) {
  AgentScore scored;
  scored.score = score;
  scored.passed = passed;
  return scored;
}

TEST(EvaluationSummary, HasNoPassRateWithoutVerdicts) {
  EvaluationSummary summary(std::vector<EvaluationSummary::ScorerInfo>(1));
  const auto pass_rate = [&] {
    EvaluationReport report;
    summary.FillIn(report);
    return report.matched.pass_rate;
  };
  EXPECT_EQ(pass_rate(), std::nullopt);
  summary.Add("", {}, Scored(0, -1));
  EXPECT_EQ(pass_rate(), std::nullopt);
  summary.Add("", {}, Scored(1, 1));
  EXPECT_EQ(pass_rate(), 0.5);
}

TEST(EvaluationSummary, AveragesEachMetricOverTheRunsThatHaveIt) {
  EvaluationSummary summary({{"first", {"f1", "keys"}}, {"second", {"distance", "f1"}}});
  Trajectory run;
  run.runner = "agent";
  run.model = "m";
  AgentScore score = Scored(0.5, 0);
  score.metrics = {0.5, std::numeric_limits<double>::quiet_NaN()};
  summary.Add("iot", run, score);
  score = Scored(1, 1);
  score.scorer = 1;
  score.metrics = {3, 1};
  summary.Add("", run, score);
  score = Scored(0, 0);
  score.outcome = Outcome::kUnreadable;
  run.model.reset();
  summary.Add("iot", run, score);

  EvaluationReport report;
  report.trajectory_files = 4;
  summary.FillIn(report);
  EXPECT_FALSE(report.counts_add_up);
  ASSERT_EQ(report.by_runner_and_model.size(), 2u);
  const EvaluatedRuns& runs = report.by_runner_and_model[0];
  EXPECT_EQ(runs.name, "agent_m");
  EXPECT_EQ(runs.runs, 2u);
  EXPECT_EQ(runs.mean, 0.75);
  EXPECT_EQ(runs.min, 0.5);
  EXPECT_EQ(runs.max, 1);
  ASSERT_EQ(runs.metrics.size(), 3u);
  EXPECT_EQ(runs.metrics[0].name, "f1");
  EXPECT_EQ(runs.metrics[0].mean, 0.75);
  EXPECT_EQ(runs.metrics[1].name, "keys");
  EXPECT_EQ(runs.metrics[1].mean, std::nullopt);
  EXPECT_EQ(runs.metrics[2].mean, 3);
  const EvaluatedRuns& other = report.by_runner_and_model[1];
  EXPECT_EQ(other.name, "agent_unknown");
  EXPECT_EQ(other.mean, std::nullopt);
  EXPECT_EQ(other.unreadable, 1u);
  ASSERT_EQ(report.by_scenario_type.size(), 2u);
  EXPECT_EQ(report.by_scenario_type[0].runs, 2u);
  EXPECT_EQ(report.by_scenario_type[1].name, "unknown");
  EXPECT_EQ(report.by_scenario_type[1].passed, 1u);

  EvaluationReport complete;
  complete.trajectory_files = 4;
  complete.not_selected = 1;
  summary.FillIn(complete);
  EXPECT_TRUE(complete.counts_add_up);
}

}  // namespace
}  // namespace leafscore::internal
