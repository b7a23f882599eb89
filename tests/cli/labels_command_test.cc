// --labels of score, leaderboard and compare.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli/schema.h"
#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

// 100 answers, of which the scorer passes 70. People judge the first 50 of them: both pass 20, only the
// scorer passes 15, both fail 15.
class LabelsCommandTest : public ::testing::Test {
 protected:
  static constexpr int kAnswers = 100;
  static constexpr int kLabels = 50;

  LabelsCommandTest() {
    Score("a", 70);
    Score("b", 60);
  }

  void Score(const std::string& name, int passed) {
    std::string records;
    for (int i = 0; i < kAnswers; ++i) {
      records += fmt::format(
          "{{\"id\": \"q{0}\", \"expected\": \"x\", \"actual\": \"{1}\", \"answer\": \"{1}{0}\"}}\n", i,
          i % kLabels < passed / 2 ? "x" : "y");
    }
    WriteFile(folder_ / (name + ".in.jsonl"), records);
    EXPECT_EQ(RunCommand({"score", folder_ / (name + ".in.jsonl"), "-q", "-s", "exact_match", "--group-by",
                          "answer", "-o", folder_ / (name + ".jsonl")})
                  .exit_code,
              0);
  }

  std::string Labels(const std::string& more = "", int count = kLabels) {
    std::string lines;
    for (int i = 0; i < count; ++i) {
      lines += fmt::format("{{\"id\": \"q{}\", \"label\": {}{}}}\n", i, i < 20, more);
    }
    WriteFile(folder_ / "labels.jsonl", lines);
    return folder_ / "labels.jsonl";
  }

  TempDir folder_;
};

// (0.7 + 0.5 - 1) / (1 + 0.5 - 1) = 0.4: people pass 20 of 50.
TEST_F(LabelsCommandTest, ScoreShowsTheCorrectedRateBesideTheRawOne) {
  const SubprocessResult run = RunCommand({"score", folder_ / "a.in.jsonl", "-s", "exact_match", "-o",
                                           folder_ / "out.jsonl", "--labels", Labels()});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("joined by id alone"), std::string::npos) << run.err;
  EXPECT_NE(
      run.err.find(
          "Pass rates corrected by labels\n"
          "scorer       model    pass  corrected  95% from      to  sensitivity  specificity  labels\n"
          "exact_match  out    0.7000     0.4000    0.0907  0.7004       1.0000       0.5000      50\n"),
      std::string::npos)
      << run.err;
}

TEST_F(LabelsCommandTest, ScoreReadsTheScoresBack) {
  const std::string labels = Labels();
  for (const std::vector<std::string>& more : {std::vector<std::string>{},
                                               {"-o", folder_ / "o.csv"},
                                               {"-o", folder_ / "o.jsonl", "--shard", "1/2"}}) {
    std::vector<std::string> command = {"score", folder_ / "a.in.jsonl", "-s", "exact_match", "--labels",
                                        labels};
    command.insert(command.end(), more.begin(), more.end());
    const SubprocessResult run = RunCommand(command);
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_NE(run.err.find("--labels reads the scores back"), std::string::npos) << run.err;
  }
  // A damaged file ends the command before anything is scored.
  WriteFile(labels, "{\"id\": 1}\n");
  EXPECT_EQ(RunCommand({"score", folder_ / "a.in.jsonl", "-s", "exact_match", "-o", folder_ / "never.jsonl",
                        "--labels", labels})
                .exit_code,
            2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "never.jsonl"));
  EXPECT_EQ(RunCommand({"score", folder_ / "a.in.jsonl", "-s", "exact_match", "-o", folder_ / "never.jsonl",
                        "--labels", "-"})
                .exit_code,
            2);
  // Labels are an input, which no output replaces.
  EXPECT_EQ(
      RunCommand({"score", folder_ / "a.in.jsonl", "-s", "exact_match", "-o", labels, "--labels", labels})
          .exit_code,
      2);
}

TEST_F(LabelsCommandTest, LeaderboardHasTheFiguresOfEachModel) {
  const SubprocessResult run = RunCommand({"leaderboard", folder_ / "a.jsonl", folder_ / "b.jsonl",
                                           "--labels", Labels(", \"model\": \"a\""), "--format", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(Schema("leaderboard").Fault(run.out), "");
  const rapidjson::Document rows = ParseLine(run.out);
  const auto& corrected = rows[0]["corrected"];
  EXPECT_NEAR(corrected["pass_rate"].GetDouble(), 0.4, 1e-12);
  EXPECT_NEAR(rows[0]["over_all"]["pass_rate"].GetDouble(), 0.7, 1e-12);
  EXPECT_NEAR(corrected["specificity"].GetDouble(), 0.5, 1e-12);
  EXPECT_EQ(corrected["both_pass"].GetInt(), 20);
  EXPECT_EQ(corrected["judge_passes"].GetInt(), 15);
  EXPECT_EQ(corrected["labels"].GetInt(), 50);
  EXPECT_TRUE(rows[1]["corrected"]["pass_rate"].IsNull());
  EXPECT_STREQ(rows[1]["corrected"]["why_not"].GetString(),
               "people pass 0 of the 0 labelled answers and fail 0; a correction takes at least 5 of each");

  const SubprocessResult bare =
      RunCommand({"leaderboard", folder_ / "a.jsonl", folder_ / "b.jsonl", "--labels", Labels()});
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_NE(bare.err.find("does not say which model's answer it is about"), std::string::npos) << bare.err;
  const SubprocessResult one = RunCommand({"leaderboard", folder_ / "a.jsonl", "--labels", Labels()});
  EXPECT_EQ(one.exit_code, 0);
  EXPECT_NE(one.out.find("Pass rates corrected by labels"), std::string::npos) << one.out;
  EXPECT_EQ(RunCommand({"leaderboard", folder_ / "a.jsonl"}).out.find("corrected"), std::string::npos);
}

// A label of an answer that has changed since is not taken for one of the new answer.
TEST_F(LabelsCommandTest, OldLabelsAreNotOfNewAnswers) {
  std::string lines;
  for (int i = 0; i < kLabels; ++i)
    lines += fmt::format("{{\"id\": \"q{0}\", \"label\": {1}, \"answer\": \"x{0}\"}}\n", i, i < 20);
  WriteFile(folder_ / "labels.jsonl", lines);
  const SubprocessResult run = RunCommand(
      {"leaderboard", folder_ / "a.jsonl", "--labels", folder_ / "labels.jsonl", "--format", "json"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("15 of 50 labels are about other answers"), std::string::npos) << run.err;
  EXPECT_EQ(ParseLine(run.out)[0]["corrected"]["labels"].GetInt(), 35);
}

TEST_F(LabelsCommandTest, CompareCorrectsBothSides) {
  std::string lines;
  for (const char* const model : {"a", "b"}) {
    for (int i = 0; i < kLabels; ++i)
      lines += fmt::format("{{\"id\": \"q{}\", \"label\": {}, \"model\": \"{}\"}}\n", i, i < 20, model);
  }
  WriteFile(folder_ / "labels.jsonl", lines);
  const std::vector<std::string> command = {"compare",         folder_ / "a.jsonl",      folder_ / "b.jsonl",
                                            "--labels",        folder_ / "labels.jsonl", "-o",
                                            folder_ / "c.json"};
  const SubprocessResult run = RunCommand(command);
  EXPECT_NE(run.exit_code, 2) << run.err;
  EXPECT_NE(run.out.find("exact_match: 0.0000 after correction (95% from -0."), std::string::npos) << run.out;
  const std::string json = ReadFile(folder_ / "c.json");
  EXPECT_EQ(Schema("comparison").Fault(json), "");
  const rapidjson::Document comparison = ParseLine(json);
  const auto& corrected = comparison["files"][0]["scorers"][0]["corrected"];
  EXPECT_NEAR(corrected["base"]["pass_rate"].GetDouble(), 0.4, 1e-12);
  EXPECT_NEAR(corrected["now"]["pass_rate"].GetDouble(), 0.4, 1e-12);
  EXPECT_LT(corrected["difference"]["low"].GetDouble(), 0);
}

}  // namespace
}  // namespace leafscore::internal
