#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class AnswerChecksTest : public LintTest {
 protected:
  static std::string Answer(const std::string& id, const std::string& actual) {
    return "{\"id\": " + id + ", \"actual\": " + actual + "}\n";
  }

  const Plan plan_ = Plan({"exact_match"});
  const std::string gold_ =
      "{\"id\": 1, \"expected\": \"a\"}\n"
      "{\"id\": 2, \"expected\": \"b\"}\n"
      "{\"id\": 3, \"expected\": \"c\"}\n"
      "{\"id\": 4, \"expected\": \"d\"}\n";
};

TEST_F(AnswerChecksTest, IdsOfOneSideOnly) {
  const LintReport report = Lint(plan_, gold_,
                                 {Answer("1", "\"a\"") + Answer("9", "\"x\"") + "{broken\n{\"actual\": 1}\n",
                                  Answer("\"2\"", "\"x\"") + "{\"id\": 3}\n"});
  ExpectIds(report, LintKind::kUnansweredGold, LintSeverity::kWarning, {"3", "4"});
  ExpectIds(report, LintKind::kAnswerWithoutGold, LintSeverity::kWarning, {"9", "record 4"});
  EXPECT_EQ(Find(report, LintKind::kAnswerWithoutGold)[0].source, "a");
  ExpectIds(report, LintKind::kUnreadableAnswer, LintSeverity::kWarning, {"record 3"});
}

TEST_F(AnswerChecksTest, AnswersThatAreAllTheSame) {
  const LintReport report =
      Lint(plan_, gold_,
           {Answer("1", "{\"x\": 1, \"y\": 2}") + Answer("2", "{\"y\": 2, \"x\": 1}") +
                Answer("3", "{\"x\":1,\"y\":2}"),
            Answer("1", "1") + Answer("2", "1") + Answer("3", "2"), Answer("1", "1") + Answer("2", "1")});
  const auto found = Find(report, LintKind::kConstantAnswer);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].source, "a");
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
}

TEST_F(AnswerChecksTest, PathsThatNoAnswerHasAreToldByTheirRoots) {
  const std::string gold = "{\"id\": 1, \"expected\": {\"a\": {\"b\": 1, \"c\": 2}, \"d\": {\"e\": 3}}}\n";
  LintReport report = Lint(plan_, gold, {Answer("1", "{\"a\": {\"b\": 2}, \"f\": {\"e\": 3}}")});
  ASSERT_EQ(Find(report, LintKind::kNeverAnsweredPath).size(), 1u);
  EXPECT_EQ(Find(report, LintKind::kNeverAnsweredPath)[0].paths.first, Ids({"a.c", "d"}));
  // Another model has them.
  report = Lint(plan_, gold,
                {Answer("1", "{\"a\": {\"b\": 2}}"), Answer("1", "{\"a\": {\"c\": 2}, \"d\": {\"e\": 1}}")});
  EXPECT_TRUE(Find(report, LintKind::kNeverAnsweredPath).empty());
  // Texts have no paths to look for.
  report = Lint(plan_, gold, {Answer("1", "\"{}\"")});
  EXPECT_TRUE(Find(report, LintKind::kNeverAnsweredPath).empty());
}

TEST_F(AnswerChecksTest, RecordsOnWhichAllModelsAgree) {
  const std::string first =
      Answer("1", "\"x\"") + Answer("2", "\"b\"") + Answer("3", "\"x\"") + Answer("4", "\"d\"");
  // The last answer to an id counts; 4 is answered by one model only.
  const std::string second =
      Answer("1", "\"a\"") + Answer("1", "\"y\"") + Answer("2", "\"b\"") + Answer("3", "\"c\"");
  const LintReport report = Lint(plan_, gold_, {first, second});
  ExpectIds(report, LintKind::kFailedByAll, LintSeverity::kWarning, {"1"});
  ExpectIds(report, LintKind::kPassedByAll, LintSeverity::kNote, {"2"});
}

TEST_F(AnswerChecksTest, ASingleModelSaysNothingOfTheGold) {
  const LintReport report = Lint(plan_, gold_, {Answer("1", "\"x\"") + Answer("2", "\"b\"")});
  EXPECT_TRUE(Find(report, LintKind::kFailedByAll).empty());
  EXPECT_TRUE(Find(report, LintKind::kPassedByAll).empty());
}

TEST_F(AnswerChecksTest, CallsMayHaveAFieldOfTheirOwn) {
  const std::string gold = "{\"id\": 1, \"expected\": [\"f\"]}\n{\"id\": 2, \"expected\": [\"g\"]}\n";
  const std::string messages = R"([{"role": "assistant", "tool_calls": [{"id": "c", "type": "function",)"
                               R"( "function": {"name": "g", "arguments": "{}"}}]}])";
  // The first model says "f" and calls g, the second one calls f and g and says nothing.
  const std::string says = R"({"id": 1, "actual": "f", "run": {"calls": )" + messages + "}}\n" +
                           R"({"id": 2, "actual": "f", "run": {"calls": )" + messages + "}}\n";
  const std::string calls =
      "{\"id\": 1, \"run\": {\"calls\": [\"f\"]}}\n{\"id\": 2, \"run\": {\"calls\": " + messages + "}}\n";
  options_.files.calls_field = "run.calls";
  const LintReport report = Lint(Plan({"tool_calls", "exact_match"}), gold, {says, calls, says});
  EXPECT_TRUE(Find(report, LintKind::kUnansweredGold).empty());
  EXPECT_TRUE(Find(report, LintKind::kNeverAnsweredPath).empty());
  const auto passed = Find(report, LintKind::kPassedByAll);
  ASSERT_EQ(passed.size(), 1u);
  EXPECT_EQ(passed[0].scorer, "tool_calls");
  EXPECT_EQ(passed[0].ids.first, Ids({"2"}));
  // Whoever says nothing is not counted among those who fail.
  const auto failed = Find(report, LintKind::kFailedByAll);
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].scorer, "exact_match");
  EXPECT_EQ(failed[0].ids.first, Ids({"1", "2"}));
  // What is said of the gold does not depend on the field.
  options_.files.calls_field.clear();
  const LintReport without = Lint(Plan({"tool_calls", "exact_match"}), gold);
  ASSERT_EQ(without.answers.size(), report.answers.size());
  for (std::size_t i = 0; i < report.answers.size(); ++i) {
    EXPECT_EQ(report.answers[i].mean, without.answers[i].mean) << report.answers[i].answer;
  }
}

TEST_F(AnswerChecksTest, AnswersWithOtherCallsAreNotTheSame) {
  const auto answers = [](const std::string& last) {
    return "{\"id\": 1, \"actual\": \"x\", \"run\": [\"f\"]}\n{\"id\": 2, \"actual\": \"x\", \"run\": "
           "[\"f\"]}\n"
           "{\"id\": 3, \"actual\": \"x\", \"run\": " +
           last + "}\n";
  };
  options_.files.calls_field = "run";
  const LintReport report = Lint(plan_, gold_, {answers("[\"f\"]"), answers("[\"g\"]")});
  const auto found = Find(report, LintKind::kConstantAnswer);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].source, "a");
  EXPECT_EQ(found[0].message, R"(All 3 answers of a are the same: "x" with the calls ["f"].)");
}

TEST_F(AnswerChecksTest, OfGoldWithOneIdTheLastIsAnswered) {
  const LintReport report =
      Lint(plan_, gold_ + "{\"id\": 1, \"expected\": \"z\"}\n", {Answer("1", "\"z\""), Answer("1", "\"z\"")});
  ExpectIds(report, LintKind::kPassedByAll, LintSeverity::kNote, {"1"});
  ExpectIds(report, LintKind::kUnansweredGold, LintSeverity::kWarning, {"2", "3", "4"});
}

TEST_F(AnswerChecksTest, AFieldThatNoAnswerHasEndsTheRun) {
  EXPECT_THROW(Lint(plan_, gold_, {"{\"id\": 1, \"anwser\": 1}\n"}), Error);
}

TEST_F(AnswerChecksTest, WhereNearlyAllFailTheThresholdIsToBeLookedAt) {
  std::string gold;
  std::string answers;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": \"g" + n + "\"}\n";
    answers += "{\"id\": " + n + ", \"actual\": \"" + (i == 0 ? "g0" : "none") + "\"}\n";
  }
  const LintReport report = Lint(Plan({"exact_match"}), gold, {answers, answers});
  const auto found = Find(report, LintKind::kFailedByAll);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ids.count, 19u);
  EXPECT_NE(found[0].advice.find("--pass-score"), std::string::npos) << found[0].advice;
}

}  // namespace
}  // namespace leafscore::internal
