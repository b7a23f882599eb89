// Tests that ask one scorer of some records and another one of others.
#include <gtest/gtest.h>

#include <string>

#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

const char kConfig[] =
    "evaluators:\n"
    "  - {name: exact, type: exact_match, criteria_key: e, final_weight: 3}\n"
    "  - {name: words, type: contains, criteria_key: w, default_expected: yes}\n";

const char kRecords[] =
    R"({"id": 1, "expected": {"e": {"expected": "a"}, "w": {"expected": "b"}}, "actual": "a"})"
    "\n"
    R"({"id": 2, "expected": {"w": {}}, "actual": "oh yes"})"
    "\n"
    R"({"id": 3, "expected": {}, "actual": "x"})"
    "\n"
    R"({"id": 4, "expected": {"e": {"expected": null}}, "actual": null})"
    "\n";

class CriteriaTest : public RunTest {
 protected:
  static std::string Told(const std::string& line) {
    const rapidjson::Document told = ParseLine(line);
    std::string text = std::to_string(told["id"].GetInt()) + ' ' + told["scorer"].GetString() + ' ';
    return text + (told.HasMember("score") ? std::to_string(told["score"].GetDouble()).substr(0, 3)
                                           : told["reason"].GetString());
  }
  static std::string Told(const FinishedRun& run) {
    std::string all;
    for (const std::string& line : run.lines) all += Told(line) + "; ";
    return all;
  }
};

TEST_F(CriteriaTest, ARecordHasALineForEachScorerThatItAsks) {
  const FinishedRun run = RunText(Plan::FromConfig(kConfig), kRecords);
  EXPECT_EQ(Told(run), "1 exact 1.0; 1 words 0.0; 2 words 1.0; 4 exact 1.0; ");
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.scorers[0].figures.asked, 2u);
  EXPECT_EQ(report.scorers[1].figures.asked, 2u);
  EXPECT_EQ(report.scorers[1].figures.over_all.mean, 0.5);
  ASSERT_TRUE(report.final_score);
  EXPECT_EQ(report.final_score->score, (3 * 1.0 + 1 * 0.5) / 4);
}

TEST_F(CriteriaTest, AnIdThatNobodyAnsweredAsksNoMore) {
  FileOptions options;
  options.inputs = {Input("answers.jsonl", "{\"id\": 1, \"actual\": \"a\"}\n")};
  options.gold = "gold";
  options.gold_text = kRecords;
  const FinishedRun run = Run(Plan::FromConfig(kConfig), options);
  ASSERT_FALSE(run.result.error);
  EXPECT_EQ(run.result.summary.Overall(0).counts().unanswered, 1u);  // 4
  EXPECT_EQ(run.result.summary.Overall(1).counts().unanswered, 1u);  // 2
  EXPECT_EQ(run.lines.size(), 4u);
}

// Once each answer counted there, so that more answers to a right id raised the final score.
TEST_F(CriteriaTest, RepeatedAnswersAreOneRecordInTheFinalScore) {
  FileOptions options;
  options.gold = "gold";
  options.gold_text = R"({"id": 1, "expected": {"e": {"expected": "a"}, "w": {"fault": "odd"}}})"
                      "\n"
                      R"({"id": 2, "expected": {"e": {"expected": "a"}}})"
                      "\n";
  options.repeats = Repeats::kAll;
  std::string answers = "{\"id\": 2, \"actual\": \"b\"}\n";
  for (int copies = 1; copies < 4; ++copies) {
    answers += "{\"id\": 1, \"actual\": \"a\"}\n";
    options.inputs = {Input("answers.jsonl", answers)};
    const RunReport report = ScoreFiles(Plan::FromConfig(kConfig), options);
    EXPECT_EQ(report.final_score->parts[0].average, 0.5 / 2) << copies;  // 1 fails as a whole, 2 is wrong
  }
  answers += "{\"id\": 1, \"actual\": \"b\"}\n";
  options.inputs = {Input("answers.jsonl", answers)};
  EXPECT_EQ(ScoreFiles(Plan::FromConfig(kConfig), options).final_score->parts[0].average, 0.75 / 2 / 2);
}

TEST_F(CriteriaTest, WrongCriteriaAreErrorsAndFailTheRecordInTheFinalScore) {
  const FinishedRun run =
      RunText(Plan::FromConfig(kConfig),
              R"({"id": 1, "expected": {"e": {"expected": "a"}, "w": {"fault": "odd"}}, "actual": "a"})"
              "\n"
              R"({"id": 2, "expected": {"e": {}}, "actual": "a"})"
              "\n"
              R"({"id": 3, "expected": {"e": 5}, "actual": "a"})"
              "\n"
              R"({"id": 4, "expected": [], "actual": "a"})"
              "\n");
  EXPECT_EQ(Told(run),
            "1 exact 1.0; 1 words bad_criteria; 2 exact bad_criteria; 3 exact bad_criteria; "
            "4 exact bad_criteria; 4 words bad_criteria; ");
  const RunReport report = run.result.summary.Report();
  ASSERT_TRUE(report.final_score);
  EXPECT_EQ(report.final_score->parts[0].average, 0.5 / 4);  // 1 and 0 count as one half
  EXPECT_EQ(report.final_score->parts[1].average, 0);
}

// UiPath has no results behind the evaluator at fault, so no labels either; what is in front of it keeps
// them.
TEST_F(CriteriaTest, ARecordThatFailsAsAWholeHasNoClassesBehindTheFault) {
  const std::string records =
      R"({"id": 1, "expected": {"e": {"fault": "odd"}, "m": {"expected": "y"}, "g": {"expected": "y"}}, "actual": "y"})"
      "\n"
      R"({"id": 2, "expected": {"e": {"expected": "x"}, "m": {"expected": "x"}, "g": {"expected": "x"}}, "actual": "y"})"
      "\n"
      R"({"id": 3, "expected": {"e": {"fault": "odd"}}, "actual": "y"})"
      "\n";
  const std::string at_fault = "  - {name: at_fault, type: exact_match, criteria_key: e, final_weight: 1}\n";
  for (const std::string metric : {"classification, classes: [x, y], metric: precision, averaging: micro",
                                   "classification, positive_class: y, metric: precision"}) {
    const std::string others = "  - {name: metric, criteria_key: m, type: " + metric +
                               "}\n"
                               "  - {name: many, criteria_key: g, type: exact_match, revision: 2026-08, "
                               "classes: [x, y], aggregators: "
                               "[{type: precision, averaging: micro}]}\n";
    const FinishedRun behind = RunText(Plan::FromConfig("evaluators:\n" + at_fault + others), records);
    const RunReport report = behind.result.summary.Report();
    EXPECT_EQ(report.final_score.value().parts[1].average, 0) << metric;
    EXPECT_EQ(report.scorers[1].class_figure, 0) << metric;
    const ClassAggregate& many = report.scorers[2].aggregates.at(0);
    EXPECT_EQ(many.score, 0);
    EXPECT_EQ(many.scored, 1u);
    EXPECT_EQ(many.asked, 3u);  // a record that does not ask it fails for it, too
    const RunReport in_front =
        RunText(Plan::FromConfig("evaluators:\n" + others + at_fault), records).result.summary.Report();
    EXPECT_EQ(in_front.scorers[0].class_figure, 0.5) << metric;
    EXPECT_EQ(in_front.scorers[1].aggregates.at(0).scored, 2u);
    EXPECT_EQ(in_front.scorers[1].aggregates.at(0).asked, 3u);
  }
}

TEST_F(CriteriaTest, SameBytesForAnyThreadsAndBatches) {
  std::string records;
  for (int i = 0; i < 300; ++i) records += kRecords;
  FileOptions options;
  options.inputs = {Input("in.jsonl", records)};
  const Plan plan = Plan::FromConfig(kConfig);
  const FinishedRun run = Run(plan, options);
  EXPECT_EQ(run.lines.size(), 1200u);
  ExpectSameBytes(plan, options, run, {300, 5000});
}

}  // namespace
}  // namespace leafscore::internal
