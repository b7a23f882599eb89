#include <atomic>
#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class ScoreFilesTest : public RunTest {};

TEST_F(ScoreFilesTest, TellsAllThatItKnows) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", R"({"expected": "abcd", "actual": "abcd"})"
                                      "\n"
                                      R"({"expected": "abcd", "actual": "abxx"})"
                                      "\n"
                                      R"({"expected": "abcd"})"
                                      "\nrejected\n")};
  options.output = folder_ / "out.csv.gz";
  const RunReport report = ScoreFiles(Plan({"levenshtein", "json_similarity"}), options);
  const std::vector<ScorerReport>& summaries = report.scorers;
  ASSERT_EQ(summaries.size(), 2u);
  EXPECT_EQ(summaries[0].scorer, "levenshtein");
  EXPECT_EQ(summaries[0].figures.asked, 4u);
  EXPECT_EQ(summaries[0].figures.scored, 2u);
  EXPECT_EQ(summaries[0].figures.unreadable, 0u);
  EXPECT_EQ(summaries[0].figures.unanswered, 1u);
  EXPECT_EQ(summaries[0].figures.errors, 1u);
  EXPECT_EQ(summaries[0].figures.coverage, 0.5);
  EXPECT_EQ(summaries[0].figures.over_all.mean, 0.375);
  EXPECT_EQ(summaries[0].figures.over_all.pass_rate, 0.25);
  EXPECT_EQ(summaries[0].figures.over_scored.mean, 0.75);
  EXPECT_NEAR(summaries[0].figures.over_scored.standard_error.value(), 0.25, 1e-12);
  EXPECT_EQ(summaries[0].figures.over_scored.pass_rate, 0.5);
  EXPECT_EQ(summaries[1].figures.over_scored.pass_rate, std::nullopt);
  EXPECT_EQ(SplitLines(ReadAll(options.output).bytes).size(), 9u);
  EXPECT_EQ(report.totals.records_read, 4u);
  EXPECT_EQ(report.totals.rejected, 1u);
  EXPECT_TRUE(report.CountsAddUp());
  EXPECT_TRUE(report.partial_output.empty());
}

TEST(ScoreFiles, DefaultsAreThoseOfTheCommand) {
  const FileOptions options;
  EXPECT_EQ(options.batch_bytes, kBatchBytes.default_value);
  EXPECT_EQ(options.max_line_bytes, kMaxLineBytes.default_value);
  EXPECT_EQ(options.max_depth, kMaxDepth.default_value);
  EXPECT_EQ(options.max_groups, kMaxGroups.default_value);
  EXPECT_EQ(options.max_pair_cells, 10'000'000'000);
  EXPECT_EQ(options.gpu_memory_bytes, 805'306'368);
  EXPECT_EQ(options.max_details_bytes, kMaxDetailsBytes.default_value);
  EXPECT_EQ(options.max_ratio, kMaxRatio.default_value);
}

TEST(ScoreFiles, HoldsTheLimitsOfTheCommand) {
  const Plan plan({"levenshtein"});
  const auto expect_refused = [&](auto member, auto value, const std::string& name) {
    FileOptions options;
    options.inputs = {"/dev/null"};
    options.*member = value;
    const std::string error = ErrorOf(ErrorCode::kUsage, [&] { ScoreFiles(plan, options); });
    EXPECT_NE(error.find(name), std::string::npos) << name << ": " << error;
  };
  expect_refused(&FileOptions::max_depth, 0u, "--max-depth");
  expect_refused(&FileOptions::max_depth, 1025u, "--max-depth");
  expect_refused(&FileOptions::max_depth, ~0u, "--max-depth");
  expect_refused(&FileOptions::max_line_bytes, ~std::size_t{0}, "--max-line-bytes");
  expect_refused(&FileOptions::batch_bytes, std::size_t{0}, "--batch-bytes");
  expect_refused(&FileOptions::batch_bytes, ~std::size_t{0}, "--batch-bytes");
  expect_refused(&FileOptions::max_groups, std::size_t{0}, "--max-groups");
  expect_refused(&FileOptions::max_pair_cells, std::uint64_t{0}, "--max-pair-cells");
  expect_refused(&FileOptions::max_pair_cells, (std::uint64_t{1} << 50) + 1, "--max-pair-cells");
  expect_refused(&FileOptions::threads, 1025u, "threads");
  expect_refused(&FileOptions::max_details_bytes, std::size_t{0}, "--max-details-bytes");
  expect_refused(&FileOptions::max_details_bytes, (std::size_t{1} << 30) + 1, "--max-details-bytes");
  expect_refused(&FileOptions::max_ratio, std::uint64_t{0}, "--max-ratio");
  expect_refused(&FileOptions::max_ratio, std::uint64_t{1'000'000'001}, "--max-ratio");
}

TEST_F(ScoreFilesTest, ErrorsAreThrown) {
  const Plan plan({"levenshtein"});
  FileOptions options;
  options.inputs = {folder_ / "absent"};
  ErrorOf(ErrorCode::kInput, [&] { ScoreFiles(plan, options); });
  const std::string gzip = Gzip("{\"expected\": 1, \"actual\": 1}\n");
  options.inputs = {Input("cut.gz", gzip.substr(0, gzip.size() - 1))};
  ErrorOf(ErrorCode::kInput, [&] { ScoreFiles(plan, options); });
  const std::atomic<bool> stop{true};
  options.inputs = {Input("in", "{}")};
  options.stop = &stop;
  ErrorOf(ErrorCode::kInterrupted, [&] { ScoreFiles(plan, options); });
}

TEST_F(ScoreFilesTest, ARunThatEndsEarlyTellsWhatItKnows) {
  const std::string gzip = Gzip(std::string(R"({"expected": "a", "actual": "a"})") + "\n");
  FileOptions options;
  options.inputs = {Input("good.jsonl", "{\"expected\": \"a\", \"actual\": \"a\"}\n"),
                    Input("cut.gz", gzip.substr(0, gzip.size() - 1))};
  options.output = folder_ / "out.jsonl";
  try {
    ScoreFiles(Plan({"levenshtein"}), options);
    FAIL();
  } catch (const RunError& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInput);
    EXPECT_GE(error.report().scorers.at(0).figures.scored, 1u);
    EXPECT_FALSE(error.report().partial_output.empty());
    EXPECT_TRUE(error.report().CountsAddUp());
  }
}

TEST_F(ScoreFilesTest, GatesHoldTheReport) {
  FileOptions options;
  options.inputs = {Input("in.jsonl", "{\"expected\": \"abcd\", \"actual\": \"abcx\"}\n")};
  const RunReport report = ScoreFiles(Plan({"levenshtein"}), options);
  EXPECT_TRUE(FailedGates(report, {}).empty());
  EXPECT_TRUE(
      FailedGates(report, {.fail_under = {{.least = 0.75}}, .min_pass_rate = {{.least = 1.0}}}).empty());
  EXPECT_EQ(FailedGates(report, {.fail_under = {{.least = 0.76}}}),
            std::vector<std::string>{
                "the mean of levenshtein over all that was asked is 0.75 (95% from 0.0177 to 0.9941, "
                "over 1 record), 0.01 under 0.76"});
}

}  // namespace
}  // namespace leafscore::internal
