#include "engine/scores/line_details.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/json/json_value.h"

namespace leafscore::internal {
namespace {

TEST(LineDetailsTest, PositionsAreLeftOut) {
  EXPECT_EQ(WithoutPositions("items[0].price"), "items[*].price");
  EXPECT_EQ(WithoutPositions("[12][3]"), "[*][*]");
  EXPECT_EQ(WithoutPositions("a[\"0\"].b[7]"), "a[\"0\"].b[*]");
  EXPECT_EQ(WithoutPositions("a[]"), "a[]");
  EXPECT_EQ(WithoutPositions("a[1"), "a[1");
  EXPECT_EQ(WithoutPositions("a["), "a[");
  EXPECT_EQ(WithoutPositions(""), "");
}

TEST(LineDetailsTest, FieldsComeFromTheFirstListOfMatches) {
  JsonValue json{JsonOptions()};
  const std::vector<LineField> fields = FieldsIn(
      json.Read(R"({"rows": [{"path": "b", "paired": 1}], "fields": [{"path": "b", "tp": 1}], "leaves": [
      {"path": "b[1].t", "expected": 1, "similarity": 0.5}, {"path": "a", "similarity": 0},
      {"path": "b[0].t", "expected": 2, "similarity": 1}], "more": [{"path": "c", "similarity": 1}]})"));
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].path, "a");
  EXPECT_FALSE(fields[0].is_expected);
  EXPECT_EQ(fields[1].path, "b[*].t");
  EXPECT_TRUE(fields[1].is_expected);
  EXPECT_EQ(fields[1].matched, 1.5);
  EXPECT_EQ(fields[1].weight, 2);
}

TEST(LineDetailsTest, CountsComeFromTheListOfFields) {
  JsonValue json{JsonOptions()};
  const auto counts = FieldCountsIn(
      json.Read(R"({"rows": [], "fields": [{"path": "b[*].t", "tp": 3, "fp": 1, "fn": 0}], "leaves": []})"));
  ASSERT_TRUE(counts);
  ASSERT_EQ(counts->size(), 1u);
  EXPECT_EQ(counts->front().path, "b[*].t");
  EXPECT_EQ(counts->front().right, 3);
  EXPECT_EQ(counts->front().extra, 1);
  EXPECT_EQ(counts->front().missing, 0);
  EXPECT_TRUE(FieldCountsIn(json.Read(R"({"fields": []})")));
  EXPECT_FALSE(FieldCountsIn(json.Read(R"({"fields": [{"path": "a", "score": 1}]})")));
  EXPECT_FALSE(FieldCountsIn(json.Read(R"({"fields": [{"path": "a", "tp": 1}], "details_cut": true})")));
  EXPECT_FALSE(FieldCountsIn(json.Read("{}")));
}

}  // namespace
}  // namespace leafscore::internal
