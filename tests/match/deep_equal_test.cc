// Runs once more in a build whose hashes are all zero: then every element collides, and no answer may change.
#include "engine/match/deep_equal.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/json_reader.h"
#include "sanitized.h"

namespace leafscore::internal {
namespace {

// Reads both values and hands them to `compare` with their shapes and a walker.
template <class Compare>
bool With(const std::string& expected, const std::string& actual, Compare&& compare) {
  ShapeTable shapes;
  PairWalker walker(&shapes);
  JsonReader reader(&shapes);
  LeafTable tables[2];
  const auto read = [&](const std::string& text, LeafTable& table) -> ValueRef {
    reader.Begin(text, /*lines=*/false, &table);
    const JsonResult result = reader.Read(0, static_cast<std::uint32_t>(text.size()));
    EXPECT_NE(result.root, kNoNode) << text;
    return {&table, result.root};
  };
  const ValueRef e = read(expected, tables[0]);
  return compare(e, read(actual, tables[1]), shapes, walker);
}

bool Equal(const std::string& expected, const std::string& actual) {
  return With(expected, actual, [](ValueRef e, ValueRef a, const ShapeTable&, PairWalker& walker) {
    return DeepEqual(e, a, walker);
  });
}
bool SameElements(const std::string& expected, const std::string& actual) {
  return With(expected, actual, EqualInAnyOrder);
}

TEST(DeepEqual, Values) {
  EXPECT_TRUE(Equal(R"({"a": [1, "x"], "b": null})", R"({"b": null, "a": [1.0, "\u0078"]})"));
  EXPECT_TRUE(Equal("0", "-0.0"));
  EXPECT_TRUE(Equal("NaN", "NaN"));
  EXPECT_TRUE(Equal("[9007199254740993]", "[9007199254740992.0]"));
  EXPECT_FALSE(Equal("[9007199254740993]", "[9007199254740992]"));
  EXPECT_FALSE(Equal("1e400", "1.7976931348623157e308"));
  EXPECT_FALSE(Equal("Infinity", "1e400"));
  EXPECT_FALSE(Equal("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(Equal(R"({"a": 1})", R"({"a": 1, "b": null})"));
  EXPECT_FALSE(Equal("1", "true"));
  EXPECT_FALSE(Equal("1", "\"1\""));
}

TEST(DeepEqual, InAnyOrder) {
  EXPECT_TRUE(SameElements("[]", "[]"));
  EXPECT_TRUE(SameElements("[1, 2, 3, 4, 5]", "[5, 4, 1, 3, 2]"));
  EXPECT_TRUE(SameElements("[0, NaN, \"a\"]", "[\"\\u0061\", NaN, -0.0]"));
  EXPECT_TRUE(SameElements(R"([{"a": [], "b": {}}, {"c": 1}])", R"([{"c": 1}, {"b": {}, "a": []}])"));
  EXPECT_TRUE(SameElements("[1, 1, 2]", "[1, 2, 1]"));
  EXPECT_TRUE(
      SameElements("[9007199254740992, 9007199254740993, 1]", "[1.0, 9007199254740993, 9007199254740992.0]"));
  EXPECT_FALSE(SameElements("[9007199254740992, 9007199254740993]", "[9007199254740993, 9007199254740993]"));
  EXPECT_TRUE(SameElements("[Infinity, 1e400, 2e400]", "[2e400, Infinity, 1e400]"));
  EXPECT_FALSE(SameElements("[1e400]", "[Infinity]"));
  EXPECT_FALSE(SameElements("[1, 1, 2]", "[1, 2, 2]"));
  EXPECT_FALSE(SameElements("[1, 2]", "[1]"));
  EXPECT_FALSE(SameElements("[null]", "[false]"));
  EXPECT_FALSE(SameElements("[[], {}]", "[[], []]"));
  EXPECT_FALSE(SameElements(R"([{"a": 1, "b": 2}])", R"([{"a": 2, "b": 1}])"));
}

// Different elements that a careless hash takes for alike, whatever its seed: comparing each with each would
// not end.
TEST(DeepEqual, InAnyOrderIsLinear) {
  const int count = Rounds(hash_mask == 0 ? 1 << 9 : 1 << 17);
  std::vector<std::string> pieces[5];
  for (int i = 0; i < count; ++i) {
    const std::string text = "\"" + std::to_string(i) + "\"";
    pieces[0].push_back("{" + text + ": " + text + "}");
    pieces[1].push_back(i < count / 2 ? "NaN" : i % 2 == 0 ? "0" : "-0.0");
    std::string nested = "[0";
    for (int bit = 1; bit < count; bit *= 2) nested += (i & bit) != 0 ? ",[[],[]]" : ",[[[]]]";
    pieces[2].push_back(nested + "]");
    pieces[3].push_back("9007199254" + std::to_string(900'000'000'000'000 + i));  // few doubles for all
    pieces[4].push_back("1e" + std::to_string(400 + i));
  }
  for (const std::vector<std::string>& elements : pieces) {
    EXPECT_TRUE(SameElements(fmt::format("[{}]", fmt::join(elements, ",")),
                             fmt::format("[{}]", fmt::join(elements.rbegin(), elements.rend(), ","))));
  }
}

}  // namespace
}  // namespace leafscore::internal
