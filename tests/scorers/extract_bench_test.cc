// The revision extractbench-2026-09 of the scorer `records`, beyond its vectors
// (records_test.cc).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

Plan ExtractPlan(const std::string& options) {
  return Plan::FromConfig(
      "{\"evaluators\": [{\"type\": \"records\", "
      "\"revision\": \"extractbench-2026-09\"" +
      (options.empty() ? "" : ", " + options) + "}]}");
}

ScoreColumns ExtractScores(const std::string& options, const std::string& expected,
                           const std::string& actual) {
  return Runner(ExtractPlan(options)).ScorePair(expected, actual)[0];
}

double MatchedOf(const std::string& options, const std::string& expected, const std::string& actual) {
  return MetricOf(ExtractScores(options, expected, actual), "matched");
}

// The option for rows with these members.
std::string RowsSchema(const std::string& members) {
  return R"("schema": {"properties": {"r": {"type": "array", "items": {"properties": {)" + members + "}}}}}";
}

// Rows of a few numbers, as one JSON array.
using NumberRows = std::vector<std::vector<int>>;

std::string JsonOf(const NumberRows& rows) {
  std::string json = "{\"r\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    json += i == 0 ? "{" : ", {";
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      json += (c == 0 ? "\"" : ", \"") + std::string(1, static_cast<char>('a' + c)) +
              "\": " + std::to_string(rows[i][c]);
    }
    json += "}";
  }
  return json + "]}";
}

std::size_t MostMatchesByTryingAll(const NumberRows& expected, const NumberRows& actual) {
  const NumberRows& shorter = expected.size() <= actual.size() ? expected : actual;
  const NumberRows& longer = expected.size() <= actual.size() ? actual : expected;
  std::vector<std::size_t> order(longer.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::size_t most = 0;
  do {
    std::size_t matches = 0;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      for (std::size_t c = 0; c < shorter[i].size(); ++c) matches += shorter[i][c] == longer[order[i]][c];
    }
    most = std::max(most, matches);
  } while (std::ranges::next_permutation(order).found);
  return most;
}

TEST(ExtractBench, FullRowsMatchAsOftenAsTheyCan) {
  const Runner runner(ExtractPlan(RowsSchema(R"("a": {}, "b": {}, "c": {})")));
  RandomJson random(41);
  for (int i = 0; i < 2'000; ++i) {
    const auto random_rows = [&] {
      NumberRows rows(random.Below(6));
      for (std::vector<int>& row : rows) {
        for (int c = 0; c < 3; ++c) row.push_back(static_cast<int>(random.Below(3)));
      }
      return rows;
    };
    const NumberRows expected = random_rows();
    const NumberRows actual = random_rows();
    const ScoreColumns scores = runner.ScorePair(JsonOf(expected), JsonOf(actual))[0];
    ASSERT_EQ(MetricOf(scores, "matched"), MostMatchesByTryingAll(expected, actual))
        << JsonOf(expected) << JsonOf(actual);
    ASSERT_EQ(MetricOf(scores, "expected_cells"), 3 * expected.size());
    ASSERT_EQ(MetricOf(scores, "actual_rows"), actual.size());
  }
}

TEST(ExtractBench, ScoresOfManyRowsAreThoseOfTheRows) {
  NumberRows expected;
  for (int i = 0; i < 3'000; ++i) expected.push_back({i, i % 7, i % 11});
  NumberRows actual(expected.rbegin(), expected.rend());
  for (std::size_t i = 0; i < actual.size(); i += 20) actual[i][1] = -1;
  const ScoreColumns scores =
      ExtractScores(RowsSchema(R"("a": {}, "b": {}, "c": {})"), JsonOf(expected), JsonOf(actual));
  EXPECT_EQ(MetricOf(scores, "matched"), 3 * 3'000 - 150);
  EXPECT_EQ(MetricOf(scores, "incomplete"), 0);
}

TEST(ExtractBench, BeyondItsPairsFlatRowsStayUnpaired) {
  NumberRows expected;
  for (int i = 0; i < 10'000; ++i) expected.push_back({i, 1});
  NumberRows actual = expected;
  for (std::vector<int>& row : actual) row[1] = 2;
  const Runner runner(ExtractPlan(RowsSchema(R"("a": {}, "b": {})")));
  const ScoreColumns at_limit = runner.ScorePair(JsonOf(expected), JsonOf(actual))[0];
  EXPECT_EQ(MetricOf(at_limit, "matched"), 10'000);
  EXPECT_EQ(MetricOf(at_limit, "incomplete"), 0);
  actual.push_back({-1, 2});
  actual.push_back(expected[7]);  // equal rows still pair
  expected.push_back(expected[7]);
  const ScoreColumns beyond = runner.ScorePair(JsonOf(expected), JsonOf(actual))[0];
  EXPECT_EQ(MetricOf(beyond, "matched"), 2);
  EXPECT_EQ(MetricOf(beyond, "incomplete"), 1);
}

TEST(ExtractBench, BeyondItsPairsOtherRowsStayUnpaired) {
  const std::string schema = RowsSchema(R"("o": {"properties": {"a": {}}})");
  const auto rows = [](int count) {
    std::string json = R"({"r": [{"o": {"a": 0}})";
    for (int i = 1; i < count; ++i) json += R"(, {"o": {"a": 0}})";
    return json + "]}";
  };
  const ScoreColumns beyond = ExtractScores(schema, rows(1 << 13), rows((1 << 13) + 1));
  EXPECT_EQ(MetricOf(beyond, "matched"), 0);
  EXPECT_EQ(MetricOf(beyond, "incomplete"), 1);
  EXPECT_EQ(MetricOf(beyond, "expected_cells"), 1 << 13);
}

TEST(ExtractBench, ARecordWithTooManyCellsIsAnError) {
  std::string members;
  for (int i = 0; i < 4096; ++i) members += (i == 0 ? "\"k" : ", \"k") + std::to_string(i) + "\": {}";
  const Runner runner(ExtractPlan(RowsSchema(members)));
  const auto rows = [](int count) {
    std::string json = R"({"r": [{"k0": 1})";
    for (int i = 1; i < count; ++i) json += ", {}";
    return json + "]}";
  };
  EXPECT_EQ(runner.ScorePair(rows(1), rows(4096))[0].score[0], 1);
  const ScoreColumns over = runner.ScorePair(rows(1), rows(4097))[0];
  EXPECT_EQ(over.outcome[0], Outcome::kError);
  EXPECT_EQ(over.errors[0].reason, RejectReason::kWorkLimit);
}

TEST(ExtractBench, TextsThatAreTooLongToCompareAreUnlike) {
  const auto description = [](std::size_t size, const char* end) {
    return R"({"description": ")" + std::string(size, 'a') + end + "\"}";
  };
  EXPECT_EQ(MatchedOf("", description(1 << 10, "b"), description(1 << 10, "c")), 1);
  const ScoreColumns over = ExtractScores("", description(1 << 18, "b"), description(1 << 18, "c"));
  EXPECT_EQ(MetricOf(over, "matched"), 0);
  EXPECT_EQ(MetricOf(over, "incomplete"), 1);
}

// Scores two records as one batch.
ScoreColumns ScoresOfTwo(const std::array<std::string, 2>& expected,
                         const std::array<std::string, 2>& actual) {
  const auto offsets = [](const std::array<std::string, 2>& texts) {
    const auto first = static_cast<std::int64_t>(texts[0].size());
    return std::array<std::int64_t, 3>{0, first, first + static_cast<std::int64_t>(texts[1].size())};
  };
  const std::string expected_texts = expected[0] + expected[1];
  const std::string actual_texts = actual[0] + actual[1];
  const auto expected_offsets = offsets(expected);
  const auto actual_offsets = offsets(actual);
  return Runner(ExtractPlan(""))
      .ScoreTexts({expected_texts, expected_offsets}, {actual_texts, actual_offsets})[0];
}

TEST(ExtractBench, TextsOfEarlierRecordsAreStillAlike) {
  const std::string expected = R"({"description": "the quick brown fox jumps over the lazy dog"})";
  const std::string actual = R"({"description": "the quick brown fox jumps over the lazy dogs"})";
  const ScoreColumns scores = ScoresOfTwo({expected, expected}, {actual, actual});
  EXPECT_EQ(scores.score[0], 1);
  EXPECT_EQ(scores.score[1], 1);
}

// The pair of the first record was looked up for the second one before it was computed.
TEST(ExtractBench, TextsMayBeAlikeInOneFieldAndTooUnlikeInAnother) {
  const ScoreColumns scores =
      ScoresOfTwo({R"({"court": "abcdefghij"})", R"({"description": "abcdefghij"})"},
                  {R"({"court": "abcdefghijklm"})", R"({"description": "abcdefghijklm"})"});
  EXPECT_EQ(scores.score[0], 1);
  EXPECT_EQ(scores.score[1], 0);
}

TEST(ExtractBench, FieldsCountWhatTheyHave) {
  const std::string schema = RowsSchema(R"("a": {}, "b": {"default": null})");
  const rapidjson::Document details =
      Parsed(ScoredPair(ExtractPlan(schema), R"({"r": [{"a": 1}, {"a": 2, "b": 3}], "x y": 1})",
                        R"({"r": [{"a": 2, "b": 4}], "z": [1]})", DetailLevel::kBasic)
                 .Details());
  EXPECT_EQ(details["fields"], Parsed(R"([{"path": "r[*].a", "tp": 1, "fp": 0, "fn": 1},
                                          {"path": "r[*].b", "tp": 0, "fp": 1, "fn": 2},
                                          {"path": "x y", "tp": 0, "fp": 0, "fn": 1},
                                          {"path": "z", "tp": 0, "fp": 1, "fn": 0}])"));
}

TEST(ExtractBench, DetailsTellEachCell) {
  const std::string schema = RowsSchema(
      R"("a": {}, "o": {"properties": {"d": {"default": 5}}}, "n": {"type": "array", "items": {"properties": {"x": {}}}})");
  ScoredPair pair(ExtractPlan(schema), R"({"r": [{"a": 1, "n": [{"x": 1}]}, {"a": 2, "o": {}}], "t": "x"})",
                  R"([{"r": [{"a": 2, "o": {"d": 6}}], "u": 7}])", DetailLevel::kLeaves);
  const rapidjson::Document details = Parsed(pair.Details());
  EXPECT_EQ(details["leaves"], Parsed(R"([
      {"path": "r[0].a", "verdict": "missing", "expected": 1, "similarity": 0},
      {"path": "r[0].n[0].x", "verdict": "missing", "expected": 1, "similarity": 0},
      {"path": "r[1].a", "actual_path": "r[0].a", "verdict": "matched", "expected": 2, "actual": 2, "similarity": 1},
      {"path": "r[*].o.d", "actual_path": "r[0].o.d", "verdict": "wrong", "expected": 5, "actual": 6, "similarity": 0},
      {"path": "t", "verdict": "missing", "expected": "x", "similarity": 0},
      {"path": "u", "verdict": "extra", "actual": 7, "similarity": 0}])"));
  EXPECT_EQ(pair.Leaves().size(), 6u);
}

TEST(ExtractBench, DatesAreTextsOf4To50Characters) {
  const auto is_date = [](const std::string& text) {
    return MatchedOf("", R"({"d": [")" + text + R"("]})", R"({"d": ["2024-03-05"]})") == 1;
  };
  EXPECT_TRUE(is_date("3/5/24"));
  EXPECT_TRUE(is_date("March 5 , 2024"));
  EXPECT_TRUE(is_date("3/5/2024" + std::string(42, ' ')));
  EXPECT_FALSE(is_date("3/5/2024" + std::string(43, ' ')));
  EXPECT_FALSE(is_date("20240305"));
  EXPECT_FALSE(is_date("3/5/2024 1234567890"));
  EXPECT_FALSE(is_date("March 2024"));
  // A default is compared as it is written.
  const std::string schema = R"("schema": {"properties": {"d": {"default": "3/5/2024"}}})";
  EXPECT_EQ(MatchedOf(schema, R"({"d": "3/5/2024"})", "{}"), 0);
}

TEST(ExtractBench, AnswersAreJudgedWithoutTheListsAroundThem) {
  const std::string expected = R"({"a": 1, "b": 2})";
  ScoredPair list(ExtractPlan(""), expected, R"([{"a": 1, "c": 2}])", DetailLevel::kBasic);
  EXPECT_TRUE(list.batch().of_other_kind().empty());
  ASSERT_EQ(list.batch().unexpected().size(), 1u);
  EXPECT_EQ(list.batch().unexpected()[0].share, 0.5);
  EXPECT_EQ(list.Texts(0), std::vector<std::string>{"singleton_doc"});
  ScoredPair other(ExtractPlan(""), expected, "[1, 2]", DetailLevel::kBasic);
  EXPECT_EQ(other.batch().of_other_kind().size(), 1u);
}

TEST(ExtractBench, WithoutAnAnswerAllExpectedCellsAreMissing) {
  ScoredPair pair(ExtractPlan("\"target_output_key\": \"doc\", " + RowsSchema(R"("a": {})")),
                  R"({"doc": {"r": [{"a": 1}, {"a": 2}]}})", "{}", DetailLevel::kBasic, Outcome::kUnreadable);
  std::vector<NamedCellCounts> counts;
  pair.batch().AppendCellCounts(0, counts);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].field, "r[*].a");
  EXPECT_EQ(counts[0].counts.missing, 2u);
  EXPECT_EQ(counts[0].counts.extra, 0u);
}

TEST(ExtractBench, SchemasAreReadThroughReferencesAndBranches) {
  // Each branch has references of its own: B in A is no cycle where B is
  // another branch.
  const std::string schema =
      R"("schema": {"$defs": {"A": {"properties": {"x": {"$ref": "#/$defs/B"}}},
      "B": {"properties": {"v": {}, "w": {}}}},
      "properties": {"u": {"anyOf": [{"$ref": "#/$defs/A"}, {"$ref": "#/$defs/B"}]}}})";
  EXPECT_EQ(
      MatchedOf(schema, R"({"u": {"x": {"v": 1, "w": 2}, "v": 3}})", R"({"u": {"x": {"v": 1}, "v": 3}})"), 2);
  // A reference to the whole schema is one cell.
  EXPECT_EQ(MatchedOf(R"("schema": {"properties": {"u": {"$ref": "#"}}})", R"({"u": {"u": 1, "v": 2}})",
                      R"({"u": {"v": 2, "u": 1}})"),
            1);
}

TEST(ExtractBench, SaysWhatIsWrongWithOptions) {
  const std::string revision = "type: records, revision: extractbench-2026-09, ";
  EXPECT_NE(ConfigErrorOf(revision + "schema: {properties: {a: {$ref: '#/$defs/A'}}}").find("is not found"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf(revision + "fields: [{path: a, normalise: phone}]").find("phone_digits"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf(revision + "fields: [{path: a, tolerance: 1}]").find("tolerance"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf(revision + "fields: [{normalise: phone_digits}]").find("is not a path"),
            std::string::npos);
  // Seventeen levels with two references each to the next one.
  std::string definitions = "L17: {properties: {v: {}}}";
  for (int i = 0; i < 17; ++i) {
    const std::string next = "{$ref: '#/$defs/L" + std::to_string(i + 1) + "'}";
    definitions += ", L" + std::to_string(i) + ": {properties: {a: " + next + ", b: " + next + "}}";
  }
  EXPECT_NE(ConfigErrorOf(revision + "schema: {$ref: '#/$defs/L0', $defs: {" + definitions + "}}")
                .find("fields; leave some of them out"),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
