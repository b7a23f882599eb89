#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "leafscore/report.h"

namespace leafscore::internal {
namespace {

std::string Refusal(const Gates& gates) {
  RunReport report;
  report.scorers.push_back({.scorer = "s", .figures = {.asked = 1, .scored = 1}});
  try {
    FailedGates(report, gates);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    return error.what();
  }
  return "none";
}

TEST(Gates, ThatAreNoNumbersAreRefused) {
  const std::string message = "a gate is NaN, which nothing reaches; give a number";
  EXPECT_EQ(Refusal({.fail_under = {{.least = std::nan("")}}}), message);
  EXPECT_EQ(Refusal({.min_pass_rate = {{"s", 0.5}, {"s", std::nan("")}}}), message);
  EXPECT_EQ(Refusal({.min_coverage = std::nan("")}), message);
  EXPECT_EQ(Refusal({.max_errors = ErrorLimit{.share = std::nan("")}}), message);
  EXPECT_EQ(Refusal({.fail_under = {{.least = INFINITY}}, .max_errors = ErrorLimit{.share = 0.5}}), "none");
}

// Records without a score are in no count of such a figure.
TEST(Gates, TakeAFigureByClassesForTheShareOfRecordsThatHaveAScore) {
  RunReport report;
  report.scorers.push_back({.scorer = "k",
                            .figures = {.asked = 40, .scored = 4, .unreadable = 36, .coverage = 0.1},
                            .class_figure = 1.0});
  report.final_score = {
      .score = 0.8,
      .parts = {{.scorer = "k", .weight = 1, .average = 1.0}, {.scorer = "s", .weight = 1, .average = 0.6}}};
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"k", 0.1}, {"final", 0.35}}}), std::vector<std::string>());
  EXPECT_EQ(
      FailedGates(report, {.fail_under = {{"k", 0.2}, {"final", 0.75}}}),
      (std::vector<std::string>{
          "the final score over all that was asked is 0.35, 0.4 under 0.75",
          "the figure by classes of k over all that was asked is 0.1, 0.1 under 0.2; 36 of 40 records have "
          "no score"}));
}

}  // namespace
}  // namespace leafscore::internal
