#include "engine/match/unexpected_leaves.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "engine/json/json_reader.h"

namespace leafscore::internal {
namespace {

std::uint32_t Count(const std::string& expected, const std::string& actual) {
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable tables[2];
  const auto read = [&](const std::string& text, LeafTable& table) -> ValueRef {
    reader.Begin(text, /*lines=*/false, &table);
    const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(text.size()));
    EXPECT_NE(result.root, kNoNode) << text;
    return {&table, result.root};
  };
  const ValueRef e = read(expected, tables[0]);
  UnexpectedLeaves leaves(&shapes);
  const std::uint32_t count = leaves.Count(e, read(actual, tables[1]));
  EXPECT_EQ(leaves.Count(e, e), 0u) << expected;  // and nothing is left of an earlier call
  return count;
}

TEST(UnexpectedLeaves, AWrongValueInItsPlaceIsExpected) {
  EXPECT_EQ(Count("1", "2"), 0u);
  EXPECT_EQ(Count("1", "\"prose\""), 0u);
  EXPECT_EQ(Count(R"({"a": 1, "b": {"c": 2}})", R"({"a": "x", "b": {"c": null}})"), 0u);
  EXPECT_EQ(Count(R"({"a": {"c": 2}})", R"({"a": "x"})"), 0u);
  EXPECT_EQ(Count("[1, 2, 3]", "[4, 5]"), 0u);
  EXPECT_EQ(Count("{}", "{}"), 0u);
  EXPECT_EQ(Count("{}", "[]"), 0u);
}

TEST(UnexpectedLeaves, KeysAndPositionsThatNobodyExpects) {
  EXPECT_EQ(Count(R"({"a": 1})", R"({"b": 1})"), 1u);
  EXPECT_EQ(Count(R"({"a": 1, "b": 2})", R"({"c": [1, {"d": 2}], "b": 0, "a": 1, "e": {}})"), 2u);
  EXPECT_EQ(Count(R"({"a": {"b": 1}, "c": 2})", R"({"a": {"b": 1, "x": 2, "y": [3, 4]}, "c": 2})"), 3u);
  EXPECT_EQ(Count("[1]", "[1, 2, 3]"), 2u);
  EXPECT_EQ(Count("[[1], {\"a\": 1}]", "[[1, 2], {\"a\": 1, \"b\": 2}, {\"c\": [3, 4]}]"), 4u);
  EXPECT_EQ(Count("[{\"a\": 1}, 2]", "[3, 4, 5]"), 1u);
}

TEST(UnexpectedLeaves, AContainerOfAnotherKindIsExpectedNowhere) {
  EXPECT_EQ(Count(R"({"a": 1})", R"([1, 2, [3]])"), 3u);
  EXPECT_EQ(Count(R"({"a": 1})", R"({"a": {"x": 1, "y": 2}})"), 2u);
  EXPECT_EQ(Count(R"({"a": 1, "b": 2})", R"({"result": {"a": 1, "b": 2}})"), 2u);
  EXPECT_EQ(Count("42", R"({"answer": 42})"), 1u);
}

// Of one shape, objects are walked by position, which must stay in step over what is nested.
TEST(UnexpectedLeaves, ObjectsOfOneShape) {
  EXPECT_EQ(
      Count(R"({"a": [1, 2], "b": {"c": 1}, "d": 5})", R"({"a": [1], "b": {"c": 1, "x": 2}, "d": [6]})"), 2u);
  EXPECT_EQ(Count(R"({"a": 1, "b": {"c": 1}})", R"({"a": {"c": 1, "d": 2}, "b": {"c": 1}})"), 2u);
}

}  // namespace
}  // namespace leafscore::internal
