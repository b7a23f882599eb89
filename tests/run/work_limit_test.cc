// Records whose string pairs are over the work limit, and long pairs on several threads.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "engine/base/limits.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

std::string Record(const std::string& expected, const std::string& actual) {
  return R"({"expected": ")" + expected + R"(", "actual": ")" + actual + "\"}\n";
}

// Random letters without a standard distribution.
std::string Letters(std::size_t size, std::uint32_t seed) {
  std::string text;
  while (text.size() < size) {
    seed = seed * 1664525 + 1013904223;
    text += static_cast<char>('a' + (seed >> 16) % 26);
  }
  return text;
}

class WorkLimitTest : public RunTest {};

// Four letters in opposite order are 16 cells; the distance lies between 0 and 4.
TEST_F(WorkLimitTest, AtItsLimit) {
  const std::string input = Record("same abcd same", "same dcba same") + Record("abcd", "abxy");
  for (const int difference : {-1, 0, 1}) {
    FileOptions options;
    options.max_pair_cells = static_cast<std::uint64_t>(16 + difference);
    const FinishedRun run = RunText(Plan({"json_similarity", "levenshtein"}), input, options);
    ASSERT_EQ(run.lines.size(), 4u);
    for (const std::size_t scorer : {0, 1}) {
      const rapidjson::Document line = ParseLine(run.lines[scorer]);
      if (difference < 0) {
        EXPECT_STREQ(line["outcome"].GetString(), "error");
        EXPECT_STREQ(line["reason"].GetString(), "work_limit");
        EXPECT_EQ(std::string(line["message"].GetString()),
                  "a string pair of 14 x 14 characters exceeds --max-pair-cells; the score lies between " +
                      std::string(scorer == 0 ? "0.7142 and 1" : "0.71 and 1"));
      } else {
        EXPECT_EQ(line["score"].GetDouble(), scorer == 0 ? 1 - 4.0 / 14 : 0.71);
      }
      EXPECT_EQ(ParseLine(run.lines[2 + scorer])["score"].GetDouble(), 0.5);
    }
    EXPECT_EQ(run.result.summary.Overall(0).counts().errors, difference < 0 ? 1u : 0u);
    EXPECT_EQ(run.result.summary.totals().rejected, 0u);
  }
}

// A score that is made of scores within it has their range, and its neighbour is as it would be alone.
TEST_F(WorkLimitTest, OfScoresMadeOfOthers) {
  const std::string input =
      R"({"expected": {"a": ["abcdefgh"], "b": 1}, "actual": {"a": ["hgfedcba"], "b": 1}})"
      "\n"
      R"({"expected": {"a": ["ab"], "b": 1}, "actual": {"a": ["ax"], "b": 1}})"
      "\n";
  FileOptions options;
  options.max_pair_cells = 20;
  const Plan plan = Plan::FromConfig(
      R"({"scorers": [{"type": "json_diff"}, {"type": "strict_json"}, {"type": "json_similarity", )"
      R"("array_match": "any_order"}]})");
  const FinishedRun run = RunText(plan, input, options);
  ASSERT_EQ(run.lines.size(), 6u);
  const std::string ranges[] = {"0.5 and 1", "0.5 and 0.75", "0.5 and 1"};
  for (std::size_t scorer = 0; scorer < 3; ++scorer) {
    EXPECT_EQ(std::string(ParseLine(run.lines[scorer])["message"].GetString()),
              "a string pair of 8 x 8 characters exceeds --max-pair-cells; the score lies between " +
                  ranges[scorer]);
    EXPECT_EQ(ParseLine(run.lines[3 + scorer])["score"].GetDouble(), 0.75);
  }
}

// The range of a record counts its other leaves too, and stays beside errors of other kinds in order.
TEST_F(WorkLimitTest, OfSomeOfManyRecords) {
  const std::string input =
      "{\"actual\": 1}\n"
      R"({"expected": {"a": "abcdefgh", "b": 1, "c": "abcd", "d": "efgh"},)"
      R"( "actual": {"a": "hgfedcba", "b": 1, "c": "abxx", "d": "hgfe"}})"
      "\nnot json\n"
      R"({"expected": {"a": "abcdefgh"}, "actual": {"a": "abcdefgh"}})"
      "\n{\"expected\": 1}\n" +
      Record("abcdefgh", "hgfedcba");
  FileOptions options;
  options.max_pair_cells = 20;
  std::string first_output;
  for (const unsigned threads : {1u, 2u, 3u, 4u}) {
    for (const std::size_t batch_bytes : {1u, 100u, 65536u}) {
      options.threads = threads;
      options.batch_bytes = batch_bytes;
      const FinishedRun run = RunText(Plan({"json_similarity", "exact_match"}), input, options);
      if (first_output.empty()) first_output = run.output;
      ASSERT_EQ(run.output, first_output);
    }
  }
  const std::vector<std::string> lines = SplitLines(first_output);
  ASSERT_EQ(lines.size(), 12u);
  const char* const reasons[] = {"missing_expected", "work_limit", "invalid_json", "",
                                 "missing_actual",   "work_limit"};
  for (std::size_t r = 0; r < 6; ++r) {
    const rapidjson::Document line = ParseLine(lines[2 * r]);
    EXPECT_STREQ(line.HasMember("reason") ? line["reason"].GetString() : "", reasons[r]) << r;
    // exact_match needs no distance.
    const rapidjson::Document exact = ParseLine(lines[2 * r + 1]);
    EXPECT_STREQ(exact.HasMember("reason") ? exact["reason"].GetString() : "",
                 r == 1 || r == 5 ? "" : reasons[r]);
  }
  // The leaves a, b, c, d give 0 to 1, 1, 0.5, and exactly 0, as 16 cells are not over the limit.
  EXPECT_EQ(
      std::string(ParseLine(lines[2])["message"].GetString()),
      "a string pair of 8 x 8 characters exceeds --max-pair-cells; the score lies between 0.375 and 0.625");
}

// What a scorer sums up over its records leaves out those over the limit.
TEST_F(WorkLimitTest, OfTextsOfFields) {
  const Plan plan = Plan::FromConfig(
      "evaluators: [{type: field_accuracy, fields: [{path: a, match: fuzzy, threshold: 0.5}, {path: b}]}]");
  const std::string input = R"({"expected": {"a": "abcd", "b": 1}, "actual": {"a": "dcba", "b": 1}})"
                            "\n"
                            R"({"expected": {"a": "abcd", "b": 1}, "actual": {"a": "abcx", "b": 2}})"
                            "\n";
  FileOptions options;
  options.max_pair_cells = 15;
  const FinishedRun run = RunText(plan, input, options);
  EXPECT_EQ(std::string(ParseLine(run.lines[0])["message"].GetString()),
            "a string pair of 4 x 4 characters exceeds --max-pair-cells; the score lies between 0.5 and 1");
  EXPECT_EQ(ParseLine(run.lines[1])["score"].GetDouble(), 0.375);
  const std::vector<FieldCounts> counts = run.result.summary.Report().scorers[0].fields;
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[0].true_positives + counts[0].false_positives, 1u);
  EXPECT_EQ(counts[1].true_positives + counts[1].false_positives, 1u);
}

TEST_F(WorkLimitTest, OfColumnsOfTexts) {
  const std::string bytes = R"("abcd""dcba""abcd""abcd")";
  const std::int32_t expected[] = {0, 6, 12}, actual[] = {6, 12, 18};
  const std::string same = R"("abcd""abcd")";
  const TextColumn left(bytes, std::span(expected)), right(bytes, std::span(actual));
  const Plan plan({"levenshtein"});
  for (const int difference : {-1, 0, 1}) {
    const Runner runner(plan, {.max_pair_cells = static_cast<std::uint64_t>(16 + difference)});
    const auto scores = runner.ScoreTexts(left, right);
    EXPECT_EQ(scores[0].outcome[0], difference < 0 ? Outcome::kError : Outcome::kScored);
    EXPECT_EQ(scores[0].passed[0], difference < 0 ? -1 : 0);
    EXPECT_EQ(std::isnan(scores[0].metrics[0].values[0]), difference < 0);
    EXPECT_EQ(scores[0].errors.size(), difference < 0 ? 2u : 0u);
  }
  for (const std::uint64_t cells : {std::uint64_t{0}, kMaxPairCells.max + 1}) {
    EXPECT_NE(
        ErrorOf(ErrorCode::kUsage, [&] { Runner(plan, {.max_pair_cells = cells}); }).find("--max-pair-cells"),
        std::string::npos);
  }
}

// Pairs of more than 2^30 cells are cut into tiles; several at once, in batches of their own.
TEST_F(WorkLimitTest, LongPairsAreTheSameOnAnyNumberOfThreads) {
  const std::string base = Letters(33'000, 1);
  std::string near = base;
  for (std::size_t at = 10; at < near.size(); at += 100) near[at] = '!';
  near[0] = near.back() = '!';
  std::string input;
  for (std::uint32_t i = 0; i < 3; ++i) {
    input += Record(base, near) + Record(base, Letters(33'000, 2)) + Record("short", "shorter");
  }
  FileOptions options;
  options.batch_bytes = 70'000;
  std::string first_output;
  for (const unsigned threads : {1u, 2u, 3u, 4u}) {
    options.threads = threads;
    const FinishedRun run = RunText(Plan({"json_similarity"}), input, options);
    if (first_output.empty()) first_output = run.output;
    ASSERT_EQ(run.output, first_output);
  }
  const std::vector<std::string> lines = SplitLines(first_output);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(ParseLine(lines[0])["score"].GetDouble(), 1 - 332.0 / 33'000);
  EXPECT_EQ(ParseLine(lines[3])["score"].GetDouble(), 1 - 332.0 / 33'000);
  EXPECT_EQ(ParseLine(lines[8])["score"].GetDouble(), 1 - 2.0 / 7);
}

TEST_F(WorkLimitTest, ARaisedLimitScoresLongerPairs) {
  const std::string base = Letters(110'000, 3);
  const std::string input = Record("!" + base + "!", base) + Record(base, Letters(110'000, 4));
  const FinishedRun run = RunText(Plan({"json_similarity"}), input);
  EXPECT_EQ(ParseLine(run.lines[0])["score"].GetDouble(), 1 - 2.0 / 110'002);  // the bounds meet
  EXPECT_STREQ(ParseLine(run.lines[1])["reason"].GetString(), "work_limit");
  FileOptions options;
  options.max_pair_cells = 12'100'000'000;
  const FinishedRun raised = RunText(Plan({"json_similarity"}), input, options);
  EXPECT_EQ(raised.lines[0], run.lines[0]);
  const double score = ParseLine(raised.lines[1])["score"].GetDouble();
  const std::string message = ParseLine(run.lines[1])["message"].GetString();
  const std::size_t range = message.find("between ") + 8;
  EXPECT_LE(std::stod(message.substr(range)), score);
  EXPECT_GE(std::stod(message.substr(message.find("and ", range) + 4)), score);
}

}  // namespace
}  // namespace leafscore::internal
