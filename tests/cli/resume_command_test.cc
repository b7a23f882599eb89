// Runs of the command that are killed, and go on.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cli/subprocess.h"
#include "engine/process/child_process.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class ResumeCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string records;
    for (int i = 0; i < 20000; ++i) {
      const std::string n = std::to_string(i * 7919 % 100003);
      records += R"({"id": )" + std::to_string(i) + R"(, "model": "m)" + std::to_string(i % 5) +
                 R"(", "expected": {"total": )" + n + R"(, "name": "name )" + n +
                 R"(" }, "actual": {"total": )" + n + R"(, "name": "mane )" + n + "\"}}\n";
    }
    WriteFile(input_, records);
  }

  std::vector<std::string> Arguments(const std::string& output) const {
    return {"score",
            input_,
            "-s",
            "json_similarity",
            "-s",
            "levenshtein",
            "-o",
            folder_ / output,
            "-q",
            "--group-by",
            "model",
            "--batch-bytes",
            "20000",
            "--summary",
            folder_ / "summary.json"};
  }

  // The summary, but for times.
  std::string Summary() const {
    std::string kept;
    for (const std::string& line : SplitLines(ReadFile(folder_ / "summary.json"))) {
      if (line.find("seconds") == std::string::npos && line.find("per_second") == std::string::npos)
        kept += line + "\n";
    }
    return kept;
  }

  // Kills the run to an output again and again, each time a little later, until one ends by itself.
  // RETURNS: the number of kills.
  int KillUntilDone(const std::string& output, int signal) {
    std::mt19937 random(12);
    std::vector<std::string> arguments = Arguments(output);
    arguments.emplace_back("--resume");
    for (int kills = 0;; ++kills) {
      Subprocess command(arguments);
      const std::chrono::milliseconds life(5 + random() % 20 + 3 * static_cast<unsigned>(kills));
      if (!command.EndsWithin(life)) command.Signal(signal);
      const SubprocessResult run = command.Wait();
      if (run.exit_code == 0) return kills;
      const bool by_signal = run.signal == signal || run.exit_code == 130;
      EXPECT_TRUE(by_signal) << run.exit_code << " " << run.err;
      if (!by_signal) return kills;
    }
  }

  const TempDir folder_;
  const std::string input_ = folder_ / "in.jsonl";
};

TEST_F(ResumeCommandTest, KilledAtAnyMomentTheEndHasTheSameBytes) {
  for (const std::string output : {"out.jsonl", "out.csv.gz", "out.jsonl.zst"}) {
    ASSERT_EQ(RunCommand(Arguments(output)).exit_code, 0);
    const std::string whole = ReadFile(folder_ / output);
    const std::string manifest = ReadFile(folder_ / (output + ".manifest.json"));
    const std::string summary = Summary();
    for (const int signal : {SIGKILL, SIGINT}) {
      std::filesystem::remove(folder_ / output);
      std::filesystem::remove(folder_ / (output + ".manifest.json"));
      std::filesystem::remove(folder_ / (output + ".partial"));
      std::filesystem::remove(folder_ / (output + ".journal"));
      EXPECT_GT(KillUntilDone(output, signal), 0);
      EXPECT_TRUE(ReadFile(folder_ / output) == whole) << output;
      EXPECT_EQ(ReadFile(folder_ / (output + ".manifest.json")), manifest);
      EXPECT_EQ(Summary(), summary);
      // A kill in the moment in which a run makes its files leaves them empty.
      EXPECT_EQ(ReadFile(folder_ / (output + ".partial")), "");
      EXPECT_EQ(ReadFile(folder_ / (output + ".journal")), "");
    }
  }
}

TEST_F(ResumeCommandTest, AFullDiskKeepsWhatIsThereAndTheRunGoesOn) {
  ASSERT_EQ(RunCommand(Arguments("out.jsonl")).exit_code, 0);
  const std::string whole = ReadFile(folder_ / "out.jsonl");
  std::filesystem::remove(folder_ / "out.jsonl");
  const SubprocessResult full = RunCommand(Arguments("out.jsonl"), {}, {.max_file_size = 300000});
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_NE(full.err.find("out.jsonl.partial; --resume goes on with them"), std::string::npos) << full.err;
  std::vector<std::string> arguments = Arguments("out.jsonl");
  arguments.emplace_back("--resume");
  const SubprocessResult run = RunCommand(arguments);
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.err.find("went on after "), std::string::npos) << run.err;
  EXPECT_TRUE(ReadFile(folder_ / "out.jsonl") == whole);
}

TEST_F(ResumeCommandTest, NoRecordIsJudgedTwice) {
  if (FindProgram("python3", "/").empty()) GTEST_SKIP() << "the judge needs python3";
  WriteFile(folder_ / "judge.py", R"(import json, sys
for line in sys.stdin:
    request = json.loads(line)
    with open(sys.argv[0] + ".log", "a") as log:
        log.write(request["candidate_answer"] + "\n")
    print(json.dumps({"score": 0.5}), flush=True)
)");
  WriteFile(folder_ / "judge.yaml",
            "scorers:\n  - type: code_judge\n    process: persistent\n    script: [python3, " +
                (folder_ / "judge.py") + "]\n");
  std::string records;
  for (int i = 0; i < 300; ++i) {
    records +=
        R"({"id": )" + std::to_string(i) + R"(, "expected": "e", "actual": "a)" + std::to_string(i) + "\"}\n";
  }
  const std::string gz = Gzip(records);
  for (const std::string output : {"out.jsonl", "out.jsonl.gz"}) {
    std::filesystem::remove(folder_ / "judge.py.log");
    WriteFile(folder_ / "in.gz", gz.substr(0, gz.size() - 1));
    std::vector<std::string> arguments = {
        "score", folder_ / "in.gz", "-q", "--config", folder_ / "judge.yaml", "-o", folder_ / output};
    ASSERT_EQ(RunCommand(arguments).exit_code, 2);
    WriteFile(folder_ / "in.gz", gz);
    arguments.emplace_back("--resume");
    const SubprocessResult run = RunCommand(arguments);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::map<std::string, int> asked;
    for (const std::string& line : SplitLines(ReadFile(folder_ / "judge.py.log"))) ++asked[line];
    EXPECT_EQ(asked.size(), 300u);
    for (const auto& [answer, times] : asked) EXPECT_EQ(times, 1) << answer;
  }
}

}  // namespace
}  // namespace leafscore::internal
