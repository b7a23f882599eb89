#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/lint/answer_maker.h"

namespace leafscore::internal {
namespace {

std::string Nulls(const std::string& json, bool differs) {
  JsonValue value{JsonOptions()};
  EXPECT_TRUE(value.Read(json).present());
  std::string nulls;
  EXPECT_EQ(AppendWithNulls(value.table(), value.shapes(), 0, nulls), differs) << json;
  return nulls;
}

// Keeps the leaves that are true.
std::string Kept(const std::string& json, bool differs) {
  JsonValue value{JsonOptions()};
  EXPECT_TRUE(value.Read(json).present());
  std::vector<bool> keep;
  for (NodeId node = 0; node < value.table().size(); ++node) {
    keep.push_back(value.table().kind(node) == ValueKind::kTrue);
  }
  std::string kept;
  EXPECT_EQ(AppendKeptLeaves(value.table(), value.shapes(), 0, keep, kept), differs) << json;
  return kept;
}

TEST(ValueEdits, NullsTakeThePlaceOfLeaves) {
  EXPECT_EQ(Nulls(R"({"b": [1, {"a": "x"}, []], "": {}})", true), R"({"b":[null,{"a":null},[]],"":{}})");
  EXPECT_EQ(Nulls("5", true), "null");
  EXPECT_EQ(Nulls("{\"a\": null}", false), "{\"a\":null}");
  EXPECT_EQ(Nulls("[]", false), "[]");
}

TEST(ValueEdits, OnlyKeptLeavesStay) {
  EXPECT_EQ(Kept(R"({"a": true, "b": 1, "c": {"d": 1}, "e": {"f": true, "g": 1}})", true),
            R"({"a":true,"e":{"f":true}})");
  EXPECT_EQ(Kept("[1, true, {\"a\": 1}, [1, true]]", true), "[null,true,null,[null,true]]");
  EXPECT_EQ(Kept("{\"a\": [true, {\"b\": true}]}", false), "{\"a\":[true,{\"b\":true}]}");
  EXPECT_EQ(Kept("{\"a\": 1}", true), "{}");
  EXPECT_EQ(Kept("[1]", true), "[null]");
  EXPECT_EQ(Kept("1", true), "null");
  EXPECT_EQ(Kept("true", false), "true");
  EXPECT_EQ(Kept("{\"a\": true, \"b\": {}}", true), "{\"a\":true}");
  const std::string deep = std::string(1000, '[') + "true" + std::string(1000, ']');
  EXPECT_EQ(Kept(deep, false), deep);
}

std::string More(const std::string& compact, AddTo where) {
  std::string more;
  AppendWithMore(compact, "k", where, more);
  return more;
}

TEST(ValueEdits, MoreStandsBehindWhatIsThere) {
  EXPECT_EQ(More(R"({"a":[1,{"b":"}"}],"c":{}})", AddTo::kAll),
            R"({"a":[1,{"b":"}","k":"invented"},"invented"],"c":{"k":"invented"},"k":"invented"})");
  EXPECT_EQ(More(R"({"a":[1]})", AddTo::kOutermost), R"({"a":[1],"k":"invented"})");
  EXPECT_EQ(More("[1,2.5]", AddTo::kAll), "[1,2.5,987654321]");
  EXPECT_EQ(More("[]", AddTo::kAll), "[\"invented\"]");
  EXPECT_EQ(More(R"(["\"]","\\"])", AddTo::kAll), R"(["\"]","\\","invented"])");
}

TEST(ValueEdits, ATextHasAnOnlyNumberOrNone) {
  EXPECT_EQ(OnlyNumber("34"), "34");
  EXPECT_EQ(OnlyNumber("The answer is 34.5."), "34.5");
  EXPECT_EQ(OnlyNumber("About 7."), "7");
  EXPECT_EQ(OnlyNumber("5 to 6"), "");
  EXPECT_EQ(OnlyNumber("none"), "");
  EXPECT_EQ(OnlyNumber(""), "");
}

}  // namespace
}  // namespace leafscore::internal
