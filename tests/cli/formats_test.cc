// What the command writes, against the schemas in docs/schemas.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class FormatsTest : public ::testing::Test {
 protected:
  FormatsTest() {
    WriteFile(config_, R"(scorers:
  - {type: json_similarity}
  - {type: exact_match}
  - {type: contains}
  - {type: levenshtein}
  - {type: static_json}
  - {type: field_accuracy, fields: [{path: a, match: exact}, {path: b, match: fuzzy}]}
  - {type: strict_json}
  - {type: json_diff}
  - {name: keyed, type: json_similarity, target_output_key: a.b}
)");
    WriteFile(pairs_,
              R"({"id": "x", "expected": {"a": 1, "b": "abc"}, "actual": {"a": 1, "b": "abd"}, "g": "p"})"
              "\n"
              R"({"id": 2.50, "expected": {"a": [1, {"b": null}]}, "actual": "Answer: {'a': [1]}", "g": [1]})"
              "\n"
              R"({"expected": {"a": {"b": 1}}, "actual": {"a": {"b": 2}}})"
              "\n"
              R"({"id": {"k": "\ud800"}, "expected": {"a": 1}})"
              "\n"
              R"({"actual": 1})"
              "\n{broken \xff\n[1]\n\"text\"\n");
  }

  SubprocessResult Score(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"score", "-q", "-c", config_, "--summary", summary_});
    const SubprocessResult run = RunCommand(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run;
  }

  TempDir folder_;
  const std::string config_ = folder_ / "scorers.yaml";
  const std::string pairs_ = folder_ / "pairs.jsonl";
  const std::string summary_ = folder_ / "summary.json";
};

TEST_F(FormatsTest, LinesOfScoresAndSummaries) {
  const Schema line("score_line");
  const Schema summary("summary");
  for (const std::string details : {"none", "basic", "leaves"}) {
    line.ExpectValidLines(Score({pairs_, "--details", details, "--group-by", "g"}).out);
    EXPECT_EQ(summary.Fault(ReadFile(summary_)), "");
    const rapidjson::Document json = ParseLine(ReadFile(summary_));
    EXPECT_STREQ(json["provenance"]["options"]["details"].GetString(), details.c_str());
    EXPECT_EQ(json["provenance"]["inputs"][0]["bytes"].GetUint64(), ReadFile(pairs_).size());
  }
}

TEST_F(FormatsTest, WithGold) {
  const std::string gold = folder_ / "gold.jsonl";
  WriteFile(gold, R"({"id": "x", "expected": {"a": {"b": 1}, "b": 1}})"
                  "\n"
                  R"({"id": "y", "expected": {"a": 2}})"
                  "\n"
                  R"({"id": "y"})"
                  "\n{broken\n");
  const SubprocessResult run = Score({pairs_, "--gold", gold});
  EXPECT_NE(run.out.find("\"no_answer\""), std::string::npos);
  Schema("score_line").ExpectValidLines(run.out);
  EXPECT_EQ(Schema("summary").Fault(ReadFile(summary_)), "");
}

TEST_F(FormatsTest, ManifestsAndTrailers) {
  const std::string out = folder_ / "scores.jsonl";
  const Schema manifest("manifest");
  Score({pairs_, "-o", out, "--trailer", "--group-by", "g"});
  EXPECT_EQ(manifest.Fault(ReadFile(out + ".manifest.json")), "");
  const std::string trailer = SplitLines(ReadFile(out)).back();
  ASSERT_TRUE(trailer.starts_with("{\"manifest\": "));
  EXPECT_EQ(manifest.Fault(trailer.substr(13, trailer.size() - 14)), "");
  const std::string gold = folder_ / "gold.jsonl";
  WriteFile(gold, "{\"id\": \"x\", \"expected\": {\"a\": {\"b\": 1}, \"b\": 1}}\n");
  Score({pairs_, "-o", out, "--gold", gold, "--repeats", "all"});
  EXPECT_EQ(manifest.Fault(ReadFile(out + ".manifest.json")), "");
}

TEST_F(FormatsTest, FindingsOfTheLinter) {
  const std::string gold = folder_ / "gold.jsonl";
  WriteFile(gold, R"({"id": 1, "question": "p", "expected": {"a": {"b": 1}, "b": "x"}})"
                  "\n"
                  R"({"id": 1, "question": "p", "expected": {"a": {"b": 1}, "b": 34}})"
                  "\n"
                  R"({"id": "\ud800", "expected": 34})"
                  "\n"
                  R"({"id": 2, "expected": {}})"
                  "\n{broken \xff\n");
  const SubprocessResult run = RunCommand({"lint", gold, pairs_, "-c", config_, "--format", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const Schema schema("lint");
  EXPECT_EQ(schema.Fault(run.out), "");
  std::string other = run.out;
  other.replace(other.find("contradictory_id"), 16, "contradictory_no");
  EXPECT_NE(schema.Fault(other), "");
}

TEST_F(FormatsTest, ReportsOfEvaluate) {
  const std::string scenarios = folder_ / "scenarios.jsonl";
  WriteFile(scenarios, R"({"id": 1, "expected_answer": "{'a': 1}", "type": "t"})"
                       "\n"
                       R"({"id": 2, "expected_answer": 2, "scoring_method": "json_similarity"})"
                       "\n"
                       R"({"id": 3})"
                       "\n"
                       R"({"id": 3, "scoring_method": "other"})"
                       "\n{broken\n");
  std::filesystem::create_directory(folder_ / "runs");
  const auto put = [&](const std::string& name, const std::string& run) {
    WriteFile(folder_ / ("runs/" + name), run);
  };
  put("1.json", R"({"run_id": "a", "runner": "r", "model": "gpt-4o", "question": "?", "answer": "{\"a\": 1}",
      "trajectory": {"turns": [{"tool_calls": [{"name": "t"}], "input_tokens": 5, "duration_ms": 2.5}]}})");
  put("2.json", R"({"run_id": 5, "answer": 2})");
  put("3.json", R"({"run_id": "c", "answer": [1]})");
  put("1b.json", R"({"run_id": "d", "scenario_id": 1})");
  put("4.json", R"({"run_id": "e"})");
  put("broken.json", "{");
  const std::string reports = folder_ / "reports";
  const SubprocessResult run =
      RunCommand({"evaluate", "-q", "--trajectories", folder_ / "runs", "--scenarios", scenarios,
                  "--reports-dir", reports, "--scenario-ids", "1,2,3,7"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Schema("summary").Fault(ReadFile(reports + "/_summary.json")), "");
  EXPECT_EQ(Schema("aggregate").Fault(ReadFile(reports + "/_aggregate.json")), "");
  EXPECT_EQ(Schema("report_list").Fault(ReadFile(reports + "/_reports.json")), "");
  EXPECT_NE(Schema("report_list").Fault(R"({"reports": []})"), "");
  const Schema report("run_report");
  for (const char* const name : {"/a.json", "/5.json", "/c.json", "/d.json"}) {
    EXPECT_EQ(report.Fault(ReadFile(reports + name)), "");
  }
  EXPECT_NE(report.Fault(R"({"scenario_id": "1"})"), "");
  EXPECT_NE(Schema("aggregate").Fault(R"({"results": []})"), "");
}

TEST_F(FormatsTest, Leaderboards) {
  const Schema leaderboard("leaderboard");
  const std::string scores = folder_ / "scores.jsonl";
  Score({pairs_, "--group-by", "g", "-o", scores});
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{},
        {"--by", "g", "--groups"},
        {"--cluster", "g", "--repeats", "all", "--pass-k", "1,2"}}) {
    std::vector<std::string> arguments = {"leaderboard", scores, "--format", "json"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    EXPECT_EQ(leaderboard.Fault(RunCommand(arguments).out), "");
  }
  EXPECT_NE(leaderboard.Fault("[{}]"), "");

  const Schema matrix("leaderboard_matrix");
  for (const std::string columns : {"scorer", "g"}) {
    EXPECT_EQ(matrix.Fault(RunCommand({"leaderboard", scores, "--format", "json", "--columns", columns}).out),
              "");
  }
  EXPECT_NE(matrix.Fault("[{}]"), "");

  const Schema sensitivity("leaderboard_sensitivity");
  const std::string tasks = folder_ / "tasks.jsonl";
  WriteFile(tasks,
            "{\"id\": 1, \"expected\": \"a\", \"actual\": \"a\", \"g\": \"x\"}\n"
            "{\"id\": 2, \"expected\": \"a\", \"actual\": \"b\", \"g\": \"y\"}\n");
  const std::string copy = folder_ / "copy.jsonl";
  for (const std::string& output : {scores, copy}) Score({tasks, "--group-by", "g", "-o", output});
  const SubprocessResult run =
      RunCommand({"leaderboard", scores, copy, "--format", "json", "--sensitivity", "--task", "g"});
  for (const std::string kind : {"scorers", "task", "model"}) {
    EXPECT_NE(run.out.find("{\"kind\": \"" + kind), std::string::npos) << run.out << run.err;
  }
  EXPECT_EQ(sensitivity.Fault(run.out), "");
  EXPECT_NE(sensitivity.Fault("[{}]"), "");
}

TEST_F(FormatsTest, Records) {
  const Schema record("record");
  EXPECT_EQ(record.Fault(SplitLines(ReadFile(pairs_))[0]), "");
  EXPECT_NE(record.Fault("[1]"), "");
}

// The schemas themselves are not so wide that everything passes.
TEST_F(FormatsTest, SchemasRefuseWhatIsNotWritten) {
  const Schema line("score_line");
  const std::string good = R"({"id": 1, "scorer": "s", "outcome": "scored", "score": 1})";
  EXPECT_EQ(line.Fault(good), "");
  for (const std::string bad :
       {R"({"id": 1, "scorer": "s", "outcome": "scored", "score": 1.5})",
        R"({"id": 1, "scorer": "s", "outcome": "scored"})",
        R"({"id": 1, "scorer": "s", "outcome": "error", "score": 1})",
        R"({"id": 1, "scorer": "s", "outcome": "error", "reason": "x", "message": ""})",
        R"({"id": 1, "scorer": "s", "outcome": "scored", "score": 1, "more": 1})"}) {
    EXPECT_NE(line.Fault(bad), "");
  }
  EXPECT_NE(Schema("summary").Fault("{}"), "");
  EXPECT_NE(Schema("manifest").Fault("{}"), "");
}

}  // namespace
}  // namespace leafscore::internal
