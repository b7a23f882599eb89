// How runs over files end when they do not come to their own end.
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "engine/run/run_files.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

constexpr std::size_t kEndingLineLimit = 400;

TEST_F(RunTest, WhatCameBeforeTheBreakOfACompressedInputIsScored) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += R"({"id": )" + std::to_string(i) + R"(, "expected": "e)" + std::to_string(i * 7919 % 1000) +
            R"(", "actual": "a)" + std::to_string(i * 104729 % 1000) + "\"}\n";
  }
  const Plan plan({"levenshtein"});
  const FinishedRun whole = RunText(plan, text);
  ASSERT_EQ(whole.lines.size(), 40u);
  for (const std::string& bytes : {Gzip(text), Zstd(text)}) {
    std::size_t most_scored = 0;
    for (std::size_t cut = 8; cut < bytes.size(); cut += 5) {
      FileOptions options;
      options.batch_bytes = 200;
      const FinishedRun run = RunText(plan, bytes.substr(0, cut), options);
      SCOPED_TRACE("cut at " + std::to_string(cut) + " of " + std::to_string(bytes.size()));
      ASSERT_TRUE(run.result.error);
      EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
      EXPECT_NE(std::string(run.result.error->what()).find(folder_ / "in.jsonl"), std::string::npos);
      EXPECT_EQ(run.result.partial_output, run.lines.empty() ? "" : folder_ / "out.jsonl.partial");
      std::filesystem::remove(folder_ / "out.jsonl.partial");
      EXPECT_EQ(run.lines.size(), run.result.summary.totals().records_read);
      for (std::size_t i = 0; i < run.lines.size(); ++i) {
        const bool is_unfinished =
            i + 1 == run.lines.size() && run.lines[i].find("\"truncated_input\"") != std::string::npos;
        if (!is_unfinished) {
          EXPECT_EQ(run.lines[i], whole.lines[i]);
        }
      }
      most_scored = std::max<std::size_t>(most_scored, run.result.summary.Overall(0).counts().scored);
    }
    EXPECT_GE(most_scored, 35u);
  }
  EXPECT_EQ(ReadFile(folder_ / "out.jsonl"), whole.output);  // the earlier result is untouched
}

TEST_F(RunTest, StoppedBeforeItBegan) {
  const std::atomic<bool> stop{true};
  FileOptions options;
  options.stop = &stop;
  const FinishedRun run = RunText(Plan({"exact_match"}), "{}\n", options);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInterrupted);
  EXPECT_EQ(run.result.partial_output, "");  // it would be empty
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.jsonl"));
}

TEST_F(RunTest, StoppedWhileItWaitsForAPipe) {
  const std::string pipe_path = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe_path.c_str(), 0600), 0);
  const std::string text = JoinLines(MixedLines(36, kEndingLineLimit));
  FileOptions options;
  options.inputs = {Input("in.jsonl", text)};
  options.max_line_bytes = kEndingLineLimit;
  options.batch_bytes = 300;
  const Plan plan({"levenshtein"});
  const std::string whole = Run(plan, options).output;

  std::atomic<bool> stop{false};
  Progress progress;
  options.inputs.push_back(pipe_path);  // nobody writes into it
  options.output = folder_ / "stopped.jsonl";
  options.stop = &stop;
  std::jthread stopper([&] {
    while (progress.records < 36) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stop = true;
  });
  options.progress = &progress;
  const FinishedRun run = Run(plan, options);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInterrupted);
  EXPECT_EQ(run.output, whole);
  EXPECT_EQ(run.result.partial_output, options.output + ".partial");
  EXPECT_FALSE(std::filesystem::exists(options.output));
}

TEST_F(RunTest, ErrorsOfARunBeforeItsFirstRecord) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", "{}\n"), folder_ / "absent"};
  options.output = folder_ / "out.jsonl";
  EXPECT_NE(
      ErrorOf(ErrorCode::kInput, [&] { RunFiles(Plan({"contains"}).scorers(), options); }).find("absent"),
      std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out.jsonl.partial"));
  options.inputs.pop_back();
  options.output = folder_ / "no/such/out.jsonl";
  EXPECT_NE(
      ErrorOf(ErrorCode::kOutput, [&] { RunFiles(Plan({"contains"}).scorers(), options); }).find("no/such"),
      std::string::npos);
}

TEST_F(RunTest, AFailedOutputIsAnErrorOfTheRun) {
  FileOptions options;
  options.output = "/dev/full";
  options.inputs = {Input("in.jsonl", JoinLines(MixedLines(36, kEndingLineLimit)))};
  options.batch_bytes = 100;
  const RunResult result = RunFiles(Plan({"levenshtein"}).scorers(), options);
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->code(), ErrorCode::kOutput);
  EXPECT_NE(std::string(result.error->what()).find("/dev/full after 0 bytes"), std::string::npos);
  EXPECT_EQ(result.partial_output, "");
}

TEST_F(RunTest, NoOutputWanted) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", R"({"expected": 1, "actual": 1})")};
  const RunResult result = RunFiles(Plan({"exact_match"}).scorers(), options);
  EXPECT_FALSE(result.error);
  EXPECT_EQ(result.summary.Overall(0).counts().scored, 1u);
  EXPECT_EQ(result.partial_output, "");
}

}  // namespace
}  // namespace leafscore::internal
