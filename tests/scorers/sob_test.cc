// The revision sob-2026-06 of the scorer `records`, beyond its vectors (records_test.cc).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <vector>

#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

Plan SobPlan() {
  return Plan::FromConfig(
      R"({"evaluators": [{"type": "records", "revision": "sob-2026-06", "schema": {"type": "object"}}]})");
}

TEST(Sob, DetailsTellFieldsAndEachLeaf) {
  ScoredPair pair(SobPlan(), R"({"a": [1, 2, {"b": null}], "t": "x", "o": {"k": 1}})",
                  R"({"z": false, "a": [1, 3], "t": ["x"], "o": {"k": 1.0}})", DetailLevel::kLeaves);
  const rapidjson::Document details = Parsed(pair.Details());
  EXPECT_EQ(details["fields"], Parsed(R"([{"path": "a[*]", "tp": 1, "fp": 1, "fn": 1},
                                          {"path": "a[*].b", "tp": 0, "fp": 0, "fn": 1},
                                          {"path": "o.k", "tp": 1, "fp": 0, "fn": 0},
                                          {"path": "t", "tp": 0, "fp": 0, "fn": 1},
                                          {"path": "t[*]", "tp": 0, "fp": 1, "fn": 0},
                                          {"path": "z", "tp": 0, "fp": 1, "fn": 0}])"));
  EXPECT_EQ(details["leaves"], Parsed(R"([
      {"path": "a[0]", "verdict": "matched", "expected": 1, "actual": 1, "similarity": 1},
      {"path": "a[1]", "verdict": "wrong", "expected": 2, "actual": 3, "similarity": 0},
      {"path": "a[2].b", "verdict": "missing", "expected": null, "similarity": 0},
      {"path": "t", "verdict": "missing", "expected": "x", "similarity": 0},
      {"path": "t[0]", "verdict": "extra", "actual": "x", "similarity": 0},
      {"path": "o.k", "verdict": "matched", "expected": 1, "actual": 1.0, "similarity": 1},
      {"path": "z", "verdict": "extra", "actual": false, "similarity": 0}])"));
  EXPECT_EQ(pair.Leaves().size(), 7u);
}

TEST(Sob, FieldsAddUpToItsFigures) {
  RandomJson random(61);
  for (int i = 0; i < 500; ++i) {
    const std::string expected = R"({"x": )" + random.Value(3) + "}";
    const std::string actual = R"({"x": )" + random.Value(3) + "}";
    ScoredPair pair(SobPlan(), expected, actual, DetailLevel::kBasic);
    std::vector<NamedCellCounts> counts;
    pair.batch().AppendCellCounts(0, counts);
    double matched = 0;
    double wanted = 0;
    for (const NamedCellCounts& field : counts) {
      matched += field.counts.right;
      wanted += field.counts.right + field.counts.missing;
    }
    if (MetricOf(pair.batch().columns(), "structure_coverage") < 0.95) continue;
    ASSERT_EQ(pair.batch().columns().score[0], wanted == 0 ? 0 : matched / wanted) << expected << actual;
  }
}

TEST(Sob, WithoutAnAnswerAllExpectedLeavesAreMissing) {
  ScoredPair pair(SobPlan(), R"({"a": [1, 2]})", "", DetailLevel::kBasic, Outcome::kUnreadable);
  std::vector<NamedCellCounts> counts;
  pair.batch().AppendCellCounts(0, counts);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].field, "a[*]");
  EXPECT_EQ(counts[0].counts.missing, 2u);
}

}  // namespace
}  // namespace leafscore::internal
