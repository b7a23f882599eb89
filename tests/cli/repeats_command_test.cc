// Several lines of one id, by every command that takes --repeats: one rule says which of them count
// (docs/leaderboard.md, "What was asked").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "cli/subprocess.h"
#include "io/io_test_util.h"

namespace leafscore::internal {
namespace {

using ::testing::HasSubstr;

constexpr const char* kEachRepeats[] = {"last", "first", "all", "error"};

// Two records of the id a, one of which is cut off, and one of the id b.
class RepeatsCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    WriteFile(Path("pairs.jsonl"), Records(R"(, "expected": 1)"));
    WriteFile(Path("answers.jsonl"), Records(""));
    WriteFile(Path("gold.jsonl"), "{\"id\": \"a\", \"expected\": 1}\n{\"id\": \"b\", \"expected\": 1}\n");
  }

  static std::string Records(const std::string& expected) {
    return R"({"id": "a")" + expected + ", \"actual\": 1}\n" + R"({"id": "a")" + expected +
           ", \"actual\": \n" + R"({"id": "b")" + expected + ", \"actual\": 1}\n";
  }

  std::string Path(const std::string& name) const { return folder_ / name; }

  // Runs the command. RETURNS: its standard output. It ends well.
  static std::string Run(const std::vector<std::string>& arguments) {
    const SubprocessResult run = RunCommand(arguments);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    return run.out;
  }

  TempDir folder_;
};

TEST_F(RepeatsCommandTest, ABrokenLineCountsNowhereBesideOneThatCouldBeRead) {
  Run({"score", Path("pairs.jsonl"), "-q", "-s", "exact_match", "-o", Path("scores.jsonl")});
  for (const std::string repeats : kEachRepeats) {
    SCOPED_TRACE(repeats);
    const std::vector<std::string> gold = {"--gold", Path("gold.jsonl"), "--repeats", repeats};
    std::vector<std::string> score = {"score", Path("answers.jsonl"), "-q", "-s", "exact_match"};
    score.insert(score.end(), gold.begin(), gold.end());

    std::vector<std::string> whole = score;
    whole.insert(whole.end(), {"-o", Path("whole.jsonl"), "--summary", "-"});
    const std::string mean = "\"over_all\": {\n        \"mean\": 1,";
    EXPECT_THAT(Run(whole), HasSubstr(mean));

    for (const std::string shard : {"1/2", "2/2"}) {
      std::vector<std::string> part = score;
      part.insert(part.end(), {"-o", Path("merged.jsonl"), "--shard", shard});
      Run(part);
    }
    EXPECT_THAT(Run({"merge", Path("merged.jsonl.shard-1-of-2"), Path("merged.jsonl.shard-2-of-2"), "-q",
                     "-o", Path("merged.jsonl"), "--summary", "-"}),
                HasSubstr(mean));

    const std::string nothing_turns = repeats == "all" ? "\"sd\": 0," : "\"churn\": 0,";
    for (const std::string scores : {"scores.jsonl", "whole.jsonl", "merged.jsonl"}) {
      SCOPED_TRACE(scores);
      EXPECT_THAT(Run({"leaderboard", Path(scores), "--repeats", repeats, "--format", "json"}),
                  HasSubstr("\"over_all\": {\"mean\": 1,"));
      EXPECT_THAT(Run({"compare", Path(scores), Path(scores), "--repeats", repeats, "--format", "json"}),
                  HasSubstr("\"base\": 1, \"now\": 1,"));
      EXPECT_THAT(Run({"plan-test", Path(scores), Path(scores), "--repeats", repeats, "--format", "json"}),
                  HasSubstr(nothing_turns));
    }
  }
}

TEST_F(RepeatsCommandTest, OfTwoLinesThatCouldBeReadAllCountTheirMeanAndAnErrorNamesTheId) {
  WriteFile(
      Path("pairs.jsonl"),
      "{\"id\": \"a\", \"expected\": 1, \"actual\": 1}\n{\"id\": \"a\", \"expected\": 1, \"actual\": 2}\n"
      "{\"id\": \"b\", \"expected\": 1, \"actual\": 1}\n");
  Run({"score", Path("pairs.jsonl"), "-q", "-s", "exact_match", "-o", Path("scores.jsonl")});
  const std::string scores = Path("scores.jsonl");
  for (const auto& [repeats, mean] : {std::pair("first", "1"), {"last", "0.5"}, {"all", "0.75"}}) {
    const std::string figure = std::string("\"mean\": ") + mean + ",";
    EXPECT_THAT(Run({"leaderboard", scores, "--repeats", repeats, "--format", "json"}), HasSubstr(figure));
    const std::string both = std::string("\"base\": ") + mean + ", \"now\": " + mean + ",";
    EXPECT_THAT(Run({"compare", scores, scores, "--repeats", repeats, "--format", "json"}), HasSubstr(both));
  }
  ExpectRefused(RunCommand({"leaderboard", scores, "--repeats", "error"}), "2 lines of the id a");
  ExpectRefused(RunCommand({"compare", scores, scores, "--repeats", "error"}),
                "the id \"a\" has several lines under the scorer \"exact_match\"; give --repeats last, first "
                "or all to say which count");
}

}  // namespace
}  // namespace leafscore::internal
