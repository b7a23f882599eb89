// What a user sees of `leafscore evaluate`: exit codes, what is printed where, and the reports.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

class EvaluateCommandTest : public ::testing::Test {
 protected:
  EvaluateCommandTest() {
    for (const char* const name : {"runs/deep", "data/scenario_11", "data/scenario_12"}) {
      fs::create_directories(folder_ / name);
    }
    WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "eleven\n");
    WriteFile(folder_ / "data/scenario_12/groundtruth.txt", "twelve\n");
    WriteFile(folder_ / "runs/a.json",
              R"({"run_id": "a", "scenario_id": 11, "runner": "agent", "model": "m", "answer": "eleven"})");
    WriteFile(folder_ / "runs/deep/12.json",
              R"({"run_id": "b", "scenario_id": null, "runner": "agent", "model": "m", "answer": "ten"})");
  }

  SubprocessResult Evaluate(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"evaluate", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data",
                      "--scorer-default", "exact_match", "--reports-dir", folder_ / "reports"});
    return RunCommand(arguments, {},
                      {.environment = {"SOURCE_DATE_EPOCH=0"},
                       .output_path = {},
                       .error_terminal = {},
                       .max_file_size = {}});
  }
  std::string Aggregate() const { return ReadFile(folder_ / "reports/_aggregate.json"); }

  TempDir folder_;
};

TEST_F(EvaluateCommandTest, PrintsTheFiguresAndWritesTheReports) {
  const SubprocessResult run = Evaluate({});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_EQ(run.out,
            "passed 1 of 2 (50.0%)\n\nBy runner and model, with means:\n"
            "  \"agent_m\": passed 1 of 2 (50.0%), score 0.5000 (0.0000 to 1.0000)\n\nBy scenario type:\n"
            "  \"structured\": passed 1 of 2 (50.0%)\n\nOperational metrics (total, p50, p95):\n"
            "  turns: -, -, -\n  tool_calls: -, -, -\n  tokens_in: -, -, -\n  tokens_out: -, -, -\n"
            "  duration_ms: -, -, -\n  est_cost_usd: -, -, -\n"
            "  prices of est_cost_usd: \"AssetOpsBench, 2026-09\"\n\nReports: " +
                (folder_ / "reports") +
                "/<run_id>.json (2)\nAggregate: " + (folder_ / "reports/_aggregate.json") +
                "\n\ntrajectory files 2 = matched 2 + unmatched 0 + not selected 0 + skipped 0\n"
                "matched 2 = scored 2 + unreadable 0 + errors 0\ncounts add up\n");
  rapidjson::Document report;
  report.Parse(ReadFile(folder_ / "reports/b.json").c_str());
  EXPECT_STREQ(report["scenario_id"].GetString(), "12");
  EXPECT_NE(Aggregate().find("\"generated_at\": \"1970-01-01T00:00:00+00:00\""), std::string::npos);
}

TEST_F(EvaluateCommandTest, ScoresWithStaticJsonUnlessToldOtherwise) {
  WriteFile(folder_ / "data/scenario_11/groundtruth.txt", "{'energy': 14, 'material': 48}");
  WriteFile(folder_ / "runs/a.json", R"({"run_id": "a", "scenario_id": "11", "answer": "{\"energy\": 14}"})");
  const SubprocessResult run = RunCommand({"evaluate", "--trajectories", folder_ / "runs", "--scenarios",
                                           folder_ / "data", "--reports-dir", folder_ / "reports"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  rapidjson::Document report;
  report.Parse(ReadFile(folder_ / "reports/a.json").c_str());
  EXPECT_STREQ(report["score"]["scorer"].GetString(), "static_json");
  EXPECT_EQ(report["score"]["score"].GetDouble(), 0.667);
  EXPECT_STREQ(report["score"]["details"]["missing_keys"][0].GetString(), "answer.material");
}

TEST_F(EvaluateCommandTest, TellsWhatWasLeftOut) {
  WriteFile(folder_ / "runs/bad\x1b.json", "{");
  WriteFile(folder_ / "runs/other.json", R"({"run_id": "c", "scenario_id": "99", "answer": 1})");
  fs::create_directories(folder_ / "data/scenario_13");
  WriteFile(folder_ / "data/scenario_13/groundtruth.txt", "x");
  fs::create_symlink("/etc/passwd", folder_ / "runs/link.json");
  ASSERT_EQ(mkfifo((folder_ / "runs/pipe.json").c_str(), 0600), 0);
  const SubprocessResult run = Evaluate({"--quiet"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.out, "");
  const std::string runs = folder_ / "runs/";
  EXPECT_EQ(run.err, "leafscore: trajectory files skipped: 3\n  \"" + runs +
                         "bad\\x1b.json\": invalid_json: a key in double quotes is missing (byte 1)\n  \"" +
                         runs + "link.json\": it is a symbolic link; these are not followed\n  \"" + runs +
                         "pipe.json\": it is not a regular file\n"
                         "leafscore: trajectories that match no scenario: 1\n  \"" +
                         runs +
                         "other.json\": scenario_id \"99\", run_id \"c\"\n"
                         "leafscore: scenarios without a trajectory: 1\n  \"13\"\n");
  EXPECT_EQ(Evaluate({"--strict"}).exit_code, 1);
}

TEST_F(EvaluateCommandTest, EndsWithTwoWhenNothingMatches) {
  const SubprocessResult run = Evaluate({"--scenario-ids", "77"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("leafscore: no trajectory matches a scenario"), std::string::npos) << run.err;
  EXPECT_NE(run.out.find("trajectory files 2 = matched 0 + unmatched 0 + not selected 2"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "reports/_aggregate.json"));
  fs::remove_all(folder_ / "runs");
  EXPECT_EQ(Evaluate({}).exit_code, 2);
  fs::create_directories(folder_ / "runs");
  EXPECT_NE(Evaluate({}).err.find("there is no *.json in "), std::string::npos);
}

TEST_F(EvaluateCommandTest, EndsWithTwoWhenNothingIsScored) {
  WriteFile(folder_ / "gold.jsonl", "{\"id\": 1}\n");
  WriteFile(folder_ / "runs/1.json", R"({"run_id": "c", "answer": 1})");
  const SubprocessResult run = RunCommand({"evaluate", "--trajectories", folder_ / "runs/1.json",
                                           "--scenarios", folder_ / "gold.jsonl", "--scorer-default",
                                           "exact_match", "--reports-dir", folder_ / "reports"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("not one run was scored"), std::string::npos) << run.err;
  EXPECT_NE(ReadFile(folder_ / "reports/c.json").find("missing_expected"), std::string::npos);
}

TEST_F(EvaluateCommandTest, SelectsAndKeepsReportsSmall) {
  const SubprocessResult run =
      Evaluate({"--scenario-ids", "11,13", "--scenario-ids", "14", "--details", "none", "--aggregate-only"});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.err, "leafscore: --scenario-ids of which there is no scenario: 2\n  \"13\"\n  \"14\"\n");
  EXPECT_EQ(run.out.find("Reports: "), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "reports/a.json"));
  EXPECT_NE(Aggregate().find("\"details\": {}"), std::string::npos);
}

TEST_F(EvaluateCommandTest, ReadsPricesAndScorers) {
  WriteFile(folder_ / "runs/a.json",
            R"({"run_id": "a", "scenario_id": 11, "model": "x/M-20250101", "answer": "ELEVEN",
                "trajectory": [{"tool": "t"}], "tokens_in": 1000000, "tokens_out": 1})");
  WriteFile(folder_ / "prices.yaml", "m: {input: 2.5, output: 0}\n");
  WriteFile(folder_ / "scorers.yaml",
            "evaluators: [{name: exact_match, type: exact_match, case_sensitive: true}]\n");
  const SubprocessResult run =
      Evaluate({"--prices", folder_ / "prices.yaml", "--config", folder_ / "scorers.yaml", "--threads", "1"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const std::string report = ReadFile(folder_ / "reports/a.json");
  EXPECT_NE(report.find("\"passed\": false"), std::string::npos);
  EXPECT_NE(report.find("\"est_cost_usd\": 2.5}"), std::string::npos);
  WriteFile(folder_ / "prices.yaml", "m: 5\n");
  EXPECT_EQ(Evaluate({"--prices", folder_ / "prices.yaml"}).exit_code, 2);
}

TEST_F(EvaluateCommandTest, KeepsToTheFileLimit) {
  const auto bytes = fs::file_size(folder_ / "runs/a.json");  // the largest file
  const auto skipped = [&](std::uintmax_t limit) {
    return Evaluate({"--quiet", "--max-file-bytes", std::to_string(limit)}).err.find("skipped: 1\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(skipped(bytes - 1));
  EXPECT_FALSE(skipped(bytes));
  EXPECT_FALSE(skipped(bytes + 1));
  EXPECT_EQ(Evaluate({"--max-file-bytes", "1"}).exit_code, 2);
  EXPECT_EQ(Evaluate({"--max-file-bytes", "1073741825"}).exit_code, 2);
}

TEST_F(EvaluateCommandTest, ReportsADiskThatTakesNoMore) {
  SubprocessOptions options;
  options.max_file_size = 100;
  const SubprocessResult run =
      RunCommand({"evaluate", "--trajectories", folder_ / "runs", "--scenarios", folder_ / "data",
                  "--scorer-default", "exact_match", "--reports-dir", folder_ / "reports"},
                 {}, options);
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("cannot write " + (folder_ / "reports")), std::string::npos) << run.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "reports"));
}

}  // namespace
}  // namespace leafscore::internal
