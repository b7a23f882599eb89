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
