#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

class LeaderboardCommandTest : public ::testing::Test {
 protected:
  LeaderboardCommandTest() {
    WriteFile(folder_ / "pairs.jsonl",
              "{\"expected\": \"abcd\", \"actual\": \"abcd\", \"model\": \"m\", \"doc\": 1}\n"
              "{\"expected\": \"abcd\", \"actual\": \"abxx\", \"model\": \"n\", \"doc\": 1}\n"
              "{\"expected\": \"abcd\", \"actual\": \"xxxx\", \"model\": \"n\", \"doc\": 2}\n");
    Score("one.scores.jsonl.gz");
    Score("two.jsonl");
  }

  void Score(const std::string& name) {
    EXPECT_EQ(RunCommand({"score", folder_ / "pairs.jsonl", "-q", "-s", "levenshtein", "--group-by", "model",
                          "--group-by", "doc", "-o", folder_ / name})
                  .exit_code,
              0);
  }

  SubprocessResult Board(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"leaderboard", folder_ / "two.jsonl"});
    return RunCommand(arguments);
  }

  TempDir folder_;
};

TEST_F(LeaderboardCommandTest, FilesAreModels) {
  const SubprocessResult run = Board({folder_ / "one.scores.jsonl.gz"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(
      run.out,
      "levenshtein\n"
      "model  rank  n  scored  unread.  errors    mean     ±se  mean of all    pass  95% from      to\n"
      "two       1  3       3        0       0  0.5000  0.2887       0.5000  0.3333    0.0615  0.7923\n"
      "one       1  3       3        0       0  0.5000  0.2887       0.5000  0.3333    0.0615  0.7923\n");
}

TEST_F(LeaderboardCommandTest, EveryFormat) {
  EXPECT_EQ(Board({"--by", "model", "--cluster", "doc", "--format", "table"}).out,
            "levenshtein\n"
            "model  rank  n  scored  unread.  errors    mean     ±se  clusters  mean of all    pass  95% from"
            "      to\n"
            "m         1  1       1        0       0  1.0000       -         1       1.0000  1.0000    0.2065"
            "  1.0000\n"
            "n         2  2       2        0       0  0.2500  0.2500         2       0.2500  0.0000    0.0000"
            "  0.6576\n");
  const std::string markdown = Board({"--by", "model", "--format", "md"}).out;
  EXPECT_NE(markdown.find("### levenshtein\n\n| model | rank |"), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\n| n | 2 | 2 | 2 | 0 | 0 | 0.2500 | 0.2500 | 0.2500 | 0.0000 |"),
            std::string::npos)
      << markdown;
  const std::string csv = Board({"--by", "model", "--format", "csv"}).out;
  EXPECT_NE(csv.find("\nlevenshtein,n,2,2,2,0,0,0.25,0.25,,0.25,0,0,0.65"), std::string::npos) << csv;
  const std::string json = Board({"--by", "model", "--format", "json"}).out;
  EXPECT_NE(json.find("{\"scorer\": \"levenshtein\", \"model\": \"n\", \"rank\": 2, \"records\": 2, "),
            std::string::npos)
      << json;
}

TEST_F(LeaderboardCommandTest, FileNamesOfAnyBytesAreValidUtf8) {
  Score("caf\xe9.jsonl");
  const std::string json = Board({folder_ / "caf\xe9.jsonl", "--format", "json"}).out;
  EXPECT_NE(json.find("\"model\": \"caf\uFFFD\""), std::string::npos) << json;
}

TEST_F(LeaderboardCommandTest, Refusals) {
  ExpectRefused(Board({folder_ / "two.jsonl"}), "would both be the model \"two\"; rename one");
  ExpectRefused(Board({folder_ / "none.jsonl"}), "none.jsonl");
  ExpectRefused(Board({folder_ / "pairs.jsonl"}), "pairs.jsonl: record 1 is no line of scores");
  ExpectRefused(Board({"--by", "colour"}), "no line of scores has the field \"colour\"");
  ExpectRefused(Board({"--format", "xml"}), "--format");
}

}  // namespace
}  // namespace leafscore::internal
