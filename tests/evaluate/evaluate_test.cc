// Whole evaluations over small trees: what is joined, what is reported, and the same bytes for any threads.
#include "leafscore/evaluate.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "http/fake_service.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class EvaluateTest : public ::testing::Test {
 protected:
  EvaluateTest() {
    options_.generated_at = 86400;
    fs::create_directories(folder_ / "runs");
    options_.trajectories = folder_ / "runs";
    options_.scenarios = {folder_ / "scenarios"};
    options_.reports_dir = folder_ / "reports";
    options_.default_scorer = "exact_match";
    options_.threads = 2;
  }

  void Put(const std::string& path, const std::string& bytes) {
    fs::create_directories(fs::path(folder_ / path).parent_path());
    WriteFile(folder_ / path, bytes);
  }
  void PutRun(const std::string& path, const std::string& members) {
    Put("runs/" + path, "{\"runner\": \"agent\", \"model\": \"m\", " + members + "}");
  }
  rapidjson::Document Report(const std::string& name) const {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseFullPrecisionFlag>(ReadFile(folder_ / ("reports/" + name)).c_str());
    EXPECT_FALSE(document.HasParseError()) << name;
    return document;
  }
  // Returns every file of the reports.
  std::map<std::string, std::string> Reports() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::directory_iterator(options_.reports_dir)) {
      files[entry.path().filename().string()] = ReadFile(entry.path().string());
    }
    return files;
  }

  TempDir folder_;
  EvaluationOptions options_;
};

TEST_F(EvaluateTest, AScenarioHasRulesOfItsOwn) {
  const std::string rules = R"({"keys": {"p": {"mode": "measure"}}})";
  Put("scenarios/scenario_1/groundtruth.txt", R"({"p": 240})");
  Put("scenarios/scenario_1/groundtruth_eval.json", rules);
  Put("scenarios/scenario_2/groundtruth.txt", R"({"p": 240})");
  Put("scenarios/scenario_3/groundtruth.txt", R"({"p": 240})");
  Put("scenarios/scenario_3/groundtruth_eval.json", "{");
  Put("scenarios/more.json", R"([{"id": 4, "expected_answer": {"p": 240}, "evaluation_metadata": )" + rules +
                                 R"(}, {"id": 5, "expected_answer": {"p": 240}, "evaluation_metadata": null},
             {"id": 6, "expected_answer": {"p": 240}, "evaluation_metadata": [1]}])");
  Put("scenarios/scenario_7/groundtruth.txt", R"({"p": 240})");
  fs::create_symlink("../scenario_1/groundtruth_eval.json",
                     folder_ / "scenarios/scenario_7/groundtruth_eval.json");
  for (const std::string id : {"1", "2", "3", "4", "5", "6", "7"}) {
    PutRun(id + ".json", R"("run_id": "r)" + id + R"(", "answer": "{\"p\": 241}")");
  }
  options_.default_scorer = "s";
  options_.config_name = "c.yaml";
  for (const std::string revision : {"2026-09", "seed"}) {
    options_.config = "scorers: [{name: s, type: static_json, revision: " + revision + "}]";
    const EvaluationReport report = Evaluate(options_);
    const bool has_rules = revision == "2026-09";
    EXPECT_TRUE(report.counts_add_up);
    EXPECT_EQ(report.matched.passed, has_rules ? 2u : 0u);
    EXPECT_EQ(report.matched.errors, has_rules ? 3u : 0u);
    EXPECT_EQ(report.unread_metadata, has_rules ? 0u : 2u);
    ASSERT_EQ(report.skipped_scenarios.size(), 3u);
    EXPECT_EQ(report.skipped_scenarios[1].path, folder_ / "scenarios/more.json[2]");
    EXPECT_EQ(report.skipped_scenarios[1].why,
              "the evaluation_metadata cannot be read: it must be a JSON object");
    EXPECT_EQ(report.skipped_scenarios[2].path, folder_ / "scenarios/scenario_3/groundtruth_eval.json");
    EXPECT_EQ(Report("r1.json")["score"]["passed"].GetBool(), has_rules);
    EXPECT_EQ(Report("r2.json")["score"]["passed"].GetBool(), false);
    EXPECT_EQ(Report("r4.json")["score"]["passed"].GetBool(), has_rules);
    EXPECT_EQ(Report("r5.json")["score"]["passed"].GetBool(), false);
    for (const char* const broken : {"r3.json", "r6.json", "r7.json"}) {
      EXPECT_STREQ(Report(broken)["score"]["outcome"].GetString(), has_rules ? "error" : "scored");
    }
    EXPECT_EQ(Report("r4.json")["score"]["revision"].GetString(), revision);
  }
  EXPECT_EQ(Report("r3.json")["score"]["score"].GetDouble(), 0);
}

// A scenario's metadata stands in for that of the configuration, of which nothing is left.
TEST_F(EvaluateTest, RulesOfAScenarioReplaceThoseOfTheConfiguration) {
  Put("s.jsonl", R"({"id": 1, "expected_answer": {"p": 240}, "evaluation_metadata": {"keys": {}}})"
                 "\n"
                 R"({"id": 2, "expected_answer": {"p": 240}})");
  for (const std::string id : {"1", "2"}) PutRun(id + ".json", R"("answer": "{\"p\": 241}")");
  options_.scenarios = {folder_ / "s.jsonl"};
  options_.default_scorer = "s";
  options_.config =
      "scorers: [{name: s, type: static_json, revision: 2026-09, evaluation_metadata: {keys: {p: {mode: "
      "measure}}}}]";
  Evaluate(options_);
  EXPECT_FALSE(Report("1.json")["score"]["passed"].GetBool());
  EXPECT_TRUE(Report("2.json")["score"]["passed"].GetBool());
}

TEST_F(EvaluateTest, AFolderNamesItsScoringMethod) {
  Put("scenarios/scenario_1/groundtruth.txt", "Yes");
  Put("scenarios/scenario_1/scenario_meta.json", R"({"scoring_method": "strict"})");
  Put("scenarios/scenario_2/groundtruth.txt", "Yes");
  Put("scenarios/scenario_3/scenario_meta.json", R"({"scoring_method": "strict"})");  // no ground truth
  for (const std::string id : {"1", "2", "3"}) PutRun(id + ".json", R"("answer": "yes")");
  options_.config = "scorers: [{name: strict, type: exact_match, case_sensitive: true}]";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.matched.passed, 1u);
  EXPECT_EQ(report.matched.errors, 1u);
  EXPECT_STREQ(Report("1.json")["score"]["scorer"].GetString(), "strict");
  ASSERT_EQ(report.skipped_scenarios.size(), 1u);
  EXPECT_EQ(report.skipped_scenarios[0].path, folder_ / "scenarios/scenario_3");
}

TEST_F(EvaluateTest, AFolderHasWhatFmeaReads) {
  for (const std::string id : {"9001", "9003", "9005"}) {
    const std::string folder = "scenarios/scenario_" + id;
    Put(folder + "/groundtruth.txt", R"({"asset": "Pump", "failure_modes": {"leak": "a", "wear": "b"}})");
    Put(folder + "/scenario_meta.json", std::string(R"({"scoring_method": "fmea", "tag": "asset_modes")") +
                                            (id == "9001" ? R"(, "f1_pass_threshold": 0.6})" : "}"));
    Put(folder + "/rubric.json",
        id == "9005" ? "{" : R"({"dimensions": [{"name": "coverage", "weight": 1}]})");
    PutRun(id + ".json", R"("run_id": ")" + id +
                             R"(", "answer": "{\"asset\": \"Pump\", \"failure_modes\": {\"leak\": \"a\"}}")");
  }
  Put("scenarios/scenario_9001/reference_answer.json", R"({"f1": 0.5})");
  Put("scenarios/more.jsonl",
      "{\"id\": 1, \"expected_answer\": \"34 units\", \"scoring_method\": \"numeric_match\"}\n"
      "{\"id\": 2, \"expected_answer\": \"Cooling Tower\", \"scoring_method\": \"exact_string_match\"}\n");
  PutRun("1.json", R"("run_id": "1", "answer": "It has 34.1.")");
  PutRun("2.json", R"("run_id": "2", "answer": " cooling  tower")");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_TRUE(report.counts_add_up);
  EXPECT_TRUE(report.unknown_methods.empty());
  EXPECT_EQ(report.matched.passed, 3u);
  EXPECT_EQ(report.matched.errors, 1u);
  const rapidjson::Document low = Report("9001.json");
  EXPECT_STREQ(low["score"]["scorer"].GetString(), "fmea");
  EXPECT_NEAR(low["score"]["score"].GetDouble(), 0.666667, 1e-9);
  EXPECT_TRUE(low["score"]["passed"].GetBool());
  EXPECT_FALSE(Report("9003.json")["score"]["passed"].GetBool());
  EXPECT_STREQ(Report("9005.json")["score"]["outcome"].GetString(), "error");
  ASSERT_EQ(report.skipped_scenarios.size(), 1u);
  EXPECT_EQ(report.skipped_scenarios[0].path, folder_ / "scenarios/scenario_9005/rubric.json");
}

TEST_F(EvaluateTest, ReadsTheAnswerFromAnotherMember) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "yes"})"
                           "\n"
                           R"({"id": 2, "expected_answer": "yes"})");
  PutRun("1.json", R"("run_id": "a", "answer": "no", "answer_repair": "<think>no</think>yes")");
  PutRun("2.json", R"("run_id": "b", "answer": "yes")");
  options_.answer_field = "answer_repair";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.matched.passed, 1u);
  EXPECT_EQ(report.matched.unanswered, 1u);
  EXPECT_STREQ(Report("a.json")["answer"].GetString(), "yes");
}

// A mode that is missed, one that is met with an extra key, and gold of other keys: its lists have 1, 0 and 1
// missing keys, 1, 1 and 1 extra ones, and 2 (the mode, a term), 1 and 3 details.
TEST_F(EvaluateTest, AddsUpWhatTheListsOfModesHold) {
  Put("scenarios/s.json", R"([{"id": 1, "expected_answer": {"response": "the 'main unit'"}},
      {"id": 2, "expected_answer": {"abstain": ""}}, {"id": 3, "expected_answer": {"a": 1, "b": 2}}])");
  PutRun("1.json", R"("answer": {"abstain": "no"})");
  PutRun("2.json", R"("answer": {"abstain": "", "more": 1})");
  PutRun("3.json", R"("answer": {"a": 1, "c": 2})");
  options_.default_scorer = "s";
  options_.config = "scorers: [{name: s, type: static_json, revision: 2026-09}]";
  for (const DetailLevel details : {DetailLevel::kLeaves, DetailLevel::kNone}) {
    options_.details = details;
    const EvaluationReport report = Evaluate(options_);
    EXPECT_EQ(report.matched.scored, 3u);
    const rapidjson::Document aggregate = Report("_aggregate.json");
    if (details == DetailLevel::kLeaves) {
      std::map<std::string, unsigned> lengths;
      for (const auto& result : aggregate["results"].GetArray()) {
        for (const char* const list : {"missing_keys", "extra_keys", "details"}) {
          lengths[list] += result["score"]["details"][list].Size();
        }
      }
      EXPECT_EQ(lengths,
                (std::map<std::string, unsigned>{{"missing_keys", 3}, {"extra_keys", 4}, {"details", 6}}));
    }
    const auto& group = aggregate["score_summary"]["agent_m"];
    EXPECT_EQ(group["missing_keys_total"].GetInt(), 3);
    EXPECT_EQ(group["extra_keys_total"].GetInt(), 4);
    EXPECT_EQ(group["detail_entries_total"].GetInt(), 6);
    EXPECT_EQ(group["mode_key_match_avg"].GetDouble(), 0);  // of the two that are modes
    EXPECT_EQ(group["mode_exactly_one_key_avg"].GetDouble(), 0.5);
    EXPECT_TRUE(group["car_score_avg"].IsNull());
  }
}

// Two golds: one with a range that the first of two keys meets, one with a measure that is off by one.
TEST_F(EvaluateTest, AveragesTheFiguresOfSeptember) {
  Put("scenarios/s.json", R"([{"id": 1, "expected_answer": {"r": "3-7", "x": "a"}},
      {"id": 2, "expected_answer": {"p": 240}, "evaluation_metadata": {"keys": {"p": {"mode": "measure"}}}}])");
  PutRun("1.json", R"("answer": {"r": 5, "x": "a"}, "tokens_in": 1000001, "tokens_out": 1000000,
                      "trajectory": [])");
  PutRun("2.json", R"("answer": {"p": 241}, "tokens_in": 1, "trajectory": [])");
  options_.default_scorer = "s";
  options_.config = "scorers: [{name: s, type: static_json, revision: 2026-09}]";
  options_.prices = "m: {input: 1.4, output: 4}";
  Evaluate(options_);
  const rapidjson::Document aggregate = Report("_aggregate.json");
  const auto& group = aggregate["score_summary"]["agent_m"];
  const std::map<std::string, double> averages = {{"partial_match_accuracy_avg", 1},
                                                  {"partial_exact_match_accuracy_avg", 0.25},
                                                  {"range_match_accuracy_avg", 0.5},
                                                  {"delta_1_match_accuracy_avg", 0.5},
                                                  {"range_eligible_keys_avg", 0.5},
                                                  {"delta_1_value_matches_avg", 0.5},
                                                  {"exact_precision_avg", 0.25},
                                                  {"exact_recall_avg", 0.25},
                                                  {"exact_f1_avg", 0.25},
                                                  {"all_keys_satisfied_avg", 0.5},
                                                  {"satisfied_value_matches_avg", 1},
                                                  {"f1_avg", 0.75},
                                                  {"est_cost_per_scenario_usd", 2.700001},
                                                  {"est_cost_per_pass_usd", 5.400003}};
  for (const auto& [name, value] : averages) {
    ASSERT_TRUE(group.HasMember(name.c_str())) << name;
    EXPECT_EQ(group[name.c_str()].GetDouble(), value) << name;
  }
  EXPECT_TRUE(group["mode_key_match_avg"].IsNull());
  EXPECT_EQ(group["ops"]["est_input_cost_usd_total"].GetDouble(), 1.400003);  // 1.4000014 + 0.0000014
  EXPECT_EQ(group["ops"]["est_output_cost_usd_total"].GetDouble(), 4);
  EXPECT_EQ(group["ops"]["est_cost_usd_total"].GetDouble(), 5.400003);
}

TEST_F(EvaluateTest, ADryRunWritesNothing) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "a"})");
  PutRun("1.json", R"("answer": "a")");
  options_.dry_run = true;
  EXPECT_EQ(Evaluate(options_).matched.runs, 1u);
  EXPECT_FALSE(fs::exists(options_.reports_dir));
}

TEST_F(EvaluateTest, AsksForTheModelOfAJudgeThatNobodyNamed) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "a", "scoring_method": "llm_judge"})"
                           "\n"
                           R"({"id": 2, "expected_answer": "a"})");
  PutRun("1.json", R"("answer": "a")");
  PutRun("2.json", R"("answer": "a")");
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }),
            "1 scenarios, the first of them \"1\", have a scoring_method that asks a model (llm_judge), but "
            "no model is named: "
            "give --judge-model, or a scorer of this name in --config");
  EXPECT_TRUE(Reports().empty());
  options_.scenario_ids = {"2"};
  EXPECT_EQ(Evaluate(options_).matched.passed, 1u);
  options_.scenario_ids = {};
  options_.config = "scorers: [{name: llm_judge, type: exact_match}]";
  EXPECT_EQ(Evaluate(options_).matched.passed, 2u);
  options_.judge_model = "m";
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }).find("does not ask a single model"),
            std::string::npos);
  options_.config.reset();
  options_.judge_model = "";
  options_.default_scorer = "llm_judge_strict_json";
  EXPECT_EQ(
      ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }),
      "the default scorer llm_judge_strict_json asks a model: name it with --judge-model, or in --config");
}

TEST_F(EvaluateTest, ADefaultJudgeOfAnotherModelIsRefused) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "a"})");
  options_.default_scorer = "mine";
  options_.judge_model = "m";
  for (const std::string asked : {"model: other", "panel: [{model: m}, {model: other}]"}) {
    options_.config = "scorers: [{name: mine, type: llm_judge, threshold: 0.5, " + asked + "}]";
    EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }),
              "--judge-model \"m\" names the model of the scorer llm_judge, but --scorer-default \"mine\" "
              "asks the model in --config: leave --judge-model out, or name llm_judge");
  }
}

TEST_F(EvaluateTest, AModelDoesNotJudgeWhatItWrote) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "a"})");
  PutRun("1.json", R"("run_id": "x", "answer": "a", "scenario_id": 1)");
  Put("runs/2.json", R"({"run_id": "y", "model": "litellm_proxy/m", "answer": "a", "scenario_id": 1})");
  Put("runs/3.json", R"({"run_id": "z", "model": "other", "answer": "a", "scenario_id": 1})");
  options_.default_scorer = "llm_judge";
  const FakeService service;
  const std::string place = "base_url: '" + service.Base("500") + "'";  // no judge ever replies
  for (const std::string& judge : {"model: m, " + place, "panel: [{model: none, " + place +
                                                             "}, {model: litellm_proxy/m, " + place + "}]"}) {
    options_.config = "scorers: [{name: llm_judge, type: llm_judge, max_retries: 0, " + judge + "}]";
    options_.allow_self_judge = false;
    EvaluationReport report = Evaluate(options_);
    EXPECT_EQ(report.matched.errors, 3u);
    ASSERT_EQ(report.self_judged.size(), 2u);
    EXPECT_EQ(report.self_judged[0].path, folder_ / "runs/1.json");
    EXPECT_EQ(report.self_judged[1].path, folder_ / "runs/2.json");
    EXPECT_EQ(report.self_judged[1].why, "\"litellm_proxy/m\", which would judge the answer, wrote it");
    options_.allow_self_judge = true;
    report = Evaluate(options_);
    EXPECT_TRUE(report.self_judged.empty());
    for (const ReasonCount& why : report.asked.scorers[0].reasons) {
      EXPECT_EQ(why.reason, RejectReason::kJudgeUnavailable);
    }
  }
}

TEST_F(EvaluateTest, JoinsByLabelThenStemThenRunId) {
  Put("scenarios/scenario_11/groundtruth.txt", "eleven");
  Put("scenarios/scenario_12/groundtruth.txt", "twelve");
  Put("scenarios/scenario_13/groundtruth.txt", "thirteen");
  Put("scenarios/scenario_14/groundtruth.txt", "fourteen");
  PutRun("number.json", R"("run_id": "a", "scenario_id": 11, "answer": "eleven")");
  PutRun("text.json", R"("run_id": "b", "scenario_id": "11", "answer": "no")");
  PutRun("deep/er/12.json", R"("run_id": "11", "scenario_id": null, "answer": "Twelve")");
  PutRun("deep/13.json", R"("run_id": "c", "answer": "thirteen")");
  PutRun("label.json", R"("run_id": 12, "scenario_id": "a description", "answer": "twelve")");
  PutRun("stem.json", R"("run_id": "11", "answer": "eleven")");
  PutRun("none.json", R"("run_id": "d", "scenario_id": "15", "answer": "?")");
  PutRun("11.json", R"("run_id": "e", "scenario_id": "16", "answer": "?")");  // it has a label: no stem
  const EvaluationReport report = Evaluate(options_);
  EXPECT_TRUE(report.counts_add_up);
  EXPECT_EQ(report.trajectory_files, 8u);
  EXPECT_EQ(report.matched.runs, 6u);
  EXPECT_EQ(report.matched.passed, 5u);
  ASSERT_EQ(report.unmatched_runs.size(), 2u);
  EXPECT_EQ(report.unmatched_runs[0].file, folder_ / "runs/11.json");
  EXPECT_EQ(report.unmatched_runs[0].scenario_id, "16");
  EXPECT_EQ(report.unmatched_runs[1].run_id, "d");
  EXPECT_EQ(report.unmatched_scenarios, Names{"14"});
  EXPECT_STREQ(Report("a.json")["scenario_id"].GetString(), "11");
  // In the order of paths: deep/er/12.json, then stem.json.
  EXPECT_STREQ(Report("11.json")["scenario_id"].GetString(), "12");
  EXPECT_STREQ(Report("11-2.json")["scenario_id"].GetString(), "11");
  EXPECT_STREQ(Report("12.json")["scenario_id"].GetString(), "12");
  EXPECT_EQ(Reports().size(), 6u + 3);
}

TEST_F(EvaluateTest, WritesTheReportsOfTheOriginal) {
  Put("scenarios/s.json",
      R"([{"id": 7, "expected_answer": "yes", "type": "iot", "scoring_method": "levenshtein"}, {"id": 8}])");
  PutRun("a.json", R"("run_id": "r1", "scenario_id": 7, "question": "q?", "answer": "yes", "trajectory":
      {"turns": [{"tool_calls": [{"name": "t"}], "input_tokens": 1000, "output_tokens": 500, "duration_ms": 9}]})");
  PutRun("b.json", R"("run_id": "r2", "scenario_id": 8, "answer": "yes")");
  PutRun("c.json", R"("run_id": "r3", "scenario_id": 7)");
  options_.prices = "m: {input: 2, output: 10}";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.matched.scored, 1u);
  EXPECT_EQ(report.matched.unanswered, 1u);
  EXPECT_EQ(report.matched.errors, 1u);
  EXPECT_EQ(
      ReadFile(folder_ / "reports/r1.json"),
      "{\"scenario_id\": \"7\", \"scenario_type\": \"iot\", \"run_id\": \"r1\", \"runner\": \"agent\", "
      "\"model\": \"m\", \"question\": \"q?\", \"answer\": \"yes\", \"file\": \"" +
          (folder_ / "runs/a.json") +
          "\", \"score\": {\"scorer\": \"levenshtein\", \"revision\": \"seed\", \"outcome\": \"scored\", "
          "\"passed\": true, \"score\": 1, "
          "\"rationale\": \"\", \"details\": {\"distance\": 0, \"label\": \"pass\"}}, \"ops\": "
          "{\"turn_count\": 1, "
          "\"tool_call_count\": 1, \"unique_tools\": [\"t\"], \"tokens_in\": 1000, \"tokens_out\": 500, "
          "\"duration_ms\": 9, \"est_cost_usd\": 0.007}}\n");
  const rapidjson::Document error = Report("r2.json");
  EXPECT_STREQ(error["score"]["outcome"].GetString(), "error");
  EXPECT_STREQ(error["score"]["scorer"].GetString(), "exact_match");
  EXPECT_FALSE(error["score"]["passed"].GetBool());
  EXPECT_EQ(std::string(error["score"]["rationale"].GetString()).find("missing_expected: "), 0u);
  rapidjson::Document no_ops;  // the zeros and empty lists of the original
  no_ops.Parse(R"({"turn_count": 0, "tool_call_count": 0, "unique_tools": [], "tokens_in": 0, "tokens_out": 0,
                   "duration_ms": null, "est_cost_usd": null})");
  EXPECT_EQ(error["ops"], no_ops);
  EXPECT_TRUE(Report("r3.json")["answer"].IsNull());

  const rapidjson::Document aggregate = Report("_aggregate.json");
  EXPECT_STREQ(aggregate["generated_at"].GetString(), "1970-01-02T00:00:00+00:00");
  EXPECT_STREQ(aggregate["runners"][0].GetString(), "agent");
  EXPECT_STREQ(aggregate["models"][0].GetString(), "m");
  EXPECT_EQ(aggregate["totals"]["scenarios"].GetInt(), 3);
  EXPECT_EQ(aggregate["totals"]["scored"].GetInt(), 1);
  EXPECT_EQ(aggregate["totals"]["passed"].GetInt(), 1);
  EXPECT_EQ(aggregate["totals"]["pass_rate"].GetDouble(), 0.3333);
  EXPECT_EQ(aggregate["by_scenario_type"]["iot"]["total"].GetInt(), 2);
  EXPECT_EQ(aggregate["by_scenario_type"]["unknown"]["passed"].GetInt(), 0);
  EXPECT_EQ(aggregate["ops"]["tokens_in_total"].GetInt(), 1000);
  EXPECT_EQ(aggregate["ops"]["duration_ms_p95"].GetInt(), 9);
  EXPECT_EQ(aggregate["ops"]["est_cost_usd_total"].GetDouble(), 0.007);
  const auto& group = aggregate["score_summary"]["agent_m"];
  EXPECT_EQ(group["score_avg"].GetDouble(), 1);
  EXPECT_EQ(group["distance_avg"].GetDouble(), 0);
  EXPECT_EQ(group["unanswered_results"].GetInt(), 1);
  EXPECT_EQ(group["error_results"].GetInt(), 1);
  ASSERT_EQ(aggregate["results"].Size(), 3u);
  EXPECT_EQ(aggregate["results"][0], Report("r1.json"));
  EXPECT_EQ(aggregate["results"][2], Report("r3.json"));
}

TEST_F(EvaluateTest, ScoresAndReportsAnswersWithoutThinkBlocks) {
  Put("scenarios/s.jsonl", R"({"id": 1, "expected_answer": "{\"a\": 1}"})");
  PutRun("1.json", R"("run_id": "x", "answer": "<think>{\"a\": 2}? Answer: 3</think> {\"a\": 1}")");
  for (const char* const scorer : {"static_json", "levenshtein", "exact_match"}) {
    options_.default_scorer = scorer;
    EXPECT_EQ(Evaluate(options_).matched.passed, 1u) << scorer;
  }
  EXPECT_STREQ(Report("x.json")["answer"].GetString(), "{\"a\": 1}");
}

// The example of the documentation of AssetOpsBench's static_json.
TEST_F(EvaluateTest, SummarisesStaticJson) {
  Put("scenarios/scenario_11/groundtruth.txt", "{'energy': 14, 'material': 48}\n");
  Put("scenarios/scenario_12/groundtruth.txt", "[('a', 1)]");
  PutRun("11.json", R"("run_id": "x", "answer": "Final Answer: {\"energy\":14,\"material\":27,\"more\":1}")");
  PutRun("12.json", R"("run_id": "y", "answer": "```json\n[[\"a\", 1]]\n```")");
  options_.default_scorer = EvaluationOptions().default_scorer;
  for (const DetailLevel details : {DetailLevel::kLeaves, DetailLevel::kNone}) {
    options_.details = details;
    const EvaluationReport report = Evaluate(options_);
    EXPECT_EQ(report.matched.passed, 1u);
    const rapidjson::Document run = Report("x.json");
    EXPECT_STREQ(run["score"]["scorer"].GetString(), "static_json");
    EXPECT_FALSE(run["score"]["passed"].GetBool());
    EXPECT_EQ(run["score"]["score"].GetDouble(), 0.4);
    EXPECT_EQ(run["score"]["details"].HasMember("extra_keys"), details == DetailLevel::kLeaves);
    const rapidjson::Document aggregate = Report("_aggregate.json");
    const auto& group = aggregate["score_summary"]["agent_m"];
    EXPECT_EQ(group["score_avg"].GetDouble(), 0.7);
    EXPECT_EQ(group["f1_avg"].GetDouble(), 0.7);
    EXPECT_EQ(group["precision_avg"].GetDouble(), 0.6667);
    EXPECT_EQ(group["recall_avg"].GetDouble(), 0.75);
    EXPECT_EQ(group["strict_exact_match_accuracy_avg"].GetDouble(), 0.5);
    EXPECT_EQ(group["total_gold_keys_avg"].GetDouble(), 2);
    EXPECT_EQ(group["missing_keys_total"].GetInt(), 0);
    EXPECT_EQ(group["extra_keys_total"].GetInt(), 1);
    EXPECT_EQ(group["detail_entries_total"].GetInt(), 5);
  }
}

TEST_F(EvaluateTest, TotalsAreZeroWhereTheOriginHasZeros) {
  Put("scenarios/s.jsonl", "{\"id\": 1, \"expected_answer\": \"a\"}\n");
  PutRun("1.json", R"("run_id": "x", "answer": "a")");
  Evaluate(options_);
  const rapidjson::Document aggregate = Report("_aggregate.json");
  for (const auto* const ops : {&aggregate["ops"], &aggregate["score_summary"]["agent_m"]["ops"]}) {
    for (const char* const name :
         {"tool_calls_total", "tokens_in_total", "tokens_out_total", "turns_total"}) {
      EXPECT_EQ((*ops)[name].GetInt(), 0) << name;
    }
    for (const char* const name : {"duration_ms_p50", "duration_ms_p95", "est_cost_usd_total"}) {
      EXPECT_TRUE((*ops)[name].IsNull()) << name;
    }
  }
}

TEST_F(EvaluateTest, EstimatesCostByTheTableThatIsShipped) {
  Put("scenarios/s.jsonl", "{\"id\": 1, \"expected_answer\": \"a\"}\n");
  Put("runs/1.json", R"({"run_id": "x", "model": "azure/gpt-4o", "answer": "a", "tokens_in": 1000000,
                         "trajectory": []})");
  EXPECT_EQ(Evaluate(options_).prices, "AssetOpsBench, 2026-09");
  EXPECT_EQ(Report("x.json")["ops"]["est_cost_usd"].GetDouble(), 2.5);
  EXPECT_STREQ(Report("_aggregate.json")["prices"].GetString(), "AssetOpsBench, 2026-09");
  options_.prices = "gpt-4o: {input: 1, output: 1}";
  options_.prices_name = "mine.yaml";
  EXPECT_EQ(Evaluate(options_).prices, "mine.yaml");
  EXPECT_EQ(Report("x.json")["ops"]["est_cost_usd"].GetDouble(), 1);
}

TEST_F(EvaluateTest, LeavesOutWhatWasNotAskedFor) {
  Put("scenarios/s.jsonl",
      "{\"id\": 1, \"expected_answer\": \"a\"}\n{\"id\": 2, \"expected_answer\": \"b\"}\n");
  PutRun("1.json", R"("run_id": "x", "answer": "a")");
  PutRun("2.json", R"("run_id": "1", "answer": "b")");  // its label leads to 2, so run_id 1 does not count
  options_.scenario_ids = {"1", "3"};
  options_.details = DetailLevel::kNone;
  options_.run_reports = false;
  options_.default_scorer = "levenshtein";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_TRUE(report.counts_add_up);
  EXPECT_EQ(report.matched.runs, 1u);
  EXPECT_EQ(report.not_selected, 1u);
  EXPECT_EQ(report.scenarios, 1u);
  EXPECT_EQ(report.unknown_scenario_ids, Names{"3"});
  EXPECT_TRUE(report.unmatched_scenarios.empty());
  const std::map<std::string, std::string> reports = Reports();
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_NE(reports.at("_aggregate.json").find("\"details\": {}"), std::string::npos);
}

TEST_F(EvaluateTest, UsesTheDefaultForAcceptedUnknownMethodsAndConfiguredNames) {
  options_.accept_unknown_methods = true;
  Put("scenarios/s.jsonl",
      "{\"id\": 1, \"expected_answer\": \"A\", \"scoring_method\": \"graph_overlap\"}\n"
      "{\"id\": 2, \"expected_answer\": \"A\", \"scoring_method\": \"strict\"}\n");
  PutRun("1.json", R"("answer": "a")");
  PutRun("2.json", R"("answer": "a")");
  options_.config = "evaluators: [{name: strict, type: exact_match, case_sensitive: true}]";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.unknown_methods, (std::map<std::string, std::uint64_t>{{"graph_overlap", 1}}));
  EXPECT_TRUE(Report("1.json")["score"]["passed"].GetBool());  // runs without a run_id: named by their files
  EXPECT_FALSE(Report("2.json")["score"]["passed"].GetBool());
  EXPECT_STREQ(Report("2.json")["score"]["scorer"].GetString(), "strict");
  options_.default_scorer = "exact_mach";
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }).find("did you mean \"exact_match\"?"),
            std::string::npos);
}

TEST_F(EvaluateTest, AScenarioOfAnUnknownMethodIsAnErrorWithARunOrWithout) {
  Put("scenarios/s.jsonl",
      "{\"id\": 1, \"expected_answer\": \"a\", \"scoring_method\": \"graph_overlap\"}\n"
      "{\"id\": 2, \"expected_answer\": \"a\", \"scoring_method\": \"stric\"}\n"
      "{\"id\": 3, \"expected_answer\": \"a\"}\n"
      "{\"id\": 4, \"expected_answer\": \"a\", \"scoring_method\": \"graph_overlap\"}\n");
  PutRun("1.json", R"("answer": "a")");
  PutRun("3.json", R"("answer": "a")");
  PutRun("4.json", R"("answer": "a")");
  options_.scenario_ids = {"1", "2", "3"};
  options_.config = "scorers: [{name: strict, type: exact_match, case_sensitive: true}]";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.unknown_methods,
            (std::map<std::string, std::uint64_t>{{"graph_overlap", 1}, {"stric", 1}}));
  EXPECT_EQ(report.matched.passed, 1u);
  EXPECT_EQ(report.matched.errors, 1u);
  EXPECT_STREQ(Report("1.json")["score"]["rationale"].GetString(),
               "bad_criteria: the scoring_method \"graph_overlap\" is not the name of a scorer");
  ASSERT_EQ(report.asked.scorers.size(), 1u);
  const Figures& figures = report.asked.scorers[0].figures;
  EXPECT_EQ(figures.asked, 3u);
  EXPECT_EQ(figures.errors, 2u);
  EXPECT_EQ(figures.unanswered, 0u);
  EXPECT_EQ(figures.over_all.mean, 1.0 / 3);
  Gates gates;
  gates.max_errors = ErrorLimit{};
  EXPECT_EQ(FailedGates(report.asked, gates).size(), 1u);
}

TEST_F(EvaluateTest, WritesNoAggregateWhenNothingMatches) {
  Put("scenarios/s.jsonl", "{\"id\": 1}\n");
  PutRun("2.json", R"("answer": "a")");
  Put("reports/_aggregate.json", "of an earlier run");
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.matched.runs, 0u);
  EXPECT_EQ(report.unmatched_runs.size(), 1u);
  EXPECT_EQ(report.unmatched_scenarios, Names{"1"});
  EXPECT_EQ(Reports(), (std::map<std::string, std::string>{{"_aggregate.json", "of an earlier run"}}));
}

TEST_F(EvaluateTest, KeepsReportsAndTrajectoriesApart) {
  Put("scenarios/s.jsonl", "{\"id\": 1, \"expected_answer\": \"a\"}\n");
  PutRun("1.json", R"("run_id": "1", "answer": "a")");
  options_.reports_dir = options_.trajectories + "/reports";
  EXPECT_EQ(Evaluate(options_).trajectory_files, 1u);
  EXPECT_EQ(Evaluate(options_).trajectory_files, 1u);  // the reports of the first are not read
  options_.reports_dir = options_.trajectories;
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }).find("--reports-dir"), std::string::npos);
}

TEST_F(EvaluateTest, ReportsLeaveOutNoScenario) {
  Put("scenarios/deep/scenario_1/groundtruth.txt", "a");
  Put("scenarios/deep/scenario_2/groundtruth.txt", "b");
  PutRun("1.json", R"("answer": "a")");
  fs::create_directory_symlink("scenarios/deep", folder_ / "link");
  for (const char* const folder : {"scenarios/deep/scenario_1", "scenarios/deep", "link/scenario_2"}) {
    options_.reports_dir = folder_ / folder;
    const std::string error = ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); });
    EXPECT_NE(error.find("/groundtruth.txt is ground truth"), std::string::npos) << error;
    EXPECT_FALSE(fs::exists(options_.reports_dir + "/_summary.json"));
  }
  for (const char* const folder :
       {"scenarios/reports", "scenarios/reports", "scenarios/deep/scenario_1/out"}) {
    options_.reports_dir = folder_ / folder;
    EXPECT_EQ(Evaluate(options_).scenarios, 2u) << folder;
  }
}

TEST_F(EvaluateTest, RefusesAnImpossibleDate) {
  Put("scenarios/s.jsonl", "{\"id\": 1}\n");
  options_.generated_at = INT64_MAX;
  EXPECT_NE(ErrorOf(ErrorCode::kUsage, [&] { Evaluate(options_); }).find("is not a valid date"),
            std::string::npos);
}

TEST_F(EvaluateTest, StopsWhenAsked) {
  Put("scenarios/s.jsonl", "{\"id\": 1}\n");
  PutRun("1.json", R"("answer": "a")");
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  EXPECT_NE(ErrorOf(ErrorCode::kInterrupted, [&] { Evaluate(options_); }), "");
  EXPECT_TRUE(Reports().empty());
}

// More files than a batch holds, in folders, some of them broken, unmatched, large or named alike.
TEST_F(EvaluateTest, GivesTheSameBytesForAnyThreads) {
  std::string scenarios;
  for (int s = 0; s < 40; ++s) {
    scenarios += "{\"id\": " + std::to_string(s) + ", \"expected_answer\": \"answer " +
                 std::to_string(s % 9) + "\", \"type\": \"t" + std::to_string(s % 3) + "\"" +
                 (s % 4 == 0 ? ", \"scoring_method\": \"json_similarity\"" : "") + "}\n";
  }
  Put("scenarios/s.jsonl", scenarios);
  for (int i = 0; i < 700; ++i) {
    const std::string number = std::to_string(i);
    const std::string path = "d" + std::to_string(i % 13) + "/" + number + ".json";
    if (i % 50 == 7) {
      Put("runs/" + path, "{broken");
      continue;
    }
    Put("runs/" + path, "{\"run_id\": \"run " + std::to_string(i % 90) + "\", \"scenario_id\": " +
                            std::to_string(i % 45) + ", \"runner\": \"r" + std::to_string(i % 2) +
                            "\", \"model\": \"m" + std::to_string(i % 5) + "\", \"answer\": \"answer " +
                            std::to_string(i % 7) + (i % 200 == 3 ? std::string(300'000, 'x') : "") +
                            "\", \"trajectory\": {\"turns\": [{\"input_tokens\": " + number +
                            ", \"duration_ms\": 0." + number + "}]}}");
  }
  options_.default_scorer = "levenshtein";
  std::map<std::string, std::string> first;
  for (const unsigned threads : {1u, 2u, 3u, 8u}) {
    options_.threads = threads;
    fs::remove_all(options_.reports_dir);
    const EvaluationReport report = Evaluate(options_);
    EXPECT_TRUE(report.counts_add_up);
    EXPECT_EQ(report.trajectory_files, 700u);
    EXPECT_EQ(report.skipped_trajectories.size(), 14u);
    std::map<std::string, std::string> reports = Reports();
    EXPECT_EQ(reports.size(), report.matched.runs + 3);
    std::string& summary_json = reports["_summary.json"];
    const std::size_t timing = summary_json.find("\"timing\"");
    summary_json.erase(timing, summary_json.find('}', timing) - timing);
    if (threads == 1) first = reports;
    EXPECT_TRUE(reports == first) << threads << " threads";
  }
}

TEST_F(EvaluateTest, ReportsEverythingItKnows) {
  Put("scenarios/s.jsonl", "{\"id\": 1, \"type\": \"iot\", \"expected_answer\": \"yes\"}\n{\"id\": 2}\n{\n");
  PutRun("a.json", R"("run_id": "a", "scenario_id": 1, "answer": "yes", "tokens_in": 1, "tokens_out": 1)");
  PutRun("b.json", R"("run_id": "b", "scenario_id": 1, "answer": "no")");
  PutRun("c.json", R"("run_id": "c", "scenario_id": 9, "answer": "no")");
  Put("runs/d.json", "{");
  options_.default_scorer = "mine";
  options_.config = "evaluators: [{name: mine, type: levenshtein}]";
  options_.prices = "m: {input: 1, output: 2}";
  const EvaluationReport report = Evaluate(options_);
  EXPECT_EQ(report.trajectory_files, 4u);
  EXPECT_EQ(report.scenarios, 2u);
  EXPECT_EQ(report.runners, Names{"agent"});
  EXPECT_EQ(report.models, Names{"m"});
  EXPECT_EQ(report.matched.runs, 2u);
  EXPECT_EQ(report.matched.scored, 2u);
  EXPECT_EQ(report.matched.passed, 1u);
  EXPECT_TRUE(report.counts_add_up);
  ASSERT_EQ(report.by_scenario_type.size(), 1u);
  EXPECT_EQ(report.by_scenario_type[0].name, "iot");
  ASSERT_EQ(report.by_runner_and_model.size(), 1u);
  const EvaluatedRuns& runs = report.by_runner_and_model[0];
  EXPECT_EQ(runs.name, "agent_m");
  EXPECT_EQ(runs.pass_rate, 0.5);
  EXPECT_EQ(runs.mean, 0.5);
  EXPECT_EQ(runs.min, 0);
  EXPECT_EQ(runs.max, 1);
  ASSERT_EQ(runs.metrics.size(), 1u);
  EXPECT_EQ(runs.metrics[0].name, "distance");
  EXPECT_EQ(runs.metrics[0].mean, 1.5);  // 0 and 3
  EXPECT_EQ(runs.metrics[0].total, 3);
  ASSERT_EQ(runs.operational.size(), 8u);
  EXPECT_EQ(runs.operational[5].name, "est_cost_usd");
  EXPECT_EQ(runs.operational[5].total, 0.000003);
  ASSERT_EQ(report.unmatched_runs.size(), 1u);
  EXPECT_EQ(report.unmatched_runs[0].file, folder_ / "runs/c.json");
  ASSERT_EQ(report.skipped_trajectories.size(), 1u);
  EXPECT_EQ(report.skipped_trajectories[0].path, folder_ / "runs/d.json");
  ASSERT_EQ(report.skipped_scenarios.size(), 2u);  // one of them without ground truth
  EXPECT_EQ(report.unmatched_scenarios, Names{"2"});
  EXPECT_TRUE(fs::exists(report.aggregate));
}

}  // namespace
}  // namespace leafscore::internal
