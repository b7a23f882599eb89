#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class EasyAnswersTest : public LintTest {};

TEST_F(EasyAnswersTest, EachGetsTheScoreThatTheScorerGives) {
  const LintReport report = Lint(Plan({"json_similarity"}),
                                 "{\"id\": 1, \"expected\": {\"a\": null, \"b\": \"x\"}}\n"
                                 "{\"id\": 2, \"expected\": {\"a\": null, \"b\": \"y\"}}\n");
  const LintAnswer nulls = Figures(report, "null_values", "json_similarity");
  EXPECT_EQ(nulls.asked, 2u);
  EXPECT_EQ(nulls.scored, 2u);
  EXPECT_EQ(nulls.mean, 0.5);
  EXPECT_EQ(nulls.passed, 2u);
  EXPECT_EQ(nulls.wrong_passed, 2u);
  const LintAnswer other = Figures(report, "other_gold", "json_similarity");
  EXPECT_EQ(other.mean, 0.5);
  EXPECT_EQ(other.wrong_passed, 2u);
  EXPECT_EQ(Figures(report, "empty_object", "json_similarity").mean, 0.0);
  const auto found = Find(report, LintKind::kEasyAnswer, "json_similarity", "null_values");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(found[0].ids.first, Ids({"1", "2"}));
  EXPECT_TRUE(Find(report, LintKind::kEasyAnswer, "json_similarity", "empty_object").empty());
}

TEST_F(EasyAnswersTest, PassScoreIsForScorersWithoutAVerdict) {
  const std::string gold =
      "{\"id\": 1, \"expected\": {\"a\": null, \"b\": \"x\"}}\n"
      "{\"id\": 2, \"expected\": {\"a\": null, \"b\": \"y\"}}\n";
  options_.pass_score = 0.75;
  EXPECT_EQ(Figures(Lint(Plan({"json_similarity"}), gold), "null_values", "json_similarity").passed, 0u);
  options_.pass_score = 1.5;
  EXPECT_THROW(Lint(Plan({"json_similarity"}), gold), Error);
}

TEST_F(EasyAnswersTest, NumbersInProseAreReadAsCounts) {
  const LintReport report = Lint(Plan({"static_json", "exact_match"}),
                                 "{\"id\": 1, \"expected\": 34}\n"
                                 "{\"id\": 2, \"expected\": \"There are 5 pumps\"}\n"
                                 "{\"id\": 3, \"expected\": \"from 5 to 6\"}\n"
                                 "{\"id\": 4, \"expected\": {\"n\": 7}}\n"
                                 "{\"id\": 5, \"expected\": \"none\"}\n");
  const LintAnswer prose = Figures(report, "number_in_prose", "static_json");
  EXPECT_EQ(prose.asked, 2u);
  EXPECT_EQ(prose.wrong_passed, 2u);
  EXPECT_EQ(prose.mean, 1.0);
  EXPECT_EQ(Figures(report, "number_in_prose", "exact_match").wrong_passed, 0u);
  const auto found = Find(report, LintKind::kEasyAnswer, "static_json", "number_in_prose");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ids.first, Ids({"1", "2"}));
}

TEST_F(EasyAnswersTest, TheMostCommonGoldIsRightWhereItIsTheGold) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"expected\": {\"a\": 1, \"b\": 2}}\n"
                                 "{\"id\": 2, \"expected\": {\"b\": 2, \"a\": 1}}\n"
                                 "{\"id\": 3, \"expected\": {\"a\": 1}}\n");
  const LintAnswer common = Figures(report, "most_common_gold", "exact_match");
  EXPECT_EQ(common.passed, 2u);
  EXPECT_EQ(common.wrong_passed, 0u);
  const auto found = Find(report, LintKind::kEasyAnswer, "exact_match", "most_common_gold");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(found[0].numbers[0].second, 2.0 / 3);
}

TEST_F(EasyAnswersTest, ScorersThatDoNotSeeWhatAnAnswerAddsAreTold) {
  const LintReport report = Lint(Plan({"json_similarity", "json_diff", "exact_match", "contains"}),
                                 "{\"id\": 1, \"expected\": {\"a\": \"x\", \"b\": [1, 2]}}\n"
                                 "{\"id\": 2, \"expected\": \"red\"}\n"
                                 "{\"id\": 3, \"expected\": \"blue\"}\n");
  const auto similar = Find(report, LintKind::kEasyAnswer, "json_similarity", "superset");
  ASSERT_EQ(similar.size(), 1u);
  EXPECT_EQ(similar[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(similar[0].ids.first, Ids({"1"}));
  const auto contains = Find(report, LintKind::kEasyAnswer, "contains", "superset");
  ASSERT_EQ(contains.size(), 1u);
  EXPECT_TRUE(std::ranges::count(contains[0].ids.first, "2") +
              std::ranges::count(contains[0].ids.first, "3"));
  EXPECT_TRUE(Find(report, LintKind::kEasyAnswer, "json_diff", "superset").empty());
  EXPECT_TRUE(Find(report, LintKind::kEasyAnswer, "exact_match", "superset").empty());
  EXPECT_TRUE(Find(report, LintKind::kUnseenAddition).empty());  // superset tells it already
  EXPECT_GE(Figures(report, "superset", "json_diff").asked, 1u);
}

TEST_F(EasyAnswersTest, AnAdditionThatIsSeenInOnePlaceOnlyIsTold) {
  // The field is compared whole; what stands beside it is not looked at.
  const LintReport report =
      Lint(Plan::FromConfig("scorers: [{type: field_accuracy, fields: [{path: a, match: exact}]}]"),
           "{\"id\": 1, \"expected\": {\"a\": [\"x\"]}}\n"
           "{\"id\": 2, \"expected\": {\"a\": \"y\"}}\n");
  const auto superset = Find(report, LintKind::kEasyAnswer, "field_accuracy", "superset");
  ASSERT_EQ(superset.size(), 1u);
  EXPECT_EQ(superset[0].ids.first, Ids({"2"}));
  ExpectIds(report, LintKind::kUnseenAddition, LintSeverity::kNote, {"1"});
}

TEST_F(EasyAnswersTest, GoldThatIsJsonInATextIsAddedToWithinIt) {
  const LintReport report = Lint(Plan({"json_similarity"}),
                                 "{\"id\": 1, \"expected\": \"{\\\"a\\\": 1}\"}\n"
                                 "{\"id\": 2, \"expected\": \"{\\\"a\\\": 2}\"}\n");
  EXPECT_EQ(Figures(report, "superset", "json_similarity").mean, 1.0);
  const auto found = Find(report, LintKind::kEasyAnswer, "json_similarity", "superset");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].ids.count, 2u);
}

TEST_F(EasyAnswersTest, ThePassScoreIsNamedWhereItDecides) {
  const LintReport report = Lint(Plan({"json_similarity"}),
                                 "{\"id\": 1, \"expected\": {\"a\": null, \"b\": \"x\"}}\n"
                                 "{\"id\": 2, \"expected\": {\"a\": null, \"b\": \"y\"}}\n");
  const auto found = Find(report, LintKind::kEasyAnswer, "json_similarity", "null_values");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].message.find("passes 2 of them (with a score of at least 0.5) without"),
            std::string::npos)
      << found[0].message;
}

TEST_F(EasyAnswersTest, WhereAllGoldDiffersThereIsNoMostCommon) {
  const LintReport report =
      Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n{\"id\": 2, \"expected\": 2}\n");
  EXPECT_EQ(Figures(report, "most_common_gold", "exact_match").asked, 0u);
}

TEST_F(EasyAnswersTest, TheQuestionIsPutOnlyToRecordsThatHaveOne) {
  const LintReport report = Lint(Plan({"contains"}),
                                 "{\"id\": 1, \"input\": \"Is it red or blue?\", \"expected\": \"red\"}\n"
                                 "{\"id\": 2, \"expected\": \"blue\"}\n");
  const LintAnswer question = Figures(report, "question", "contains");
  EXPECT_EQ(question.asked, 1u);
  EXPECT_EQ(question.wrong_passed, 1u);
}

TEST_F(EasyAnswersTest, EveryRecordGetsTheGoldOfAnother) {
  // All gold differs, so exact_match passes none; and each gold is given once, so the sum over contains of
  // the ids is known: every answer is one of them.
  std::string gold;
  for (int i = 0; i < 50; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": " + n + "}\n";
  }
  const LintAnswer other = Figures(Lint(Plan({"exact_match"}), gold), "other_gold", "exact_match");
  EXPECT_EQ(other.asked, 50u);
  EXPECT_EQ(other.passed, 0u);
}

TEST_F(EasyAnswersTest, ASingleRecordHasNoOther) {
  const LintReport report = Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n");
  EXPECT_EQ(Figures(report, "other_gold", "exact_match").asked, 0u);
}

TEST_F(EasyAnswersTest, ThreadsAndTheOrderOfTheGoldDoNotMatter) {
  std::string gold;
  std::string backwards;
  for (int i = 0; i < 3000; ++i) {
    const std::string n = std::to_string(i);
    const std::string line = "{\"id\": \"k" + n + "\", \"expected\": {\"a\": " + std::to_string(i % 7) +
                             ", \"b\": \"" + std::string(static_cast<std::size_t>(i % 50), 'x') + n +
                             "\"}}\n";
    gold += line;
    backwards.insert(0, line);
  }
  const Plan plan({"json_similarity", "levenshtein"});
  options_.files.threads = 1;
  const LintReport base = Lint(plan, gold);
  options_.files.threads = 4;
  EXPECT_EQ(RenderLint(Lint(plan, gold), LintFormat::kJson), RenderLint(base, LintFormat::kJson));
  // Which gold another record has depends on the ids alone; sums of scores differ in their last bits.
  const LintReport reversed = Lint(plan, backwards);
  ASSERT_EQ(reversed.answers.size(), base.answers.size());
  for (std::size_t a = 0; a < base.answers.size(); ++a) {
    EXPECT_EQ(reversed.answers[a].wrong_passed, base.answers[a].wrong_passed) << base.answers[a].answer;
    EXPECT_NEAR(*reversed.answers[a].mean, *base.answers[a].mean, 1e-12) << base.answers[a].answer;
  }
}

}  // namespace
}  // namespace leafscore::internal
