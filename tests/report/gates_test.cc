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
  const std::string message = "a gate is NaN, which no figure reaches; give a number";
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
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"k", 0.2}, {"final", 0.75}}}),
            (std::vector<std::string>{
                "the final score over all that was asked is 0.35, 0.4 under 0.75",
                "the figure by classes of k over all that was asked is 0.1 (over 40 records), 0.1 under 0.2; "
                "36 of 40 records have no score"}));
}

RunReport NineOfTen() {
  RunReport report;
  Figures figures = {.asked = 10, .scored = 10, .coverage = 1.0, .passed = 9, .effective_records = 10};
  figures.over_all.mean = 0.95;
  figures.over_all.mean_interval = {0.6, 0.99};
  figures.over_all.pass_rate = 0.9;
  figures.over_all.pass_interval = {0.5958, 0.9821};
  report.scorers.push_back({.scorer = "s", .figures = figures});
  return report;
}

// Nine of ten held "at least 0.9" without a word of how little ten records tell.
TEST(Gates, TellHowSureTheirFiguresAre) {
  const std::vector<GateCheck> checks = HoldGates(NineOfTen(), {.min_pass_rate = {{"", 0.9}}});
  ASSERT_EQ(checks.size(), 2u);  // and the errors
  EXPECT_TRUE(checks[0].passed);
  EXPECT_EQ(checks[0].gate, "min-pass-rate 0.9");
  EXPECT_EQ(checks[0].records, 10u);
  EXPECT_EQ(checks[0].sentence,
            "the pass rate of s over all that was asked is 0.9 (95% from 0.5958 to 0.9821, over 10 records); "
            "0.9 was wanted");
  EXPECT_EQ(checks[1].sentence, "0 errors of s in 10 records asked for are no more than 0");
}

TEST(Gates, ThatAreSureHoldTheLowerEndOfTheInterval) {
  const RunReport report = NineOfTen();
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"s", 0.5}}, .sure = true}), std::vector<std::string>());
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"s", 0.9}}, .min_coverage = 1, .sure = true}),
            std::vector<std::string>{"the mean of s over all that was asked is 0.95 (95% from 0.6000 to "
                                     "0.9900, over 10 records), but it may be 0.3000 under 0.9"});
  RunReport unknown = report;
  unknown.scorers[0].figures.over_all.mean_interval.reset();
  EXPECT_EQ(FailedGates(unknown, {.fail_under = {{"s", 0.5}}, .sure = true}),
            std::vector<std::string>{"the mean of s over all that was asked is 0.95 (over 10 records), and "
                                     "how sure it is that it reaches 0.5 is not known"});
  EXPECT_EQ(Refusal({.min_coverage = 0.5, .sure = true}),
            "no gate can be sure: that needs a least mean or a least pass rate");
}

TEST(Gates, NameTheThreeCommonestCauses) {
  RunReport report = NineOfTen();
  using Kind = FailureCause::Kind;
  report.scorers[0].causes = {
      {.kind = Kind::kReason, .reason = RejectReason::kNoAnswer, .records = 4, .example = "q1"},
      {.kind = Kind::kField, .field = "total", .records = 3, .example = "q7"},
      {.kind = Kind::kAnswer, .answer = AnswerCause::kCutOff, .records = 2, .example_record = 9},
      {.kind = Kind::kOther, .records = 1, .example = "q2"}};
  EXPECT_EQ(FailedGates(report, {.fail_under = {{"s", 0.96}}}),
            std::vector<std::string>{
                "the mean of s over all that was asked is 0.95 (95% from 0.6000 to 0.9900, over 10 records), "
                "0.01 under 0.96; most often: no_answer 4 (\"q1\"), field total 3 (\"q7\"), cut off 2 "
                "(record 9)"});
}

TEST(Gates, AScorerThatIsNotThereIsGuessed) {
  RunReport report;
  report.scorers.push_back({.scorer = "json_similarity", .figures = {.asked = 1, .scored = 1}});
  report.group_fields = {"topic"};
  const auto message = [&](const Gates& gates) -> std::string {
    try {
      FailedGates(report, gates);
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(message({.fail_under = {{"json_similarty", 0.5}}}),
            "there is no scorer \"json_similarty\" for a gate; did you mean \"json_similarity\"?");
  EXPECT_EQ(message({.fail_under = {{"", 0.5}}, .by = {"topics"}}),
            "there are no groups by \"topics\" for gates; group the records by it; did you mean "
            "\"topic\"?");
}

}  // namespace
}  // namespace leafscore::internal
