#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class RecordChecksTest : public LintTest {};

TEST_F(RecordChecksTest, SoundGoldHasNoErrorsAndNoWarnings) {
  options_.accept = {"easy_answer:json_similarity:superset"};  // which is of the scorer, not of the gold
  const LintReport report = Lint(Plan({"exact_match", "json_similarity"}),
                                 "{\"id\": 1, \"question\": \"a\", \"expected\": {\"x\": \"apple\"}}\n"
                                 "{\"id\": 2, \"question\": \"b\", \"expected\": {\"x\": \"quince\"}}\n"
                                 "{\"id\": 3, \"question\": \"c\", \"expected\": {\"x\": \"fog\"}}\n");
  EXPECT_EQ(report.Count(LintSeverity::kError), 0u);
  EXPECT_EQ(report.Count(LintSeverity::kWarning), 0u);
  EXPECT_EQ(report.records, 3u);
  EXPECT_EQ(report.judged, 3u);
}

TEST_F(RecordChecksTest, RecordsThatCannotBeJudgedAreErrors) {
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

TEST_F(RecordChecksTest, OneIdWithOneValueIsAWarningAndWithTwoAnError) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"expected\": {\"a\": 1, \"b\": 2}}\n"
                                 "{\"id\": \"1\", \"expected\": {\"b\": 2.0, \"a\": 1}}\n"
                                 "{\"id\": 2, \"expected\": \"x\"}\n"
                                 "{\"id\": 2, \"expected\": \"y\"}\n");
  ExpectIds(report, LintKind::kRepeatedId, LintSeverity::kWarning, {"1"});
  ExpectIds(report, LintKind::kContradictoryId, LintSeverity::kError, {"2"});
}

TEST_F(RecordChecksTest, QuestionsThatComeAgainAreToldApartByWhatTheyExpect) {
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

TEST_F(RecordChecksTest, IdsThatAreEqualButForCaseBlanksAndLeadingZerosAreTold) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": \"t034\", \"expected\": 1}\n"
                                 "{\"id\": \"t34\", \"expected\": 2}\n"
                                 "{\"id\": \"t36\", \"expected\": 3}\n"
                                 "{\"id\": \"t36 \", \"expected\": 4}\n"
                                 "{\"id\": \"A-1\", \"expected\": 5}\n"
                                 "{\"id\": \"a-1\", \"expected\": 6}\n"
                                 "{\"id\": 7, \"expected\": 7}\n"
                                 "{\"id\": \"007\", \"expected\": 8}\n"
                                 "{\"id\": \"t340\", \"expected\": 9}\n"
                                 "{\"id\": 0, \"expected\": 10}\n");
  ExpectIds(report, LintKind::kSimilarId, LintSeverity::kWarning, {"t34", "t36 ", "a-1", "007"});
  EXPECT_NE(Find(report, LintKind::kSimilarId)[0].message.find("\"t34\" after \"t034\""), std::string::npos);
}

TEST_F(RecordChecksTest, ATestOfOneRecordIsTold) {
  ExpectIds(Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n"), LintKind::kLoneRecord,
            LintSeverity::kWarning, {"1"});
  const LintReport two =
      Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n{\"id\": 2, \"expected\": 2}\n");
  EXPECT_TRUE(Find(two, LintKind::kLoneRecord).empty());
}

TEST_F(RecordChecksTest, GroupsOfOneRecordAreTold) {
  options_.files.group_by = {"task"};
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"task\": \"a\", \"expected\": 1}\n"
                                 "{\"id\": 2, \"task\": \"b\", \"expected\": 2}\n"
                                 "{\"id\": 3, \"task\": \"a\", \"expected\": 3}\n"
                                 "{\"id\": 4, \"expected\": 4}\n");
  ExpectIds(report, LintKind::kLoneRecord, LintSeverity::kWarning, {"2"});
  EXPECT_EQ(Find(report, LintKind::kLoneRecord)[0].message,
            "1 of 2 groups of \"task\" has a single record; the first is \"b\".");
  options_.files.group_by = {"topic"};
  EXPECT_THROW(Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n"), Error);
}

TEST_F(RecordChecksTest, ARecordThatWasCopiedIsNoCommonGoldToBalance) {
  std::string gold;
  for (int i = 0; i < 20; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"question\": \"q" + n + "\", \"expected\": {\"a\": " + n + "}}\n";
  }
  for (int i = 20; i < 30; ++i) {
    gold += "{\"id\": " + std::to_string(i) + ", \"question\": \"q7\", \"expected\": {\"a\": 7}}\n";
  }
  const LintReport report = Lint(Plan({"exact_match"}), gold);
  EXPECT_EQ(Figures(report, "most_common_gold", "exact_match").asked, 0u);
  ASSERT_EQ(Find(report, LintKind::kRepeatedQuestion).size(), 1u);
  EXPECT_EQ(Find(report, LintKind::kRepeatedQuestion)[0].ids.count, 10u);
  EXPECT_TRUE(Find(report, LintKind::kLoneRecord).empty());
}

TEST_F(RecordChecksTest, ATestOfNothingButCopiesIsOneRecord) {
  std::string gold;
  for (int i = 0; i < 5; ++i) {
    gold += "{\"id\": " + std::to_string(i) + ", \"question\": \"q\", \"expected\": \"x\"}\n";
  }
  const LintReport report = Lint(Plan({"exact_match"}), gold);
  ExpectIds(report, LintKind::kLoneRecord, LintSeverity::kWarning, {"0"});
  EXPECT_EQ(Find(report, LintKind::kLoneRecord)[0].message, "The 5 records of the test are copies of one.");
}

TEST_F(RecordChecksTest, GoldThatOnlyAFewRecordsHaveIsNotCommon) {
  std::string gold;
  for (int i = 0; i < 100; ++i) {
    gold += "{\"id\": " + std::to_string(i) + ", \"expected\": {\"k\": 1, \"a\": " + std::to_string(i % 99) +
            "}}\n";
  }
  EXPECT_EQ(Figures(Lint(Plan({"json_similarity"}), gold), "most_common_gold", "json_similarity").asked, 0u);
}

TEST_F(RecordChecksTest, BlankQuestionsAreNone) {
  const LintReport report = Lint(Plan({"exact_match"}),
                                 "{\"id\": 1, \"input\": \"\", \"expected\": 1}\n"
                                 "{\"id\": 2, \"input\": \"\", \"expected\": 2}\n"
                                 "{\"id\": 3, \"input\": null, \"expected\": 3}\n"
                                 "{\"id\": 4, \"input\": null, \"expected\": 4}\n");
  EXPECT_TRUE(Find(report, LintKind::kContradictoryQuestion).empty());
  EXPECT_EQ(Figures(report, "question", "exact_match").asked, 0u);
}

TEST_F(RecordChecksTest, FieldsThatNoRecordHasEndTheRun) {
  options_.question_field = "questoin";
  try {
    Lint(Plan({"exact_match"}), "{\"id\": 1, \"question\": \"p\", \"expected\": 1}\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_NE(std::string(error.what()).find("did you mean \"question\""), std::string::npos) << error.what();
  }
}

TEST_F(RecordChecksTest, GoldWithoutARecordToJudgeEndsTheRun) {
  EXPECT_THROW(Lint(Plan({"exact_match"}), ""), Error);
  EXPECT_THROW(Lint(Plan({"exact_match"}), "{broken\n"), Error);
}

TEST_F(RecordChecksTest, FindingsAreSortedBySeverityAndListTenIds) {
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

TEST_F(RecordChecksTest, LimitsOutOfTheirRangeAreRefused) {
  options_.files.max_line_bytes = 0;
  try {
    Lint(Plan({"exact_match"}), "{\"id\": 1, \"expected\": 1}\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
  }
}

}  // namespace
}  // namespace leafscore::internal
