#include "corpus/json_tree.h"

#include <gtest/gtest.h>

namespace leafscore::internal::corpus {
namespace {

std::string Json(const JsonTree& value, JsonStyle style) {
  std::string out;
  AppendJson(out, value, style);
  return out;
}

JsonTree Sample() {
  JsonTree value{JsonKind::kObject, {}, {}, {}};
  value.AddString("größe", "a/b \"😀\"\n");
  value.AddNumber("n", -1250, 2);
  JsonTree& list = value.AddArray("list");
  list.AddBool({}, true);
  list.AddNull({});
  list.AddObject();
  value.AddArray("none");
  return value;
}

TEST(JsonTree, Spacing) {
  EXPECT_EQ(Json(Sample(), {JsonLayout::kOneLine, Escaping::kMinimal}),
            R"({"größe": "a/b \"😀\"\n", "n": -12.5, "list": [true, null, {}], "none": []})");
  EXPECT_EQ(Json(Sample(), {JsonLayout::kCompact, Escaping::kMinimal}),
            R"({"größe":"a/b \"😀\"\n","n":-12.5,"list":[true,null,{}],"none":[]})");
  EXPECT_EQ(Json(Sample(), {JsonLayout::kIndented, Escaping::kMinimal}),
            R"({
  "größe": "a/b \"😀\"\n",
  "n": -12.5,
  "list": [
    true,
    null,
    {}
  ],
  "none": []
})");
}

TEST(JsonTree, Escaping) {
  EXPECT_EQ(Json(Sample(), {JsonLayout::kCompact, Escaping::kAscii}),
            R"({"gr\u00f6\u00dfe":"a/b \"\ud83d\ude00\"\n","n":-12.5,"list":[true,null,{}],"none":[]})");
  EXPECT_EQ(Json(Sample(), {JsonLayout::kCompact, Escaping::kSlashes}),
            R"({"größe":"a\/b \"😀\"\n","n":-12.5,"list":[true,null,{}],"none":[]})");
}

TEST(JsonTree, EscapesTheEdgesOfEveryUtf8Length) {
  JsonTree text{JsonKind::kString, {}, "\u007f\u0080\u07ff\u0800\uffff\U00010000\U0010ffff", {}};
  EXPECT_EQ(Json(text, {JsonLayout::kOneLine, Escaping::kAscii}),
            "\"\u007f\\u0080\\u07ff\\u0800\\uffff\\ud800\\udc00\\udbff\\udfff\"");
}

}  // namespace
}  // namespace leafscore::internal::corpus
