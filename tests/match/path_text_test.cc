// The text of paths: what is written is read back as the same path, by every reader of paths.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {
namespace {

using Keys = std::vector<std::string>;

const Keys kPathKeys = {"a",  "a b", "é",      "0",   "a-1",     "~",   "a/b",    "a.b",
                        ".",  "[",   "]",      "[0]", "a[0].b",  "",    "*",      "**",
                        "/a", "\"",  "a\"].b", "\\",  "a\\\"b.", "\n.", "[\"a\"]"};

std::string PathOf(const Keys& keys) {
  std::string path;
  for (const std::string& key : keys) AppendKeyStep(path, key);
  return path;
}

TEST(PathText, KeysStandAsTheyAreWhereTheyCan) {
  EXPECT_EQ(PathOf({"a", "b c", "0", "a/b", "é"}), "a.b c.0.a/b.é");
  EXPECT_EQ(PathOf({"a", "b.c", "d"}), R"(a["b.c"].d)");
  EXPECT_EQ(PathOf({"a.b", "", "*", "**", "/x", "[0]"}), R"(["a.b"][""]["*"]["**"]["/x"]["[0]"])");
  EXPECT_EQ(PathOf({"a\".\\\n"}), R"(["a\".\\\n"])");
  std::string path = PathOf({"a"});
  AppendPositionStep(path, 12);
  AppendKeyStep(path, "b");
  EXPECT_EQ(path, "a[12].b");
}

TEST(PathText, EveryKeyIsReadBack) {
  for (const std::string& first : kPathKeys) {
    for (const std::string& second : kPathKeys) {
      const std::string text = PathOf({first, second});
      SCOPED_TRACE(text);
      for (const bool loosely : {false, true}) {
        const auto path = loosely ? TargetPath::ParseLoosely(text) : TargetPath::Parse(text);
        ASSERT_TRUE(path);
        ASSERT_EQ(path->steps.size(), 2u);
        EXPECT_EQ(path->steps[0].key, first);
        EXPECT_EQ(path->steps[1].key, second);
        EXPECT_TRUE(path->steps[0].has_key() && path->steps[1].has_key());
        EXPECT_EQ(path->Canonical(), text);
      }
    }
  }
}

TEST(PathText, QuotedKeysAreFollowed) {
  const std::string json = R"({"a.b": {"": [{"c]": 1}]}})";
  ShapeTable shapes;
  JsonReader reader(&shapes);
  LeafTable table;
  reader.Begin(json, /*lines=*/false, &table);
  const NodeId root = reader.Read(0, static_cast<std::uint32_t>(json.size())).root;
  const std::optional<TargetPath> path = TargetPath::Parse(R"(["a.b"][""][0]["c]"])");
  ASSERT_TRUE(path);
  const ValueRef found = PathFollower(&*path, &shapes).Follow({&table, root});
  ASSERT_TRUE(found.present());
  EXPECT_EQ(table.token(found.node), "1");
}

TEST(PathText, MalformedQuotedKeysAreNone) {
  EXPECT_EQ(KeyOfQuotedStep("[\"a\"]"), "a");
  for (const std::string text :
       {"", "a", "[a]", "[\"a", "[\"a\"", "[\"a\"x]", "[\"\\x\"]", "[\"a\nb\"]", "[\"a\"]b"}) {
    EXPECT_EQ(KeyOfQuotedStep(text), std::nullopt) << text;
  }
}

TEST(PathText, PointersAreTranslated) {
  EXPECT_EQ(PathOfPointer("/a/0/b~1c~0d"), "a[0].b/c~d");
  EXPECT_EQ(PathOfPointer("/a.b//x"), R"(["a.b"][""].x)");
  EXPECT_EQ(PathOfPointer("/~01"), "~1");
}

}  // namespace
}  // namespace leafscore::internal
