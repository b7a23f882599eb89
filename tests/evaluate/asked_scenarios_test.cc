// Whole evaluations of which something is missing: what was asked for stays the denominator.
#include "engine/evaluate/asked_scenarios.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/evaluate.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// Four scenarios, of which "yes" is the answer.
class AskedScenariosTest : public ::testing::Test {
 protected:
  AskedScenariosTest() {
    fs::create_directories(folder_ / "runs");
    std::string scenarios;
    for (const char* const id : {"1", "2", "3", "4"}) {
      scenarios += std::string(R"({"expected_answer": "yes", "id": )") + id +
                   (id[0] == '4' ? R"(, "type": "b"})" : R"(, "type": "a"})") + '\n';
    }
    WriteFile(folder_ / "scenarios.jsonl", scenarios);
    options_.trajectories = folder_ / "runs";
    options_.scenarios = {folder_ / "scenarios.jsonl"};
    options_.reports_dir = folder_ / "reports";
    options_.default_scorer = "exact_match";
    options_.generated_at = 0;
  }
  // Writes a run whose file is named after all of it, in this order.
  void PutRun(const std::string& model, const std::string& scenario, const std::string& answer) {
    WriteFile(folder_ / ("runs/" + model + scenario + answer + ".json"),
              R"({"run_id": "r", "runner": "agent", "model": ")" + model + R"(", "scenario_id": ")" +
                  scenario + R"(", "answer": )" + (answer == "null" ? answer : '"' + answer + '"') + "}");
  }
  ScorerReport ReportOfTheOnlyScorer() {
    const EvaluationReport report = Evaluate(options_);
    EXPECT_TRUE(report.counts_add_up);
    EXPECT_EQ(report.asked.scorers.size(), 1u);
    return report.asked.scorers.at(0);
  }

  TempDir folder_;
  EvaluationOptions options_;
};

TEST_F(AskedScenariosTest, AreAskedOfEveryRunnerAndModel) {
  PutRun("x", "1", "yes");
  PutRun("x", "2", "no");
  PutRun("y", "1", "yes");
  const ScorerReport scorer = ReportOfTheOnlyScorer();
  EXPECT_EQ(scorer.scorer, "exact_match");
  const Figures& all = scorer.figures;
  EXPECT_EQ(all.asked, 8u);
  EXPECT_EQ(all.scored, 3u);
  EXPECT_EQ(all.unanswered, 5u);
  EXPECT_EQ(all.coverage, 0.375);
  EXPECT_EQ(all.over_all.mean, 0.25);
  EXPECT_EQ(all.over_all.pass_rate, 0.25);
  EXPECT_EQ(all.over_scored.mean, 2.0 / 3);
  EXPECT_EQ(all.over_scored.pass_rate, 2.0 / 3);
  ASSERT_EQ(scorer.reasons.size(), 1u);
  EXPECT_EQ(scorer.reasons[0].reason, RejectReason::kNoAnswer);
  EXPECT_EQ(scorer.reasons[0].records, 5u);
  ASSERT_EQ(scorer.groups.size(), 4u);
  EXPECT_EQ(scorer.groups[0].value, "a");
  EXPECT_EQ(scorer.groups[0].figures.asked, 6u);
  EXPECT_EQ(scorer.groups[0].figures.over_all.pass_rate, 2.0 / 6);
  EXPECT_EQ(scorer.groups[1].value, "b");
  EXPECT_EQ(scorer.groups[1].figures.asked, 2u);
  EXPECT_EQ(scorer.groups[1].figures.over_all.mean, 0);
  EXPECT_EQ(scorer.groups[1].figures.over_scored.mean, std::nullopt);
  EXPECT_EQ(scorer.groups[2].value, "agent_x");
  EXPECT_EQ(scorer.groups[2].figures.over_all.mean, 0.25);
  EXPECT_EQ(scorer.groups[2].figures.over_scored.mean, 0.5);
  EXPECT_EQ(scorer.groups[3].value, "agent_y");
  EXPECT_EQ(scorer.groups[3].figures.coverage, 0.25);
}

TEST_F(AskedScenariosTest, AreAskedOfModelsWhoseRunsMatchNone) {
  for (const char* const id : {"1", "2", "3", "4"}) PutRun("x", id, "yes");
  PutRun("y", "99", "yes");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.asked.scorers[0].figures.asked, 8u);
  EXPECT_EQ(report.asked.scorers[0].figures.over_all.pass_rate, 0.5);
  ASSERT_EQ(report.asked.sources.size(), 2u);
  EXPECT_EQ(report.asked.sources[1].source, "agent_y");
  EXPECT_EQ(report.asked.sources[1].without_gold.first, Names{"99"});
  EXPECT_EQ(report.asked.sources[1].unanswered.count, 4u);
  options_.scenario_ids = {"1"};
  fs::remove(folder_ / "runs/y99yes.json");
  PutRun("y", "2", "yes");  // only of what was not selected
  EXPECT_EQ(Evaluate(options_).asked.scorers[0].figures.over_all.pass_rate, 0.5);
}

TEST_F(AskedScenariosTest, WeighTheSameHoweverOftenTheyWereRun) {
  for (const char* const id : {"1", "2", "3"}) PutRun("x", id, "yes");
  PutRun("x", "1", "no");  // before "yes"
  PutRun("x", "2", "yet");
  PutRun("x", "2", "null");
  const auto evaluate = [&](Repeats repeats) {
    options_.repeats = repeats;
    const EvaluationReport report = Evaluate(options_);
    EXPECT_TRUE(report.counts_add_up);
    EXPECT_EQ(report.matched.runs, 6u);
    EXPECT_EQ(report.asked.sources[0].duplicates.first, (Names{"1", "2", "2"}));
    return report.asked.scorers[0].figures;
  };
  EXPECT_EQ(EvaluationOptions().repeats, Repeats::kAll);
  const Figures all = evaluate(Repeats::kAll);  // 1/2, 1/3, 1 and 0
  EXPECT_DOUBLE_EQ(*all.over_all.mean, (1.0 / 2 + 1.0 / 3 + 1) / 4);
  EXPECT_DOUBLE_EQ(*all.over_all.pass_rate, (1.0 / 2 + 1.0 / 3 + 1) / 4);
  EXPECT_DOUBLE_EQ(*all.over_scored.mean, (1.0 / 2 + 1.0 / 2 + 1) / 3);
  const Figures last = evaluate(Repeats::kLast);  // yes, yet, yes, none
  EXPECT_EQ(last.asked, 4u);
  EXPECT_EQ(last.over_all.pass_rate, 0.5);
  EXPECT_EQ(last.coverage, 0.75);
  const Figures first = evaluate(Repeats::kFirst);  // no, null, yes, none
  EXPECT_EQ(first.asked, 4u);
  EXPECT_EQ(first.unanswered, 2u);
  EXPECT_EQ(first.over_all.pass_rate, 0.25);
  options_.repeats = Repeats::kError;
  EXPECT_NE(ErrorOf(ErrorCode::kInput, [&] { Evaluate(options_); })
                .find("\"agent_x\" has several runs for the scenario \"1\""),
            std::string::npos);
}

TEST_F(AskedScenariosTest, WithoutAnAnswerAreUnanswered) {
  PutRun("x", "1", "yes");
  PutRun("x", "2", "null");
  const ScorerReport scorer = ReportOfTheOnlyScorer();
  EXPECT_EQ(scorer.figures.scored, 1u);
  EXPECT_EQ(scorer.figures.unanswered, 3u);
  EXPECT_EQ(scorer.figures.errors, 0u);
}

TEST_F(AskedScenariosTest, AreErrorsWithoutGroundTruth) {
  for (const char* const name : {"s/scenario_1", "s/scenario_2"}) fs::create_directories(folder_ / name);
  WriteFile(folder_ / "s/scenario_1/groundtruth.txt", "yes");
  WriteFile(folder_ / "s/scenario_2/groundtruth.txt", "");
  options_.scenarios = {folder_ / "s"};
  PutRun("x", "1", "yes");
  PutRun("x", "2", "yes");
  const EvaluationReport report = Evaluate(options_);
  const Figures& figures = report.asked.scorers[0].figures;
  EXPECT_EQ(figures.asked, 2u);
  EXPECT_EQ(figures.errors, 1u);
  EXPECT_EQ(figures.over_all.mean, 0.5);
  EXPECT_EQ(report.asked.gold->rejected, 0u);  // what is an error already
  EXPECT_EQ(report.skipped_scenarios.size(), 1u);
}

// A run of it or none, a scorer that makes something of an expected value that is not there: it is an error.
TEST_F(AskedScenariosTest, AreErrorsWithoutGroundTruthWhateverTheRunsAndTheScorer) {
  WriteFile(folder_ / "scenarios.jsonl",
            "{\"id\": 1, \"expected_answer\": \"yes\"}\n{\"id\": 2}\n"
            "{\"id\": 3, \"expected_answer\": \"\"}\n");
  PutRun("x", "1", "yes");
  PutRun("x", "2", "yes");
  for (const char* const scorer : {"exact_match", "levenshtein", "static_json"}) {
    options_.default_scorer = scorer;
    const EvaluationReport report = Evaluate(options_);
    const ScorerReport& figures = report.asked.scorers[0];
    EXPECT_EQ(figures.figures.asked, 3u);
    EXPECT_EQ(figures.figures.errors, 2u);
    EXPECT_EQ(figures.figures.unanswered, 0u);
    ASSERT_EQ(figures.reasons.size(), 1u);
    EXPECT_EQ(figures.reasons[0].reason, RejectReason::kMissingExpected);
    EXPECT_EQ(FailedGates(report.asked, {.fail_under = {{.least = 0.1}}}).size(), 1u);
    EXPECT_TRUE(FailedGates(report.asked, {.max_errors = ErrorLimit{.count = 2}}).empty());
    ASSERT_EQ(report.skipped_scenarios.size(), 2u);
    EXPECT_EQ(report.skipped_scenarios[0].path, folder_ / "scenarios.jsonl:2");
  }
}

TEST_F(AskedScenariosTest, TellWhetherJsonWasHeldInTexts) {
  WriteFile(folder_ / "scenarios.jsonl",
            R"({"id": 1, "expected_answer": "{\"a\": 1}", "scoring_method": "json_similarity"})"
            "\n");
  WriteFile(folder_ / "runs/1.json", R"({"runner": "r", "model": "m", "answer": "{\"a\": 1}"})");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.asked.scorers[0].json_in_texts.parsed, 1u);
  EXPECT_EQ(report.asked.scorers[0].figures.over_all.mean, 1);
}

TEST_F(AskedScenariosTest, TellOfWhichNothingWasCompared) {
  WriteFile(folder_ / "scenarios.jsonl",
            R"({"id": 1, "expected_answer": {}, "scoring_method": "json_similarity"})"
            "\n");
  PutRun("x", "1", "yes");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.asked.scorers[0].figures.nothing_compared, 1u);
  EXPECT_EQ(FailedGates(report.asked, {.min_coverage = 0.1}).size(), 2u);
}

TEST_F(AskedScenariosTest, HaveThePathsThatScorersName) {
  WriteFile(folder_ / "scenarios.jsonl",
            R"({"id": 1, "expected_answer": {"total": 1}, "scoring_method": "mine"})"
            "\n"
            R"({"id": 2, "expected_answer": {"late": 1}, "scoring_method": "mine"})"
            "\n");
  PutRun("x", "1", "yes");
  options_.config = "evaluators: [{name: mine, type: field_accuracy, fields: [{path: total}, {path: late}]}]";
  EXPECT_TRUE(Evaluate(options_).asked.scorers.at(0).absent_paths.empty());
  std::filesystem::remove_all(folder_ / "reports");
  options_.config = "evaluators: [{name: mine, type: field_accuracy, fields: [{path: total}, {path: lat}]}]";
  EXPECT_EQ(ErrorOf(ErrorCode::kInput, [&] { Evaluate(options_); }),
            "no expected value has the field \"lat\" (fields of the scorer \"mine\"); the first "
            "one has: \"total\" (--allow-absent-paths continues without them)");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "reports/_aggregate.json"));
  options_.allow_absent_paths = true;
  EXPECT_EQ(Evaluate(options_).asked.scorers.at(0).absent_paths, Names{"lat"});
}

TEST_F(AskedScenariosTest, AreHeldAgainstGatesWhoseScorersAreKnownBeforeTheRun) {
  PutRun("x", "1", "yes");
  options_.gates.fail_under = {{"levenshtein", 0.5}};
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }),
            "there is no scorer \"levenshtein\" for a gate");
  EXPECT_FALSE(fs::exists(folder_ / "reports/r.json"));
  options_.gates.fail_under = {{"exact_match", 0.5}};
  EXPECT_EQ(FailedGates(Evaluate(options_).asked, options_.gates).size(), 1u);
}

TEST_F(AskedScenariosTest, AreErrorsWhenSelectedAndNotThere) {
  PutRun("x", "1", "yes");
  options_.scenario_ids = {"1", "77", "77", "78"};
  const ScorerReport scorer = ReportOfTheOnlyScorer();
  EXPECT_EQ(scorer.figures.asked, 3u);
  EXPECT_EQ(scorer.figures.errors, 2u);
  EXPECT_EQ(scorer.figures.over_all.pass_rate, 1.0 / 3);
  ASSERT_EQ(scorer.reasons.size(), 1u);
  EXPECT_EQ(scorer.reasons[0].reason, RejectReason::kNoGold);
}

TEST_F(AskedScenariosTest, HaveFiguresForEachScorer) {
  WriteFile(
      folder_ / "scenarios.jsonl",
      "{\"id\": 1, \"expected_answer\": \"yes\"}\n"
      "{\"id\": 2, \"expected_answer\": \"yes\", \"type\": \"b\", \"scoring_method\": \"levenshtein\"}\n");
  PutRun("x", "1", "yes");
  PutRun("x", "2", "yea");
  const EvaluationReport report = Evaluate(options_);
  ASSERT_EQ(report.asked.scorers.size(), 2u);
  EXPECT_EQ(report.asked.scorers[0].figures.over_all.mean, 1);
  EXPECT_EQ(report.asked.scorers[0].groups[0].kind, GroupKind::kNone);
  EXPECT_EQ(report.asked.scorers[1].scorer, "levenshtein");
  EXPECT_EQ(report.asked.scorers[1].figures.asked, 1u);
  EXPECT_EQ(report.asked.scorers[1].figures.over_all.mean, 0.67);
  EXPECT_EQ(report.asked.scorers[1].groups[0].value, "b");
}

TEST_F(AskedScenariosTest, StandInASummaryBesideTheAggregate) {
  PutRun("x", "1", "yes");
  WriteFile(folder_ / "runs/broken.json", "{");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.summary, folder_ / "reports/_summary.json");
  EXPECT_EQ(ReadFile(report.summary), report.asked.ToJson());
  rapidjson::Document summary;
  ASSERT_FALSE(summary.Parse(ReadFile(report.summary).c_str()).HasParseError());
  const auto& scorer = summary["scorers"][0];
  EXPECT_EQ(scorer["asked"].GetInt(), 4);
  EXPECT_EQ(scorer["coverage"].GetDouble(), 0.25);
  EXPECT_EQ(scorer["over_all"]["mean"].GetDouble(), 0.25);
  EXPECT_EQ(scorer["over_scored"]["pass_rate"].GetDouble(), 1);
  EXPECT_EQ(summary["sources"][1]["rejected"].GetInt(), 1);
  EXPECT_TRUE(summary["counts_add_up"].GetBool());
}

}  // namespace
}  // namespace leafscore::internal
