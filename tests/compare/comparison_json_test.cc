#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>

#include "cli/schema.h"
#include "compare/example_comparison.h"

namespace leafscore::internal {
namespace {

std::string Json(const Comparison& comparison, std::span<const GateResult> gates = {}) {
  return RenderComparison(comparison, gates, ComparisonFormat::kJson);
}

rapidjson::Document Parsed(const std::string& json) {
  rapidjson::Document document;
  document.Parse(json.c_str());
  EXPECT_FALSE(document.HasParseError()) << json;
  return document;
}

TEST(ComparisonJsonTest, HasTheSchemaOfTheDocs) {
  const Schema schema("comparison");
  EXPECT_EQ(schema.Fault(Json(ExampleComparison(), ExampleGates())), "");
  EXPECT_EQ(schema.Fault(Json(HostileComparison(), HostileGates())), "");
  EXPECT_EQ(schema.Fault(Json({})), "");
  EXPECT_NE(schema.Fault("{}"), "");
}

TEST(ComparisonJsonTest, TellsAll) {
  const rapidjson::Document json = Parsed(Json(ExampleComparison(), ExampleGates()));
  EXPECT_STREQ(json["verdict"].GetString(), "regressed");
  EXPECT_STREQ(json["gates"][0]["sentence"].GetString(), "the mean fell by up to 0.15");
  EXPECT_FALSE(json["gates"][0]["passed"].GetBool());
  EXPECT_STREQ(json["gates"][1]["group"].GetString(), "extract");
  EXPECT_TRUE(json["gates"][1]["field"].IsNull());
  const auto& file = json["files"][0];
  EXPECT_EQ(file["only_base"]["count"].GetInt(), 12);
  EXPECT_STREQ(file["only_base"]["first"][1].GetString(), "b");
  const auto& scorer = file["scorers"][0];
  EXPECT_EQ(scorer["all"]["flips"]["fail_to_pass"].GetInt(), 10);
  EXPECT_EQ(scorer["all"]["interval"]["low"].GetDouble(), -0.15);
  EXPECT_TRUE(scorer["groups"][1]["p"].IsNull());
  EXPECT_EQ(scorer["fields"][0]["contribution"].GetDouble(), -0.08);
  EXPECT_TRUE(scorer["fields"][0]["rate"].IsNull());
  EXPECT_STREQ(scorer["field_rates"][0]["rate"].GetString(), "recall");
  EXPECT_STREQ(scorer["field_rates"][0]["field"].GetString(), "items[*].price");
  EXPECT_TRUE(scorer["outcomes"][1]["from"].IsNull());
  EXPECT_STREQ(scorer["worst"][0]["fields"][0]["now"].GetString(), "\"12.60\"");
  EXPECT_TRUE(scorer["worst"][0]["base_passed"].GetBool());
}

TEST(ComparisonJsonTest, HostileTextsReadBack) {
  const rapidjson::Document json = Parsed(Json(HostileComparison()));
  const std::string name = json["files"][0]["scorers"][0]["scorer"].GetString();
  EXPECT_EQ(name, "<b>&\"'|`*_#\x1b[31m\u202E\n=1,{}\\$%~^\u200B\uFFFD\uFFFE]]>");
}

}  // namespace
}  // namespace leafscore::internal
