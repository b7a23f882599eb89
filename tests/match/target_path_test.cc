#include "engine/match/target_path.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "engine/json/compact_text.h"
#include "json/reader_probe.h"

namespace leafscore::internal {
namespace {

// Returns the compact JSON of what a path leads to, "nothing", or "no path".
std::string Follow(const std::string& path_text, const std::string& json) {
  const std::optional<TargetPath> path = TargetPath::Parse(path_text);
  if (!path) return "no path";
  ReaderProbe probe;
  EXPECT_TRUE(probe.Read(json).tree) << json;
  const ValueRef value = PathFollower(&*path, &probe.shapes()).Follow({&probe.table(), 0});
  if (!value.present()) return "nothing";
  std::string text;
  AppendCompactJson(*value.table, probe.shapes(), value.node, text);
  return text;
}

// UiPath's published tests of its paths, stated again; 25 of them.
TEST(TargetPath, LeadsWhereTheOriginsDoes) {
  EXPECT_EQ(Follow("*", R"({"x": 5, "y": 6})"), R"({"x":5,"y":6})");
  EXPECT_EQ(Follow("*", "\"word\""), "\"word\"");
  EXPECT_EQ(Follow("*", "[5, 6, 7]"), "[5,6,7]");
  EXPECT_EQ(Follow("answer", R"({"answer": 17, "more": "no"})"), "17");
  EXPECT_EQ(Follow("sums", R"({"sums": {"net": 90, "items": 4}})"), R"({"net":90,"items":4})");
  EXPECT_EQ(Follow("sums.state", R"({"sums": {"state": "paid"}})"), "\"paid\"");
  EXPECT_EQ(Follow("buyer.home.town", R"({"buyer": {"home": {"town": "Ulm"}}})"), "\"Ulm\"");
  EXPECT_EQ(Follow("order.sums.net", R"({"order": {"sums": {"net": 12.25}}})"), "12.25");
  EXPECT_EQ(Follow("list[0]", R"({"list": ["x", "y", "z"]})"), "\"x\"");
  EXPECT_EQ(Follow("list[2]", R"({"list": ["x", "y", "z"]})"), "\"z\"");
  const std::string list = R"({"list": [{"name": "Rope", "cost": 4.5}, {"name": "Sail", "cost": 60}]})";
  EXPECT_EQ(Follow("list[0].name", list), "\"Rope\"");
  EXPECT_EQ(Follow("list[1].cost", list), "60");
  EXPECT_EQ(Follow("marks[1]", R"({"marks": ["new", "big", "red"]})"), "\"big\"");
  const std::string deep = R"({"out": {"runs": [{"how": {"good": 71}}, {"how": {"good": 72}}]}})";
  EXPECT_EQ(Follow("out.runs[0].how.good", deep), "71");
  EXPECT_EQ(Follow("out.runs[1].how.good", deep), "72");
  EXPECT_EQ(Follow("grid[0][1]", R"({"grid": [[5, 6], [7, 8]]})"), "6");
  EXPECT_EQ(Follow("grid[1][0]", R"({"grid": [[5, 6], [7, 8]]})"), "7");
  EXPECT_EQ(Follow("absent", R"({"x": 5})"), "nothing");
  EXPECT_EQ(Follow("x.absent", R"({"x": {"y": 5}})"), "nothing");
  EXPECT_EQ(Follow("list[5]", R"({"list": [5, 6]})"), "nothing");
  EXPECT_EQ(Follow("word[0]", R"({"word": "text"})"), "nothing");
  EXPECT_EQ(Follow("number.below", R"({"number": 17})"), "nothing");
  EXPECT_EQ(Follow("", R"({"x": 5})"), "no path");
  EXPECT_EQ(Follow("*", "null"), "null");
  EXPECT_EQ(Follow("456", R"({"456": "a key of digits"})"), "\"a key of digits\"");
  EXPECT_EQ(Follow("x.y", R"({"x": {"y": null}})"), "null");
  EXPECT_EQ(Follow("x", R"({"x": {}})"), "{}");
  EXPECT_EQ(Follow("open", R"({"open": true})"), "true");
}

TEST(TargetPath, KeysAreRunsOfOtherCharactersThanDotsAndBrackets) {
  const std::string value = R"({"a": {"b": [7, 8], "0": "zero"}})";
  for (const std::string path :
       {"a.b[1]", "a..b[1]", ".a.b[1]", "a.b[1].", "a[b][1]", "[a].b.[1]", "a]b[01]"}) {
    EXPECT_EQ(Follow(path, value), "8") << path;
  }
  EXPECT_EQ(Follow("a.0", value), "\"zero\"");  // a key, as it does not stand in brackets
  EXPECT_EQ(Follow("a[0", value), "\"zero\"");
  for (const std::string path :
       {"a[0]", "a.b.1", "a.b[-1]", "a.b[1 ]", "a.b[99999999999]", "a.b[4294967295]"}) {
    EXPECT_EQ(Follow(path, value), "nothing") << path;
  }
  for (const std::string path : {".", "..", "[]", "[.]", "]["})
    EXPECT_EQ(Follow(path, value), "no path") << path;
}

TEST(TargetPath, EndsWhereItsTextEnds) {
  const std::string_view position = "a[0]";
  const TargetPath open = *TargetPath::Parse(position.substr(0, 3));
  ASSERT_EQ(open.steps.size(), 2u);
  EXPECT_EQ(open.steps[1].key, "0");
  EXPECT_EQ(open.steps[1].position, TargetPath::kNoPosition);
  const std::string_view quoted = R"(["a"])";
  const TargetPath unclosed = *TargetPath::Parse(quoted.substr(0, 4));
  ASSERT_EQ(unclosed.steps.size(), 1u);
  EXPECT_EQ(unclosed.steps[0].key, "\"a\"");
}

}  // namespace
}  // namespace leafscore::internal
