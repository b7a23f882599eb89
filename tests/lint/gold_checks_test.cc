#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class GoldChecksTest : public LintTest {};

TEST_F(GoldChecksTest, SoundGoldHasNoErrorsAndNoWarnings) {
  const LintReport report = Lint(Plan({"exact_match", "json_similarity"}),
                                 "{\"id\": 1, \"question\": \"a\", \"expected\": {\"x\": \"apple\"}}\n"
                                 "{\"id\": 2, \"question\": \"b\", \"expected\": {\"x\": \"quince\"}}\n"
                                 "{\"id\": 3, \"question\": \"c\", \"expected\": {\"x\": \"fog\"}}\n");
  EXPECT_EQ(report.Count(LintSeverity::kError), 0u);
  EXPECT_EQ(report.Count(LintSeverity::kWarning), 0u);
  EXPECT_EQ(report.records, 3u);
  EXPECT_EQ(report.judged, 3u);
}

TEST_F(GoldChecksTest, RecordsThatCannotBeJudgedAreErrors) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": \"a\", \"expected\": 1}\n"
                                 "{broken\n"
                                 "{\"expected\": 2}\n"
                                 "{\"id\": \"b\"}\n"
                                 "[1]\n"
                                 "{\"id\": null, \"expected\": 3}\n");
  ExpectIds(report, LintKind::kUnreadableGold, LintSeverity::kError, {"record 2", "record 5"});
  ExpectIds(report, LintKind::kMissingId, LintSeverity::kError, {"record 3", "record 6"});
  ExpectIds(report, LintKind::kMissingExpected, LintSeverity::kError, {"b"});
  EXPECT_EQ(report.records, 6u);
  EXPECT_EQ(report.judged, 3u);
}

TEST_F(GoldChecksTest, OneIdWithOneValueIsAWarningAndWithTwoAnError) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"expected\": {\"a\": 1, \"b\": 2}}\n"
                                 "{\"id\": \"1\", \"expected\": {\"b\": 2.0, \"a\": 1}}\n"
                                 "{\"id\": 2, \"expected\": \"x\"}\n"
                                 "{\"id\": 2, \"expected\": \"y\"}\n");
  ExpectIds(report, LintKind::kRepeatedId, LintSeverity::kWarning, {"1"});
  ExpectIds(report, LintKind::kContradictoryId, LintSeverity::kError, {"2"});
}

TEST_F(GoldChecksTest, QuestionsThatComeAgainAreToldApartByWhatTheyExpect) {
  const std::string gold =
      "{\"id\": 1, \"prompt\": \"p\", \"q\": 1, \"expected\": 1}\n"
      "{\"id\": 2, \"prompt\": \"p\", \"q\": 2, \"expected\": 1.0}\n"
      "{\"id\": 3, \"prompt\": \"p\", \"q\": 3, \"expected\": 2}\n"
      "{\"id\": 3, \"prompt\": \"p\", \"q\": 4, \"expected\": 2}\n"
      "{\"id\": 4, \"question\": \"r\", \"prompt\": \"p\", \"q\": 5, \"expected\": 3}\n";
  LintReport report = Lint(Plan({"exact_match"}), gold);
  ExpectIds(report, LintKind::kRepeatedQuestion, LintSeverity::kWarning, {"2"});
  ExpectIds(report, LintKind::kContradictoryQuestion, LintSeverity::kError, {"3", "3"});
  options_.question_field = "q";
  report = Lint(Plan({"exact_match"}), gold);
  EXPECT_TRUE(Find(report, LintKind::kRepeatedQuestion).empty());
  EXPECT_TRUE(Find(report, LintKind::kContradictoryQuestion).empty());
}

TEST_F(GoldChecksTest, BlankQuestionsAreNone) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"input\": \"\", \"expected\": 1}\n"
                                 "{\"id\": 2, \"input\": \"\", \"expected\": 2}\n"
                                 "{\"id\": 3, \"input\": null, \"expected\": 3}\n"
                                 "{\"id\": 4, \"input\": null, \"expected\": 4}\n");
  EXPECT_TRUE(Find(report, LintKind::kContradictoryQuestion).empty());
  EXPECT_EQ(Figures(report, "question", "exact_match").asked, 0u);
}

TEST_F(GoldChecksTest, FieldsThatNoRecordHasEndTheRun) {
  options_.question_field = "questoin";
  try {
    Lint(Plan({"exact_match"}), "{\"id\": 1, \"question\": \"p\", \"expected\": 1}\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_NE(std::string(error.what()).find("did you mean \"question\""), std::string::npos) << error.what();
  }
}

TEST_F(GoldChecksTest, GoldWithoutARecordToJudgeEndsTheRun) {
  EXPECT_THROW(Lint(Plan({"exact_match"}), ""), Error);
  EXPECT_THROW(Lint(Plan({"exact_match"}), "{broken\n"), Error);
}

TEST_F(GoldChecksTest, GoldMustScoreOneAgainstItself) {
  // An object without the path cannot be scored; a negated scorer fails what is right.
  const Plan plan = Plan::FromConfig(
      "scorers:\n"
      "  - {name: keyed, type: json_similarity, target_output_key: a}\n"
      "  - {name: not, type: exact_match, negated: true}\n");
  const LintReport report = Lint(plan,
                                 "{\"id\": 1, \"expected\": {\"a\": 1}}\n"
                                 "{\"id\": 2, \"expected\": {\"b\": 1}}\n");
  const auto unscorable = Find(report, LintKind::kUnscorableGold, "keyed");
  ASSERT_EQ(unscorable.size(), 1u);
  EXPECT_EQ(unscorable[0].severity, LintSeverity::kError);
  EXPECT_EQ(unscorable[0].ids.first, Ids({"2"}));
  const auto imperfect = Find(report, LintKind::kGoldNotPerfect, "not");
  ASSERT_EQ(imperfect.size(), 1u);
  EXPECT_EQ(imperfect[0].severity, LintSeverity::kError);
  EXPECT_EQ(imperfect[0].ids.first, Ids({"1", "2"}));
}

TEST_F(GoldChecksTest, GoldOfWhichNothingIsComparedIsAWarning) {
  const LintReport report = Lint(Plan({"json_similarity"}),
                                 "{\"id\": 1, \"expected\": {}}\n{\"id\": 2, \"expected\": {\"b\": 1}}\n");
  ExpectIds(report, LintKind::kNothingCompared, LintSeverity::kWarning, {"1"});
  // That any answer passes there is not told again for each.
  EXPECT_TRUE(Find(report, LintKind::kEasyAnswer, "", "empty_array").empty());
}

TEST_F(GoldChecksTest, PathsInOptionsThatLeadNowhereAreErrors) {
  const Plan plan = Plan::FromConfig(
      "scorers: [{type: field_accuracy, fields: [{path: total}, {path: totl}]}, {type: json_similarity, "
      "ignore_paths: [x.y]}]");
  const LintReport report = Lint(plan, "{\"id\": 1, \"expected\": {\"total\": 1}}\n");
  ASSERT_EQ(Find(report, LintKind::kAbsentPath).size(), 2u);
  EXPECT_EQ(Find(report, LintKind::kAbsentPath, "field_accuracy")[0].paths.first, Ids({"totl"}));
  EXPECT_EQ(Find(report, LintKind::kAbsentPath, "json_similarity")[0].paths.first, Ids({"x.y"}));
}

TEST_F(GoldChecksTest, LeavesThatNeverVaryAreToldWithWhatTheyEarn) {
  // Half of all leaves are the same everywhere: an answer of them alone is half right.
  std::string gold;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": {\"unit\": \"kg\", \"rows\": [{\"c\": 1, \"d\": \"" +
            "abcd"[i] + std::string("\"}], \"n\": ") + (n + n) + "}}\n";
  }
  const LintReport report = Lint(Plan({"json_similarity", "exact_match"}), gold);
  const auto found = Find(report, LintKind::kConstantPath);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(found[0].paths.first, Ids({"unit", "rows[*].c"}));
  EXPECT_EQ(found[0].scorer, "json_similarity");
  ASSERT_EQ(found[0].numbers.size(), 2u);
  EXPECT_EQ(found[0].numbers[0], std::pair(std::string("share_of_leaves"), 0.5));
  EXPECT_EQ(found[0].numbers[1], std::pair(std::string("mean"), 0.5));
  EXPECT_EQ(Figures(report, "constant_leaves", "exact_match").mean, 0.0);
}

TEST_F(GoldChecksTest, ASubtreeInOneOfAHundredRecordsIsToldByItsRoot) {
  std::string gold;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": {\"total\": " + n + (i == 7 ? ", \"totl\": {\"x\": 1}" : "") +
            "}}\n";
  }
  const LintReport report = Lint(Plan({"json_similarity"}), gold);
  const auto found = Find(report, LintKind::kRarePath);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kNote);
  EXPECT_EQ(found[0].paths.first, Ids({"totl"}));
}

TEST_F(GoldChecksTest, FindingsAreSortedBySeverityAndListTenIds) {
  std::string gold;
  for (int i = 0; i < 30; ++i) gold += "{\"id\": 1, \"expected\": " + std::to_string(i) + "}\n";
  const LintReport report = Lint(Plan({"json_similarity"}), gold);
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, LintKind::kContradictoryId);
  EXPECT_EQ(report.findings[0].ids.count, 29u);
  EXPECT_EQ(report.findings[0].ids.first.size(), 10u);
  for (std::size_t f = 1; f < report.findings.size(); ++f) {
    EXPECT_LE(report.findings[f].severity, report.findings[f - 1].severity);
  }
}

}  // namespace
}  // namespace leafscore::internal
