// Runs of the command in shards, and their merge.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "cli/counting_judge.h"
#include "cli/subprocess.h"
#include "engine/process/child_process.h"
#include "run/run_testing.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

class ShardCommandTest : public testing::Test {
 protected:
  void WriteRecords(int count) {
    std::string records;
    for (int i = 0; i < count; ++i) {
      const std::string n = std::to_string(i * 7919 % 100003);
      records += R"({"id": )" + std::to_string(i) + R"(, "expected": {"total": )" + n +
                 R"(, "name": "name )" + n + R"("}, "actual": {"total": )" + n + R"(, "name": "mane )" + n +
                 "\"}}\n";
    }
    WriteFile(input_, records);
  }

  std::vector<std::string> Score(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments = {"score", input_, "-s", "json_similarity", "-o", output_};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // Merges the shards, the last one first.
  SubprocessResult Merge(int count, const std::vector<std::string>& more,
                         const SubprocessOptions& options = {}) {
    std::vector<std::string> arguments = {"merge", "-o", output_};
    for (int i = count; i >= 1; --i) arguments.push_back(ShardFile(i, count));
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunCommand(arguments, {}, options);
  }

  static std::string Part(int index, int count) {
    return std::to_string(index) + "/" + std::to_string(count);
  }
  std::string ShardFile(int index, int count) const {
    return output_ + ".shard-" + std::to_string(index) + "-of-" + std::to_string(count);
  }

  const TempDir folder_;
  const std::string input_ = folder_ / "in.jsonl";
  const std::string output_ = folder_ / "out.jsonl";
};

TEST_F(ShardCommandTest, ShardsThatRunAtOnceAreMerged) {
  WriteRecords(2000);
  ASSERT_EQ(RunCommand(Score({"-q"})).exit_code, 0);
  const std::string whole = ReadFile(output_);
  std::filesystem::remove(output_);
  std::vector<std::unique_ptr<Subprocess>> shards;
  for (int i = 1; i <= 4; ++i) shards.push_back(std::make_unique<Subprocess>(Score({"--shard", Part(i, 4)})));
  for (int i = 1; i <= 4; ++i) {
    const SubprocessResult shard = shards[static_cast<std::size_t>(i - 1)]->Wait();
    EXPECT_EQ(shard.exit_code, 0);
    // No figure of a part is shown as if it were of all.
    EXPECT_EQ(shard.err.find("mean"), std::string::npos) << shard.err;
    EXPECT_NE(shard.err.find("shard " + std::to_string(i) + " of 4: "), std::string::npos) << shard.err;
  }
  EXPECT_FALSE(std::filesystem::exists(output_));
  const SubprocessResult merge = Merge(4, {});
  EXPECT_EQ(merge.exit_code, 0);
  EXPECT_NE(merge.err.find("mean"), std::string::npos) << merge.err;
  EXPECT_TRUE(ReadFile(output_) == whole);
}

TEST_F(ShardCommandTest, GatesAndSummariesBelongToTheMerge) {
  WriteRecords(20);
  const std::vector<std::string> gates[] = {{"--fail-under", "0.9"},
                                            {"--min-pass-rate", "1"},
                                            {"--min-coverage", "1"},
                                            {"--max-errors", "0"},
                                            {"--strict"},
                                            {"--gate-by", "id"},
                                            {"--summary", folder_ / "summary.json"}};
  for (std::vector<std::string> more : gates) {
    more.insert(more.end(), {"--shard", "1/2"});
    ExpectRefused(RunCommand(Score(more)), "to `leafscore merge`");
  }
  for (const std::string part : {"1/2", "2/2"})
    ASSERT_EQ(RunCommand(Score({"--shard", part, "-q"})).exit_code, 0);
  EXPECT_EQ(Merge(2, {"-q", "--fail-under", "0.99"}).exit_code, 1);
  EXPECT_EQ(Merge(2, {"-q", "--fail-under", "0.1", "--strict"}).exit_code, 0);
  EXPECT_EQ(Merge(2, {"-q", "--memory", "268435456"}).exit_code, 0);
  ExpectRefused(Merge(2, {"-q", "--fail-under", "nobody=0.1"}), "nobody");
}

TEST_F(ShardCommandTest, WhatIsNoShardIsRefused) {
  WriteRecords(2);
  for (const std::string part :
       {"3", "3/", "/3", "a/b", "1/2/3", "-1/2", "1/0", "0/2", "3/2", " 1/2", "1/99999999999"}) {
    const SubprocessResult run = RunCommand(Score({"--shard", part}));
    EXPECT_EQ(run.exit_code, 2) << part;
    EXPECT_NE(run.err.find("shard"), std::string::npos) << run.err;
  }
  ExpectRefused(RunCommand({"score", input_, "-s", "levenshtein", "--shard", "1/2"}),
                "name that output (-o)");
  ExpectRefused(RunCommand({"score", "-", "-s", "levenshtein", "--shard", "1/2", "-o", output_}),
                "must be named files");
}

// A device has no place beside it for a shard, and nobody would look for one there.
TEST_F(ShardCommandTest, AnOutputThatIsNoFileHasNoShards) {
  WriteRecords(2);
  std::filesystem::create_symlink("/dev/null", folder_ / "null.jsonl");
  std::filesystem::create_directory(folder_ / "folder");
  ASSERT_EQ(mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  for (const std::string& output : {folder_ / "null.jsonl", folder_ / "folder", folder_ / "pipe"}) {
    ExpectRefused(RunCommand({"score", input_, "-s", "levenshtein", "--shard", "1/2", "-o", output}),
                  "name that output (-o)");
    EXPECT_FALSE(std::filesystem::exists(output + ".shard-1-of-2"));
  }
}

TEST_F(ShardCommandTest, AFinishedShardSaysNothingOfAStart) {
  WriteRecords(1);
  for (const std::string part : {"1/2", "2/2"}) {  // the second has no records
    ASSERT_EQ(RunCommand(Score({"--shard", part})).exit_code, 0);
    const std::string file = ReadFile(ShardFile(part[0] - '0', 2));
    WriteFile(ShardFile(part[0] - '0', 2) + ".partial", "what cannot be gone on with");
    const SubprocessResult again = RunCommand(Score({"--shard", part, "--resume"}));
    EXPECT_EQ(again.exit_code, 0);
    EXPECT_EQ(again.err.find("nothing to go on with"), std::string::npos) << part << again.err;
    EXPECT_EQ(again.err.find("starts over"), std::string::npos) << part << again.err;
    EXPECT_EQ(ReadFile(ShardFile(part[0] - '0', 2)), file);
  }
}

TEST_F(ShardCommandTest, AKilledShardGoesOn) {
  WriteRecords(20000);
  ASSERT_EQ(RunCommand(Score({"-q"})).exit_code, 0);
  const std::string whole = ReadFile(output_);
  std::filesystem::remove(output_);
  std::mt19937 random(12);
  int kills = 0;
  for (int i = 1; i <= 3; ++i) {
    for (const int signal : {SIGKILL, SIGTERM}) {
      std::filesystem::remove(ShardFile(i, 3));
      for (unsigned attempt = 0;; ++attempt) {
        Subprocess shard(Score({"-q", "--resume", "--batch-bytes", "20000", "--shard", Part(i, 3)}));
        if (!shard.EndsWithin(std::chrono::milliseconds(5 + random() % 15 + 3 * attempt)))
          shard.Signal(signal);
        const SubprocessResult run = shard.Wait();
        if (run.exit_code == 0) break;
        ASSERT_TRUE(run.signal == signal || run.exit_code == 143) << run.exit_code << " " << run.err;
        ++kills;
      }
    }
  }
  EXPECT_GT(kills, 0);  // how many, chance and the machine decide
  EXPECT_EQ(Merge(3, {"-q"}).exit_code, 0);
  EXPECT_TRUE(ReadFile(output_) == whole);
}

TEST_F(ShardCommandTest, NoRecordIsJudgedTwice) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the judge needs python3";
  const CountingJudge judge(folder_);
  WriteFile(folder_ / "in.gz", Gzip(CountingJudge::Records(3000)));
  const auto score = [&](int shard) {
    return RunCommand({"score", folder_ / "in.gz", "-q", "--config", judge.config, "-o", output_, "--shard",
                       Part(shard, 2), "--resume"});
  };
  // The second time as when a job array is submitted again.
  for (const int times : {1, 2}) {
    for (const int shard : {1, 2}) ASSERT_EQ(score(shard).exit_code, 0) << times;
  }
  ASSERT_EQ(Merge(2, {"-q"}).exit_code, 0);
  judge.ExpectAskedOnceAbout(3000);
}

// What is merged is 80 MB, of which the merge may hold only some batches.
TEST_F(ShardCommandTest, AMergeHoldsLittleOfItsShards) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take all address space";
  const std::string text(4000, 'x');
  std::string records;
  for (int i = 0; i < 20000; ++i) {
    records += R"({"id": ")" + text + std::to_string(i) + R"(", "expected": 1, "actual": 1})" + "\n";
  }
  WriteFile(input_, records);
  ASSERT_EQ(RunCommand({"score", input_, "-q", "-s", "exact_match", "-o", output_}).exit_code, 0);
  const std::string whole = ReadFile(output_);
  ASSERT_GT(whole.size(), 80'000'000u);
  for (const std::string part : {"1/2", "2/2"}) {
    ASSERT_EQ(
        RunCommand({"score", input_, "-q", "-s", "exact_match", "-o", output_, "--shard", part}).exit_code,
        0);
  }
  SubprocessOptions options;
  options.max_memory = 90 << 20;  // with the program and its libraries
  const SubprocessResult merge = Merge(2, {"-q"}, options);
  EXPECT_EQ(merge.exit_code, 0) << merge.err;
  EXPECT_TRUE(ReadFile(output_) == whole);
}

}  // namespace
}  // namespace leafscore::internal
