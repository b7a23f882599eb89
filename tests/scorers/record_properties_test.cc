// What must hold for the revisions of the scorer `records`, whatever the values: the order of rows and keys
// changes no figure where the rules of the origin do not look at it, and precision and recall swap with the
// sides.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

Runner RevisionRunner(const std::string& revision, const std::string& schema) {
  return Runner(Plan::FromConfig(R"({"evaluators": [{"type": "records", "revision": ")" + revision + "\"" +
                                 (schema.empty() ? "" : ", \"schema\": " + schema) + "}]}"));
}

// The members of `rows` are rows with the same keys, some of which may be missing, and `t` is beside them.
constexpr char kFlatSchema[] =
    R"({"properties": {"rows": {"type": "array", "items": {"properties": {"a": {}, "b": {}, "c": {}}}}, "t": {}}})";

std::string RowsOfTexts(RandomJson& random, bool may_lack_members) {
  std::string rows;
  for (std::uint32_t n = random.Below(6); n > 0; --n) {
    std::string row;
    for (const char* const key : {"a", "b", "c"}) {
      if (may_lack_members && random.Below(3) == 0) continue;
      row += (row.empty() ? "\"" : ", \"") + std::string(key) + "\": \"" + "xyz"[random.Below(3)] + "\"";
    }
    rows += (rows.empty() ? "{" : ", {") + row + "}";
  }
  return R"({"rows": [)" + rows + R"(], "t": ")" + "xy"[random.Below(2)] + "\"}";
}

// Compares all metrics but some.
void ExpectSameFigures(const ScoreColumns& scores, const ScoreColumns& others,
                       const std::set<std::string_view>& except, const std::string& what) {
  EXPECT_EQ(scores.score[0], others.score[0]) << what;
  for (const Metric& metric : scores.metrics) {
    if (except.contains(metric.name)) continue;
    EXPECT_EQ(metric.values[0], MetricOf(others, metric.name)) << metric.name << " " << what;
  }
}

void ExpectSwapped(const ScoreColumns& scores, const ScoreColumns& swapped, const std::string& what) {
  EXPECT_EQ(MetricOf(scores, "precision"), MetricOf(swapped, "recall")) << what;
  EXPECT_EQ(MetricOf(scores, "recall"), MetricOf(swapped, "precision")) << what;
  EXPECT_EQ(scores.score[0], swapped.score[0]) << what;
}

// What is not matched is in one of three figures, and pairings that are as good may differ in which.
TEST(RecordProperties, OmniLooksAtNoOrderAndSwapsWithTheSides) {
  RandomJson random(71);
  const Runner runner = RevisionRunner("omni-0.1", R"({"type": "object"})");
  for (int i = 0; i < 3'000; ++i) {
    const std::string expected = R"({"x": )" + random.Value(3) + "}";
    const std::string actual = R"({"x": )" + random.Value(3) + "}";
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random), Shuffled(Parsed(actual), random))[0];
    const std::string what = expected + " " + actual;
    ExpectSameFigures(scores, shuffled, {"fabricated", "invented_item", "invented_field", "matched_rows"},
                      what);
    double extra[2] = {0, 0};
    for (const char* const name : {"fabricated", "invented_item", "invented_field"}) {
      extra[0] += MetricOf(scores, name);
      extra[1] += MetricOf(shuffled, name);
    }
    EXPECT_EQ(extra[0], extra[1]) << what;
    ExpectSwapped(scores, runner.ScorePair(actual, expected)[0], what);
    if (HasFailure()) return;
  }
}

TEST(RecordProperties, ExtractBenchLooksAtNoOrderOfFullRowsAndSwapsWithTheSides) {
  RandomJson random(72);
  const Runner runner = RevisionRunner("extractbench-2026-09", kFlatSchema);
  for (int i = 0; i < 3'000; ++i) {
    const std::string expected = RowsOfTexts(random, /*may_lack_members=*/false);
    const std::string actual = RowsOfTexts(random, /*may_lack_members=*/false);
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    ExpectSameFigures(
        scores, runner.ScorePair(Shuffled(Parsed(expected), random), Shuffled(Parsed(actual), random))[0], {},
        expected + " " + actual);
    ExpectSwapped(scores, runner.ScorePair(actual, expected)[0], expected + " " + actual);
    if (HasFailure()) return;
  }
}

// The cells that match in the cheapest pairings of flat rows, by trying all: every total that there is.
class CheapestTotals {
 public:
  CheapestTotals(const rapidjson::Value& expected, const rapidjson::Value& actual)
      : shorter_(expected.Size() < actual.Size() ? expected : actual),
        longer_(expected.Size() < actual.Size() ? actual : expected) {
    Try(0, 0, 0, 0);
  }
  const std::set<int>& totals() const { return totals_; }

 private:
  void Try(rapidjson::SizeType row, unsigned taken, int cost, int matched) {
    if (row == shorter_.Size()) {
      if (cost < least_) totals_.clear();
      least_ = std::min(least_, cost);
      if (cost == least_) totals_.insert(matched);
      return;
    }
    for (rapidjson::SizeType i = 0; i < longer_.Size(); ++i) {
      if ((taken >> i & 1) != 0) continue;
      int differ = 0;
      int equal = 0;
      for (const char* const key : {"a", "b", "c", "d"}) {
        const bool one = shorter_[row].HasMember(key);
        const bool other = longer_[i].HasMember(key);
        const bool is_equal = one && other && shorter_[row][key] == longer_[i][key];
        equal += is_equal;
        differ += (one || other) && !is_equal;
      }
      Try(row + 1, taken | 1u << i, cost + differ, matched + equal);
    }
  }

  const rapidjson::Value& shorter_;
  const rapidjson::Value& longer_;
  int least_ = std::numeric_limits<int>::max();
  std::set<int> totals_;
};

// Where rows lack members, pairings of equal cost may match more or fewer cells, and the origin takes the one
// that its solver comes upon.
TEST(RecordProperties, ExtractBenchStaysWithinItsTiesInAnyOrder) {
  RandomJson random(73);
  std::ifstream lines(LEAFSCORE_TEST_DATA "/records.jsonl");
  int ties = 0;
  bool differs = false;
  for (std::string line; std::getline(lines, line);) {
    const rapidjson::Document vector = Parsed(line);
    if (!vector.HasMember("tie")) continue;
    ++ties;
    const std::set<int> totals =
        CheapestTotals(vector["expected"]["rows"], vector["actual"]["rows"]).totals();
    for (const auto& total : vector["tie"].GetArray()) EXPECT_TRUE(totals.contains(total.GetInt()));
    const Runner runner =
        RevisionRunner("extractbench-2026-09", Shuffled(vector["schema"], random, /*keeps_elements=*/true));
    for (int i = 0; i < 50; ++i) {
      const ScoreColumns scores =
          runner.ScorePair(Shuffled(vector["expected"], random), Shuffled(vector["actual"], random))[0];
      const auto matched = static_cast<int>(MetricOf(scores, "matched"));
      EXPECT_TRUE(totals.contains(matched)) << vector["case"].GetString() << " " << matched;
      differs |= matched != vector["want"]["matched"].GetInt();
    }
  }
  EXPECT_EQ(ties, 6);
  EXPECT_TRUE(differs);
}

// Elements are paired by mean similarity, so the sum depends on ties unless all elements have as many leaves.
TEST(RecordProperties, AnlsStarLooksAtNoOrderOfElementsOfOneLength) {
  RandomJson random(74);
  const Runner runner = RevisionRunner("anls-star-1.0", "");
  for (int i = 0; i < 2'000; ++i) {
    const std::string expected = RowsOfTexts(random, /*may_lack_members=*/false);
    const std::string actual = RowsOfTexts(random, /*may_lack_members=*/false);
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random), Shuffled(Parsed(actual), random))[0];
    ExpectSameFigures(scores, shuffled, {}, expected + " " + actual);
    // There are no nulls, which it treats differently on either side.
    ExpectSameFigures(scores, runner.ScorePair(actual, expected)[0], {}, expected + " " + actual);
    if (HasFailure()) return;
  }
}

TEST(RecordProperties, AnlsStarLooksAtNoOrderOfKeys) {
  RandomJson random(75);
  const Runner runner = RevisionRunner("anls-star-1.0", "");
  for (int i = 0; i < 2'000; ++i) {
    const std::string expected = random.Value(3);
    const std::string actual = random.Value(3);
    if (expected == "null" || actual == "null") continue;
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random, true), Shuffled(Parsed(actual), random, true))[0];
    // Sums of the same similarities in another order.
    ASSERT_NEAR(scores.score[0], shuffled.score[0], 1e-12) << expected << " " << actual;
    ASSERT_EQ(MetricOf(scores, "length"), MetricOf(shuffled, "length")) << expected << " " << actual;
  }
}

TEST(RecordProperties, SobLooksAtPositionsButAtNoOrderOfKeys) {
  RandomJson random(76);
  const Runner runner = RevisionRunner("sob-2026-06", R"({"type": "object"})");
  for (int i = 0; i < 2'000; ++i) {
    const std::string expected = R"({"x": )" + random.Value(3) + "}";
    const std::string actual = R"({"x": )" + random.Value(3) + "}";
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const ScoreColumns shuffled =
        runner.ScorePair(Shuffled(Parsed(expected), random, true), Shuffled(Parsed(actual), random, true))[0];
    ExpectSameFigures(scores, shuffled, {"token_f1"}, expected + " " + actual);
    EXPECT_NEAR(MetricOf(scores, "token_f1"), MetricOf(shuffled, "token_f1"), 1e-12);
    const ScoreColumns swapped = runner.ScorePair(actual, expected)[0];
    EXPECT_EQ(MetricOf(scores, "structure_coverage"), MetricOf(swapped, "structure_coverage"));
    EXPECT_EQ(MetricOf(scores, "perfect"), MetricOf(swapped, "perfect"));
    if (HasFailure()) return;
  }
  EXPECT_EQ(MetricOf(runner.ScorePair(R"({"x": [1, 2]})", R"({"x": [2, 1]})")[0], "value_accuracy"), 0);
}

}  // namespace
}  // namespace leafscore::internal
