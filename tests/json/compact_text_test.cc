#include "engine/json/compact_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "json/reader_probe.h"

namespace leafscore::internal {
namespace {

using Append = void (*)(const LeafTable&, const ShapeTable&, NodeId, std::string&);

// Applies one of the functions to a JSON text.
std::string Applied(Append append, std::string_view json) {
  ReaderProbe probe;
  EXPECT_TRUE(probe.Read(json).tree) << json;
  std::string out = ">";
  append(probe.table(), probe.shapes(), 0, out);
  return out.substr(1);
}

TEST(CompactText, JsonIsWrittenWithoutSpaces) {
  EXPECT_EQ(Applied(AppendCompactJson,
                    R"( { "b" : [ 1 , -0.50E+1 , true , false , null ] , "a" : { } , "" : [ ] } )"),
            R"({"b":[1,-0.50E+1,true,false,null],"a":{},"":[]})");
  EXPECT_EQ(Applied(AppendCompactJson, "[[],[[ ]],{\"a\":{\"b\":[{}]}}]"), R"([[],[[]],{"a":{"b":[{}]}}])");
  EXPECT_EQ(Applied(AppendCompactJson, " NaN "), "NaN");
  EXPECT_EQ(Applied(AppendCompactJson, R"({"a":1,"b":2,"\u0061":3})"), R"({"a":3,"b":2})");
}

TEST(CompactText, StringsHaveOnlyTheEscapesThatJsonDemands) {
  EXPECT_EQ(Applied(AppendCompactJson, R"("\u0061\u00e9\/é\ud83d\ude00\"\\\u0008\n\u001F\u007f")"),
            "\"aé/é😀\\\"\\\\\\b\\n\\u001f\x7f\"");
  EXPECT_EQ(Applied(AppendCompactJson, R"({"\"\u0061":"x","\\":""})"), R"({"\"a":"x","\\":""})");
  EXPECT_EQ(Applied(AppendCompactJson, R"("\ud83d")"), "\"\xef\xbf\xbd\"");
}

TEST(CompactText, KeysCanBeSorted) {
  EXPECT_EQ(Applied(AppendSortedJson, R"([{"b": {"é": 1, "z": []}, "a": {}, "": 2}, {"ab": 1, "a": 2}, {}])"),
            R"([{"":2,"a":{},"b":{"z":[],"é":1}},{"a":2,"ab":1},{}])");
}

TEST(CompactText, TheTextOfAStringIsBare) {
  EXPECT_EQ(Applied(AppendValueText, R"("a\"\n\u00e9")"), "a\"\né");
  EXPECT_EQ(Applied(AppendValueText, R"("plain é")"), "plain é");
  EXPECT_EQ(Applied(AppendValueText, R"("")"), "");
  EXPECT_EQ(Applied(AppendValueText, R"([ "a" ])"), R"(["a"])");
  EXPECT_EQ(Applied(AppendValueText, " 1.50 "), "1.50");
}

TEST(CompactText, APartOfAValueEndsWhereItEnds) {
  ReaderProbe probe;
  ASSERT_TRUE(probe.Read(R"([{"a": [1, 2]}, {"b": 3}, 4])").tree);
  const LeafTable& table = probe.table();
  std::string out;
  AppendCompactJson(table, probe.shapes(), table.Child(0, 0), out);
  AppendCompactJson(table, probe.shapes(), table.Child(0, 1), out);
  AppendCompactJson(table, probe.shapes(), table.Child(0, 2), out);
  EXPECT_EQ(out, R"({"a":[1,2]}{"b":3}4)");
}

}  // namespace
}  // namespace leafscore::internal
