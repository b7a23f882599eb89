// tests/cli/counting_judge.h: a persistent judge that records its questions, records for it, and whether it
// was asked about each of them once.
#ifndef LEAFSCORE_TESTS_CLI_COUNTING_JUDGE_H_
#define LEAFSCORE_TESTS_CLI_COUNTING_JUDGE_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "io/io_test_util.h"
#include "run/run_testing.h"

namespace leafscore::internal {

class CountingJudge {
 public:
  // Writes its files into a folder. `seconds` is the time that a reply takes.
  explicit CountingJudge(const TempDir& folder, const std::string& seconds = "0")
      : config(folder / "judge.yaml"), log_(folder / "judge.py.log") {
    WriteFile(folder / "judge.py", R"(import json, sys, time
for line in sys.stdin:
    request = json.loads(line)
    with open(sys.argv[0] + ".log", "a") as log:
        log.write(request["candidate_answer"] + "\n")
    time.sleep()" + seconds + R"()
    print(json.dumps({"score": 0.5, "sequence": request["sequence"]}), flush=True)
)");
    WriteFile(config, "scorers:\n  - type: code_judge\n    process: persistent\n    script: [python3, " +
                          (folder / "judge.py") + "]\n");
  }

  // Returns records whose answers differ.
  static std::string Records(std::size_t count) {
    std::string records;
    for (std::size_t i = 0; i < count; ++i) {
      const std::string n = std::to_string(i);
      records += R"({"id": )" + n + R"(, "expected": "e", "actual": "a)" + n + "\"}\n";
    }
    return records;
  }

  std::size_t asked() const { return SplitLines(ReadFile(log_)).size(); }
  void Forget() const { std::filesystem::remove(log_); }

  void ExpectAskedOnceAbout(std::size_t records) const {
    std::map<std::string, int> asked;
    for (const std::string& line : SplitLines(ReadFile(log_))) ++asked[line];
    EXPECT_EQ(asked.size(), records);
    for (const auto& [answer, times] : asked) EXPECT_EQ(times, 1) << answer;
  }

  const std::string config;  // of the scorer

 private:
  const std::string log_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_CLI_COUNTING_JUDGE_H_
