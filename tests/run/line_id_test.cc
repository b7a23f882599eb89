#include "engine/run/line_id.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

std::string IdOf(const std::string& text, std::size_t fault = 0, const std::string& field = "id") {
  const std::optional<LineId> id = FindLineId(text, field, fault);
  return id ? id->json : "none";
}

TEST(LineId, IsFoundInALineThatIsCutOff) {
  const std::string line = R"({"id": "c", "expected": {"city": "Bern", "id": 12}, "actual": "x"})";
  const std::size_t id_end = line.find(',');
  for (std::size_t cut = 0; cut < line.size(); ++cut) {
    EXPECT_EQ(IdOf(line.substr(0, cut), cut), cut < id_end ? "none" : "\"c\"") << cut;
  }
}

TEST(LineId, IsAWholeStringOrNumberOfTheRecordItself) {
  EXPECT_EQ(IdOf(R"( {"a": [1, {"id": 1}], "id": -1.5e3, "x)"), "-1.5e3");
  EXPECT_EQ(IdOf(R"({"id": 12)"), "none");  // perhaps 123
  EXPECT_EQ(IdOf(R"({"id": 12 )"), "12");
  EXPECT_EQ(IdOf(R"({"id": 012, "a)"), "none");
  EXPECT_EQ(IdOf(R"({"id": null, "a)"), "none");
  EXPECT_EQ(IdOf(R"({"id": ["x"], "a)"), "none");
  EXPECT_EQ(IdOf(R"({"x": {"id": 1}, "a)"), "none");
  EXPECT_EQ(IdOf(R"([{"id": 1}, )"), "none");
  EXPECT_EQ(IdOf(R"("id": 1, "a)"), "none");
  EXPECT_EQ(IdOf(R"({"x": "\"id\": 1, ", "a)"), "none");
  EXPECT_EQ(IdOf(R"({"\u0069d": "a\u0041\"\\\n", )"), R"("aA\"\\\n")");
  EXPECT_EQ(IdOf("{\"id\": \"a\xff\", \"b"), "none");
  EXPECT_EQ(IdOf("{\"id\": \"a\nb\", \"b"), "none");
  EXPECT_EQ(IdOf(R"({"id": "\x", "b)"), "none");
  EXPECT_EQ(IdOf("{\"a\": \"\xff\", \"id\": \"é\"}"), "\"é\"");
}

TEST(LineId, BehindTheFaultItCountsOnlyAlone) {
  EXPECT_EQ(IdOf(R"({"a": NaN, "id": 7})", 6), "7");
  EXPECT_EQ(IdOf(R"({"id": 1, "a": NaN, "id": 7})", 15), "1");
  EXPECT_EQ(IdOf(R"({"a": NaN, "id": 1, "id": 7})", 6), "none");
  EXPECT_EQ(IdOf(R"({"a": NaN, "id": 7, "id": 7})", 6), "7");
  EXPECT_EQ(IdOf(R"({"id": 1, "id": 2, "a": )", 23), "2");  // the last one wins, as in a whole record
  EXPECT_EQ(IdOf(R"({"id": 1}{"id": 2})", 9), "1");
}

// A text whose quotes were not escaped.
TEST(LineId, WhatATextHoldsIsNoId) {
  const std::string line = R"({"id": "a", "actual": "say "hi", "id": "evil", ok"})";
  EXPECT_EQ(IdOf(line, line.find("hi")), "\"a\"");
  EXPECT_EQ(IdOf(R"({"actual": "{"id": "evil"}", "id": "a"})", 13), "\"a\"");
}

TEST(LineId, FollowsThePathOfTheField) {
  EXPECT_EQ(IdOf(R"({"id": 1, "meta": {"x": {"id": 2}, "id": 3, "y)", 0, "meta.id"), "3");
  EXPECT_EQ(IdOf(R"({"keys": [[7, 8], 9, {"id": 4}, )", 0, "keys[0][1]"), "8");
  EXPECT_EQ(IdOf(R"({"keys": [[7, 8], 9, {"id": 4}, )", 0, "keys[2].id"), "4");
  EXPECT_EQ(IdOf(R"({"meta.id": 5, )", 0, "meta.id"), "5");
  EXPECT_EQ(IdOf(R"({"meta": 5, )", 0, "meta.id"), "none");
}

TEST(LineId, TakesLittleMemoryForALineOfBrackets) {
  EXPECT_EQ(IdOf("{\"id\": 1, \"a\": " + std::string(1 << 24, '[')), "1");
  EXPECT_EQ(IdOf("{\"id\": 1, \"a\": " + std::string(1 << 24, '}')), "1");
}

}  // namespace
}  // namespace leafscore::internal
