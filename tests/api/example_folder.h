// tests/api/example_folder.h: the files that the examples of the public interface use. Each example runs in
// its own folder with these files.
#ifndef LEAFSCORE_TESTS_API_EXAMPLE_FOLDER_H_
#define LEAFSCORE_TESTS_API_EXAMPLE_FOLDER_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

// Has, in the current folder:
//   pairs.jsonl                        records of two models, `a` and `b`, with expected and actual values
//   gold.jsonl                         24 expected values
//   large.jsonl, small.jsonl           answers to them: the large model has all right, the small one every
//   second large.scores.jsonl, small.scores.jsonl   their scores, with manifests scorers.yaml a configuration
//   invoice.eval.yaml                  a suite of AgentV
//   runs/, scenarios/                  an agent run and the ground truth of its scenario
class HeaderExamples : public ::testing::Test {
 protected:
  HeaderExamples() {
    std::filesystem::current_path(folder_ / "");
    WriteRecords();
    WriteFile("scorers.yaml",
              "evaluators:\n- {name: fields, type: json_similarity, number_tolerance: 0.01}\n"
              "- {name: same, type: exact_match}\n");
    std::filesystem::copy_file(LEAFSCORE_TEST_DATA "/origins/agentv/invoice.eval.yaml", "invoice.eval.yaml");
    std::filesystem::create_directories("runs");
    std::filesystem::create_directories("scenarios/scenario_11");
    WriteFile("runs/11.json", R"({"run_id": "r1", "scenario_id": "11", "runner": "agent", "model": "large",)"
                              R"( "answer": "{\"power\": 240}"})");
    WriteFile("scenarios/scenario_11/groundtruth.txt", R"({"power": 240})");
  }

  ~HeaderExamples() override { std::filesystem::current_path(home_); }

 private:
  static void WriteRecords() {
    WriteFile(
        "pairs.jsonl",
        R"({"id": "p1", "model": "a", "expected": {"city": "Oslo", "temp": 20}, "actual": {"city": "Oslo", "temp": 20}})"
        "\n"
        R"({"id": "p2", "model": "b", "expected": {"city": "Rome", "temp": 30}, "actual": {"city": "Roma"}})"
        "\n"
        R"({"id": "p3", "model": "b", "expected": {"city": "Bern", "temp": 12}, "actual": "I do not know."})"
        "\n");
    std::string gold;
    std::string large;
    std::string small;
    for (int i = 0; i < 24; ++i) {
      const std::string id = R"({"id": "q)" + std::to_string(i) + '"';
      const std::string value = R"({"total": )" + std::to_string(100 + i) + "}}\n";
      gold += id + R"(, "question": "what is total )" + std::to_string(i) + R"(?", "expected": )" + value;
      large += id + R"(, "actual": )" + value;
      small += id + R"(, "actual": )" + (i % 2 == 0 ? value : "{\"total\": 0}}\n");
    }
    WriteFile("gold.jsonl", gold);
    WriteFile("large.jsonl", large);
    WriteFile("small.jsonl", small);
    for (const std::string model : {"large", "small"}) {
      FileOptions options;
      options.inputs = {model + ".jsonl"};
      options.gold = "gold.jsonl";
      options.output = model + ".scores.jsonl";
      ScoreFiles(Plan({"json_similarity", "exact_match"}), options);
    }
  }

  const std::filesystem::path home_ = std::filesystem::current_path();
  const TempDir folder_;
};

}  // namespace leafscore::internal

using leafscore::internal::HeaderExamples;

// In the tests below, an assertion that does not hold fails the test, also in builds without assertions.
#undef assert
#define assert(condition) EXPECT_TRUE(condition)

#endif  // LEAFSCORE_TESTS_API_EXAMPLE_FOLDER_H_
