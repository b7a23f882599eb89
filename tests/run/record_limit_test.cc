// Runs over the first records of each input (--limit): what is not read has no effect, and the report, the
// manifest and a continued run know of the limit.
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <string>
#include <vector>

#include "engine/run/run_files.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class RecordLimitTest : public RunTest {
 protected:
  static std::string Records(int begin, int end) {
    std::string records;
    for (int i = begin; i < end; ++i) {
      records += R"({"id": )" + std::to_string(i) + R"(, "expected": {"a": )" + std::to_string(i) +
                 R"(}, "actual": {"a": )" + std::to_string(i - i % 3) + "}}\n";
    }
    return records;
  }
  static FileOptions Limited(std::uint64_t limit) {
    FileOptions options;
    options.limit = limit;
    return options;
  }

  const Plan plan_{std::vector<std::string>{"exact_match"}};
};

TEST_F(RecordLimitTest, OnlyTheFirstRecordsAreScored) {
  const FinishedRun all = RunText(plan_, Records(0, 40));
  for (const std::uint64_t limit : {1, 2, 39, 40, 41}) {
    const std::size_t scored = std::min<std::size_t>(limit, 40);
    const FinishedRun run = RunText(plan_, Records(0, 40), Limited(limit));
    ASSERT_FALSE(run.result.error);
    ASSERT_EQ(run.lines.size(), scored);
    EXPECT_TRUE(std::equal(run.lines.begin(), run.lines.end(), all.lines.begin()));
    // With 40, nothing shows that there is no more.
    EXPECT_EQ(run.result.summary.totals().limit, limit <= 40 ? limit : 0);
    EXPECT_EQ(
        run.summary.find("\"limit\": " + std::to_string(limit) + ",\n  \"timing\"") != std::string::npos,
        limit <= 40)
        << run.summary;
    EXPECT_EQ(run.result.summary.Report().ToTable().find("scored only the first") != std::string::npos,
              limit <= 40);
  }
}

// Whatever follows, and however much of it is read along.
TEST_F(RecordLimitTest, WhatFollowsHasNoEffect) {
  const std::string rows = "id,expected,actual\n1,a,a\n2,b,c\n";
  const std::string array = R"([{"expected": 1, "actual": 1}, {"expected": 2, "actual": 3}, )";
  const std::vector<std::vector<std::string>> inputs = {
      {"in.jsonl", Records(0, 2), Records(0, 2) + std::string(100'000, 'x') + "\n{", Records(0, 5)},
      {"in.jsonl.gz", Gzip(Records(0, 2)), Gzip(Records(0, 900)), Gzip(Records(0, 900)).substr(0, 3000)},
      {"in.json", array + "5]", array + "{\"a", array + "]]]"},
      {"in.csv", rows, rows + "\"broken\n", rows + "3,c,d\n"}};
  for (const std::vector<std::string>& input : inputs) {
    std::string output;
    std::string manifest;
    for (std::size_t i = 1; i < input.size(); ++i) {
      FileOptions options = Limited(2);
      options.inputs = {Input(input[0], input[i]), Input("second.jsonl", Records(7, 20))};
      for (const std::size_t batch_bytes : {1, 30, 1000, 1 << 20}) {
        options.batch_bytes = batch_bytes;
        const FinishedRun run = Run(plan_, options);
        ASSERT_FALSE(run.result.error) << input[0] << i << ": " << run.result.error->what();
        EXPECT_EQ(run.lines.size(), 4u) << input[0] << i;
        if (output.empty()) output = run.output;
        EXPECT_EQ(run.output, output) << input[0] << i << ", " << batch_bytes;
        const std::string told = ReadFile(folder_ / "out.jsonl.manifest.json");
        if (manifest.empty()) manifest = told;
        EXPECT_EQ(told, manifest) << input[0] << i << ", " << batch_bytes;
      }
    }
  }
}

TEST_F(RecordLimitTest, ThreadsAndBatchesDoNotChangeABit) {
  FileOptions options = Limited(333);
  options.inputs = {Input("a.jsonl", Records(0, 1000)), Input("b.jsonl", Records(1000, 3000))};
  const FinishedRun base = Run(plan_, options);
  EXPECT_EQ(base.result.summary.totals().records_read, 666u);
  ExpectSameBytes(plan_, options, base, {1, 100, 16384, 1 << 20});
}

TEST_F(RecordLimitTest, AContinuedRunNeedsTheSameLimit) {
  FileOptions options = Limited(50);
  options.inputs = {Input("a.jsonl", Records(0, 60)), Input("b.jsonl", Records(60, 120))};
  options.batch_bytes = 300;
  options.output = folder_ / "whole.jsonl";
  const FinishedRun whole = Run(plan_, options);
  options.output = folder_ / "out.jsonl";
  Input("b.jsonl.gz", Gzip(Records(60, 120)).substr(0, 300));
  options.inputs[1] = folder_ / "b.jsonl.gz";
  const FinishedRun broken = Run(plan_, options);
  ASSERT_TRUE(broken.result.error);
  Input("b.jsonl.gz", Gzip(Records(60, 120)));
  options.resume = true;
  options.limit = 49;
  try {
    RunFiles(plan_.scorers(), options);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the option limit was"), std::string::npos) << error.what();
  }
  options.limit = 50;
  const FinishedRun run = Run(plan_, options);
  ASSERT_FALSE(run.result.error) << run.result.error->what();
  EXPECT_GE(run.result.resumed_records, 50u);
  EXPECT_EQ(run.output, whole.output);
  EXPECT_EQ(run.result.summary.totals().limit, 50u);
}

TEST_F(RecordLimitTest, RefusesWhatChoosesRecordsInAnotherWay) {
  FileOptions options = Limited(5);
  options.inputs = {Input("in.jsonl", Records(0, 9))};
  const auto refused = [&](auto change, const std::string& part) {
    FileOptions changed = options;
    change(changed);
    try {
      RunFiles(plan_.scorers(), changed);
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  refused(
      [](FileOptions& o) {
        o.shard = {{.index = 1, .count = 2}};
        o.output = "x";
      },
      "--shard");
  refused([&](FileOptions& o) { o.gold = Input("gold.jsonl", Records(0, 9)); }, "gold");
  refused(
      [](FileOptions& o) {
        o.actual_field = "answers.*";
        o.source_field = "model";
      },
      "--actual-field");
}

}  // namespace
}  // namespace leafscore::internal
