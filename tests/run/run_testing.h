// tests/run/run_testing.h: shared by the tests of runs over files: a temporary folder, runs whose counts are
// always checked, output lines read back by an independent reader, and records of every kind.
#ifndef LEAFSCORE_TESTS_RUN_RUN_TESTING_H_
#define LEAFSCORE_TESTS_RUN_RUN_TESTING_H_

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/run/run_files.h"
#include "io/io_test_util.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

inline std::vector<std::string> SplitLines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline rapidjson::Document ParseLine(const std::string& line) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(line.data(), line.size());
  EXPECT_FALSE(document.HasParseError()) << line;
  return document;
}

struct FinishedRun {
  std::string output;              // of the final or, if there is none, the partial file; not decompressed
  std::vector<std::string> lines;  // of `output`
  std::string summary;             // as JSON, without its timing
  RunResult result;
};

class RunTest : public ::testing::Test {
 protected:
  std::string Input(const std::string& name, const std::string& bytes) {
    WriteFile(folder_ / name, bytes);
    return folder_ / name;
  }

  FinishedRun Run(const Plan& plan, FileOptions options, PairOffload* offload = nullptr) {
    if (options.output.empty()) options.output = folder_ / "out.jsonl";
    RunResult result = RunFiles(plan.scorers(), options, offload);
    const std::string output = ReadFile(result.error ? result.partial_output : options.output);
    EXPECT_TRUE(result.summary.CountsAddUp());
    result.summary.totals().wall_seconds = 0;
    std::string summary = result.summary.Report().ToJson();
    return {output, SplitLines(output), std::move(summary), std::move(result)};
  }

  FinishedRun RunText(const Plan& plan, const std::string& input, FileOptions options = {}) {
    options.inputs = {Input("in.jsonl", input)};
    return Run(plan, options);
  }

  // Runs again with 1 to 8 threads and batches of each of these sizes, which must not change a byte.
  void ExpectSameBytes(const Plan& plan, FileOptions options, const FinishedRun& base,
                       std::initializer_list<std::size_t> batch_sizes) {
    for (options.threads = 1; options.threads <= 8; ++options.threads) {
      for (const std::size_t batch_bytes : batch_sizes) {
        options.batch_bytes = batch_bytes;
        const FinishedRun run = Run(plan, options);
        ASSERT_EQ(run.output, base.output) << options.threads << " threads, batches of " << batch_bytes;
        ASSERT_EQ(run.summary, base.summary) << options.threads << " threads, batches of " << batch_bytes;
      }
    }
  }

  TempDir folder_;
};

// A line of input, and its expected result.
struct TestLine {
  std::string text;
  RejectReason reason = RejectReason::kNone;
  std::size_t fault = 0;  // offset of the fault in the text, if it is rejected
};

// Returns `count` lines, valid and damaged ones of many kinds in a fixed mixture, including one of more than
// max_line_bytes.
inline std::vector<TestLine> MixedLines(std::size_t count, std::size_t max_line_bytes) {
  const std::string too_long = R"({"id": "long", "expected": ")" + std::string(max_line_bytes, 'x') + "\"}";
  const std::vector<TestLine> kinds = {
      {R"({"id": #, "expected": {"a": 1, "b": "text"}, "actual": {"a": 1, "b": "text"}})"},
      {R"({"id": "r#", "expected": {"a": 10.5, "b": [1, 2, {"c": null}]}, "actual": {"a": #, "b": [1, 3]}})"},
      {R"({"actual": {"z": "kitten#", "y": true}, "model": "m1", "expected": {"y": true, "z": "sitting#"}})"},
      {R"({"id": #, "model": "m\u0031", "expected": "na\u00efve caf\u00e9", "actual": "naïve cafe #"})"},
      {R"({"id": {"k": [#, "x"]}, "expected": "東京タワー", "actual": "東京スカイツリー"})"},
      {R"({"id": null, "model": 7, "expected": {"\u0061": 1, "b\/": 2}, "actual": {"a": 1, "b/": 3}})"},
      {R"({"id": #, "expected": {"d": 1, "d": 2}, "actual": {"d": 2}, "model": "m2"})"},
      {R"({"id": #, "expected": [1e400, 18446744073709551616], "actual": [1e400, 18446744073709551615]})"},
      {R"({"id": #, "expected": "\ud800x", "actual": "\ud801x", "model": {"name": "m3"}})"},
      {R"({"id": #, "expected": {}, "actual": []})"},
      {R"({"id": #, "actual": 1})"},
      {R"({"id": #, "expected": 1})"},
      {R"({"id": #, "expected": {"a": 1}, "actual": {"a" 1}})", RejectReason::kInvalidJson, 47},
      {R"({"id": #, "expected": 1, "actual": "open)", RejectReason::kInvalidJson, 35},
      {"{\"id\": #, \"expected\": \"\xff\", \"actual\": 1}", RejectReason::kInvalidUtf8, 23},
      {R"([#, 1, 2])", RejectReason::kNotAnObject, 0},
      {R"({"id": #, "expected": 1, "actual": 01})", RejectReason::kInvalidJson, 35},
      {too_long, RejectReason::kLineTooLong, 0},
  };
  std::vector<TestLine> lines;
  for (std::size_t i = 0; i < count; ++i) {
    // Vary the neighbours: 7 and the number of kinds have no common divisor, and each round begins elsewhere.
    TestLine line = kinds[(i * 7 + i / kinds.size()) % kinds.size()];
    const std::string number = std::to_string(i % 10);
    for (std::size_t at; (at = line.text.find('#')) != std::string::npos;) line.text.replace(at, 1, number);
    lines.push_back(std::move(line));
  }
  return lines;
}

inline std::string JoinLines(const std::vector<TestLine>& lines) {
  std::string text;
  for (const TestLine& line : lines) text += line.text + "\n";
  return text;
}

// Returns a JSON text with a line break after every bracket, brace and comma that is not in a string.
inline std::string PrettyPrint(std::string_view json) {
  std::string pretty;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string && c == '\\') {
      pretty += c;
      pretty += json[++i];
      continue;
    }
    if (c == '"') in_string = !in_string;
    if (!in_string && (c == '}' || c == ']')) pretty += "\r\n";
    pretty += c;
    if (!in_string && (c == '{' || c == '[' || c == ',')) pretty += "\n\t ";
  }
  return pretty;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_RUN_RUN_TESTING_H_
