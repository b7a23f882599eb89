// Runs that end early and go on: whatever was left of the output and of the journal, the end must have the
// bytes of a run without a break.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "engine/run/run_files.h"
#include "engine/run/run_journal.h"
#include "engine/run/scored_batch.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

struct ResumeCase {
  std::string name;
  std::string output;
  bool gold = false;
  Repeats repeats = Repeats::kLast;
  DetailLevel details = DetailLevel::kBasic;
};

void PrintTo(const ResumeCase& resume_case, std::ostream* out) { *out << resume_case.name; }

std::string Record(int i, bool with_expected) {
  const std::string n = std::to_string(i);
  std::string line = R"({"id": "r)" + n + R"(", "model": "m)" + std::to_string(i % 3) + R"(", )";
  if (with_expected) line += R"("expected": {"a": )" + n + R"(, "b": "text )" + n + R"("}, )";
  line += R"("actual": {"a": )" + std::to_string(i - i % 2) + R"(, "b": "tex )" + n + R"("}})";
  if (i % 11 == 5) line = line.substr(0, line.size() - 3);
  return line + "\n";
}

class ResumeTest : public RunTest, public testing::WithParamInterface<ResumeCase> {
 protected:
  // Makes two inputs; the second is compressed, and cut unless `whole`.
  void WriteInputs(bool whole) {
    const bool with_expected = !GetParam().gold;
    std::string first;
    std::string second;
    for (int i = 0; i < 60; ++i) {
      first += Record(i, with_expected);
      second += Record(i + (with_expected ? 60 : 7), with_expected);
    }
    if (GetParam().gold) first += Record(3, false);  // an answer that comes again
    const std::string gz = Gzip(second);
    Input("a.jsonl", first);
    Input("b.jsonl.gz", whole ? gz : gz.substr(0, gz.size() - 1));
  }

  FileOptions Options() {
    FileOptions options;
    options.inputs = {folder_ / "a.jsonl", folder_ / "b.jsonl.gz"};
    options.output = folder_ / GetParam().output;
    options.group_by = {"model"};
    options.details = GetParam().details;
    options.batch_bytes = 1000;
    if (GetParam().gold) {
      std::string gold;
      for (int i = 0; i < 80; ++i) {
        gold += R"({"id": "r)" + std::to_string(i) + R"(", "expected": {"a": )" + std::to_string(i) + "}}\n";
      }
      options.gold = Input("gold.jsonl", gold);
      options.repeats = GetParam().repeats;
    }
    return options;
  }

  // Leaves what a run has written when its second input turns out to be cut, and mends the input.
  void LeaveRun() {
    WriteInputs(/*whole=*/false);
    FileOptions options = Options();
    options.resume = true;  // else a compressed output has no journal
    const FinishedRun run = Run(plan_, options);
    ASSERT_TRUE(run.result.error);
    ASSERT_EQ(run.result.partial_output, Options().output + ".partial");
    WriteInputs(/*whole=*/true);
  }

  std::string FileNames() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
      names.push_back(entry.path().filename());
    }
    std::ranges::sort(names);
    std::string all;
    for (const std::string& name : names) all += name + " ";
    return all;
  }

  const Plan plan_{std::vector<std::string>{"json_similarity", "exact_match"}};
};

TEST_P(ResumeTest, WhateverWasLeftTheEndIsThatOfARunWithoutABreak) {
  WriteInputs(/*whole=*/true);
  const FinishedRun base = Run(plan_, Options());
  ASSERT_FALSE(base.result.error);
  const std::string manifest = ReadFile(Options().output + ".manifest.json");
  std::filesystem::remove(Options().output);
  std::filesystem::remove(Options().output + ".manifest.json");
  const std::string names_before = FileNames();
  constexpr int kSteps = 16;
  std::uint64_t most_resumed = 0;
  FileOptions options = Options();
  options.resume = true;
  for (int step = 0; step <= kSteps; ++step) {
    // A kill leaves any length of the one, and at least as much of the other as the journal tells; a power
    // cut may leave any length of both.
    for (const bool cut_journal : {true, false}) {
      LeaveRun();
      const std::string cut = cut_journal ? JournalPath(options.output) : options.output + ".partial";
      ASSERT_GT(std::filesystem::file_size(cut), 500u);
      std::filesystem::resize_file(cut,
                                   std::filesystem::file_size(cut) * static_cast<unsigned>(step) / kSteps);
      options.threads = 1 + static_cast<unsigned>(step % 3);
      options.batch_bytes = 1000 + static_cast<std::size_t>(step % 4) * 300;
      const FinishedRun run = Run(plan_, options);
      ASSERT_FALSE(run.result.error) << run.result.error->what();
      EXPECT_EQ(run.output, base.output) << step;
      EXPECT_EQ(run.summary, base.summary) << step;
      EXPECT_EQ(ReadFile(Options().output + ".manifest.json"), manifest) << step;
      most_resumed = std::max(most_resumed, run.result.resumed_records);
      if (step == kSteps) {
        EXPECT_EQ(run.result.resumed_records, base.result.summary.totals().records_read);
      }
      std::filesystem::remove(Options().output);
      std::filesystem::remove(Options().output + ".manifest.json");
      // Where nothing of use was left, it is left alone.
      std::filesystem::remove(Options().output + ".partial");
      std::filesystem::remove(JournalPath(Options().output));
    }
  }
  EXPECT_GT(most_resumed, 60u);
  EXPECT_EQ(FileNames(), names_before);
}

TEST_P(ResumeTest, AChangedInputIsRefusedAndNothingIsTouched) {
  LeaveRun();
  std::string changed = ReadFile(folder_ / "a.jsonl");
  changed[changed.find("tex 30") + 1] = 'E';
  WriteFile(folder_ / "a.jsonl", changed);
  const std::string journal = ReadFile(JournalPath(Options().output));
  const std::string partial = ReadFile(Options().output + ".partial");
  FileOptions options = Options();
  options.resume = true;
  const FinishedRun run = Run(plan_, options);
  ASSERT_TRUE(run.result.error);
  EXPECT_EQ(run.result.error->code(), ErrorCode::kInput);
  EXPECT_NE(std::string(run.result.error->what()).find("a.jsonl changed since the earlier run"),
            std::string::npos);
  EXPECT_EQ(ReadFile(JournalPath(Options().output)), journal);
  if (!Options().output.ends_with("z") && !Options().output.ends_with("zst")) {
    EXPECT_EQ(ReadFile(Options().output + ".partial"), partial);
  }
  EXPECT_FALSE(std::filesystem::exists(Options().output));
}

// With batches that have room for it, threads read ranges of a file, whose last lines end in the next range.
TEST_F(RunTest, ARunOverRangesOfAFileGoesOn) {
  constexpr std::size_t kRange = 16384;
  std::string text;
  for (int i = 0; text.size() < 5 * kRange; ++i) text += Record(i, /*with_expected=*/true);
  const Plan plan({"json_similarity"});
  FileOptions options;
  options.inputs = {Input("a.jsonl", text), Input("b.jsonl.gz", Gzip(Record(1, true)))};
  options.output = folder_ / "out.jsonl";
  options.batch_bytes = kRange;
  const std::string base = Run(plan, options).output;
  const std::string manifest = ReadFile(options.output + ".manifest.json");
  options.resume = true;
  std::string gz = ReadFile(options.inputs[1]);
  std::uint64_t least_resumed = 0;
  for (const bool is_changed : {false, true}) {
    for (std::size_t sixteenths = 1; sixteenths <= 16; ++sixteenths) {
      std::filesystem::remove(options.output);
      WriteFile(options.inputs[0], text);
      WriteFile(options.inputs[1], gz.substr(0, gz.size() - 1));
      ASSERT_TRUE(Run(plan, options).result.error);
      WriteFile(options.inputs[1], gz);
      const std::string journal = JournalPath(options.output);
      std::filesystem::resize_file(journal, std::filesystem::file_size(journal) * sixteenths / 16);
      if (is_changed) {  // the record that begins in the first range, behind that range
        std::string changed = text;
        changed[kRange] ^= 1;
        WriteFile(options.inputs[0], changed);
      }
      options.threads = static_cast<unsigned>(sixteenths % 3 + 1);
      options.batch_bytes = sixteenths % 2 == 0 ? kRange : 1000;
      const FinishedRun run = Run(plan, options);
      options.batch_bytes = kRange;
      if (!is_changed) {
        ASSERT_FALSE(run.result.error);
        EXPECT_EQ(run.output, base) << sixteenths;
        EXPECT_EQ(ReadFile(options.output + ".manifest.json"), manifest) << sixteenths;
        if (least_resumed == 0) least_resumed = run.result.resumed_records;
      } else if (run.result.error) {
        EXPECT_NE(std::string(run.result.error->what()).find("changed since the earlier run"),
                  std::string::npos);
      } else {
        EXPECT_EQ(run.result.resumed_records, 0u) << sixteenths;
      }
      std::filesystem::remove(options.output + ".partial");
      std::filesystem::remove(journal);
    }
  }
  // One entry was enough to go on with.
  EXPECT_GT(least_resumed, 0u);
  EXPECT_LT(least_resumed, 2 * kRange / 60);
}

INSTANTIATE_TEST_SUITE_P(
    All, ResumeTest,
    testing::Values(ResumeCase{"Lines", "out.jsonl"}, ResumeCase{"Csv", "out.csv"},
                    ResumeCase{"Gzip", "out.jsonl.gz"}, ResumeCase{"Zstd", "out.csv.zst"},
                    ResumeCase{"Gold", "out.jsonl", true},
                    ResumeCase{"GoldAll", "out.jsonl", true, Repeats::kAll},
                    ResumeCase{"GoldFirstGzip", "out.jsonl.gz", true, Repeats::kFirst},
                    ResumeCase{"Leaves", "out.jsonl", false, Repeats::kLast, DetailLevel::kLeaves}),
    [](const auto& test) { return test.param.name; });

// A checksum tells damage, but not what was made on purpose.
TEST(ScoredBatch, ValuesThatThereAreNotAreRefused) {
  const auto unpacks = [](const RecordScore& score, FieldOutcome field) {
    ScoredBatch scored;
    scored.batch.records.resize(1);
    scored.results.scores = {score};
    scored.results.fields = {field};
    std::string bytes;
    PackedWriter out(bytes);
    PackBatch(scored, out);
    PackedReader in(bytes);
    return UnpackBatch(in, scored);
  };
  constexpr auto kField = FieldOutcome::kWrong;
  EXPECT_TRUE(unpacks({.score = 0.5, .outcome = Outcome::kScored}, kField));
  EXPECT_TRUE(unpacks({.outcome = Outcome::kError, .reason = RejectReason::kWorkLimit}, kField));
  EXPECT_FALSE(unpacks({.score = 0.5, .outcome = Outcome{5}}, kField));
  EXPECT_FALSE(unpacks({.outcome = Outcome::kError, .reason = RejectReason{200}}, kField));
  EXPECT_FALSE(unpacks({.score = 0.5, .outcome = Outcome::kScored, .passed = 2}, kField));
  EXPECT_FALSE(unpacks({.score = 1.5, .outcome = Outcome::kScored}, kField));
  EXPECT_FALSE(unpacks({.score = std::nan(""), .outcome = Outcome::kScored}, kField));
  // Of a scorer that compares classes, it is the place of one.
  EXPECT_TRUE(unpacks({.score = 0.5, .outcome = Outcome::kScored}, FieldOutcome{255}));
}

using ResumeOptionsTest = RunTest;

TEST_F(ResumeOptionsTest, WithNothingLeftTheRunBeginsAnew) {
  FileOptions options;
  options.resume = true;
  const FinishedRun run =
      RunText(Plan({"levenshtein"}), R"({"id": 1, "expected": "a", "actual": "a"})", options);
  EXPECT_FALSE(run.result.error);
  EXPECT_EQ(run.result.resumed_records, 0u);
  EXPECT_EQ(run.lines.size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(JournalPath(folder_ / "out.jsonl")));
}

TEST_F(ResumeOptionsTest, OtherOptionsScorersOrInputsAreRefused) {
  const std::string lines = R"({"id": 1, "expected": "a", "actual": "a"})"
                            "\n";
  FileOptions options;
  options.inputs = {Input("a.jsonl", lines), Input("b.jsonl.gz", "\x1f\x8b\x08 broken")};
  options.output = folder_ / "out.jsonl";
  const Plan plan({"levenshtein"});
  ASSERT_TRUE(Run(plan, options).result.error);
  options.resume = true;
  const auto refusal = [&](const Plan& other, const FileOptions& changed) {
    try {
      Run(other, changed);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_NE(
      refusal(Plan({"exact_match"}), options).find("a scorer was \"levenshtein\" and is \"exact_match\""),
      std::string::npos);
  FileOptions other = options;
  other.max_depth = 7;
  EXPECT_NE(refusal(plan, other).find("the option max_depth was \"1024\" and is \"7\""), std::string::npos)
      << refusal(plan, other);
  other = options;
  other.inputs.pop_back();
  EXPECT_NE(refusal(plan, other).find("an input was"), std::string::npos) << refusal(plan, other);
  other = options;
  other.output = "-";
  EXPECT_NE(refusal(plan, other).find("--resume continues an output file"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(JournalPath(options.output)));
}

}  // namespace
}  // namespace leafscore::internal
