// The scorer json_schema; tests/schema/ has the tests of schemas themselves.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/base/cell_rows.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kPerson[] =
    "type: json_schema, schema: {type: object, required: [name, age], additionalProperties: false, "
    "properties: "
    "{name: {type: string}, age: {type: integer, minimum: 0}, born: {type: string, format: date}}}";

TEST(JsonSchemaScorer, ScoresValidity) {
  EXPECT_EQ(ScoreOf(kPerson, "null", R"({"name": "Ada", "age": 36.0})"), 1.0);
  EXPECT_EQ(ScoreOf(kPerson, "null", R"({"name": "Ada", "age": "36"})"), 0.0);
  EXPECT_EQ(Score(kPerson, "null", R"({"name": "Ada", "age": 36})").passed[0], 1);
  EXPECT_EQ(Score(kPerson, "null", R"({"name": "Ada"})").passed[0], 0);
  EXPECT_EQ(Score(std::string(kPerson) + ", threshold: 0", "null", "5").passed[0], 1);
  EXPECT_EQ(ScoreOf("type: json_schema, schema: true", "1", "[1]"), 1.0);
  EXPECT_EQ(ScoreOf("type: json_schema, schema: false", "1", "[1]"), 0.0);
}

TEST(JsonSchemaScorer, TellsErrors) {
  EXPECT_EQ(DetailsOf(kPerson, "null", R"({"age": -1, "x": 1})"),
            R"({"valid": 0, "type_safety": 0.5, "required": 0.5, "error_count": 3, "errors": [)"
            R"({"path": "name", "keyword": "required", "schema_path": "#/required"}, )"
            R"({"path": "age", "keyword": "minimum", "schema_path": "#/properties/age/minimum"}, )"
            R"({"path": "x", "keyword": "additionalProperties", "schema_path": "#/additionalProperties"}]})");
  EXPECT_EQ(DetailsOf(kPerson, "null", R"({"name": "Ada", "age": 36})"),
            R"({"valid": 1, "type_safety": 1, "required": 1, "error_count": 0, "errors": []})");
}

TEST(JsonSchemaScorer, CountsErrorsByFieldAndKeyword) {
  ScoredPair pair(
      Plan::FromConfig(
          "evaluators:\n- {type: json_schema, schema: {items: {properties: {n: {type: number}}}}}\n"),
      "null", R"([{"n": "1"}, {"n": 2}, {"n": null}])", DetailLevel::kNone);
  std::vector<NamedCellCounts> counts;
  pair.batch().AppendCellCounts(0, counts);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(FaultOfName(std::string(counts[0].field)), std::pair(std::string("[*].n"), std::string("type")));
  EXPECT_EQ(counts[0].counts.extra, 2u);
}

TEST(JsonSchemaScorer, FormatsAreCheckedOnDemand) {
  const std::string answer = R"({"name": "Ada", "age": 36, "born": "10 December 1815"})";
  EXPECT_EQ(ScoreOf(kPerson, "null", answer), 1.0);
  EXPECT_EQ(ScoreOf(std::string(kPerson) + ", formats: true", "null", answer), 0.0);
}

TEST(JsonSchemaScorer, ReadsJsonInTextsWhereNoTextIsAllowed) {
  const std::string answer =
      R"("Here it is:\n```json\n{\"name\": \"Ada\", \"age\": 36}\n```\nAnything else?")";
  EXPECT_EQ(ScoreOf(kPerson, "null", answer), 1.0);
  EXPECT_EQ(ScoreOf(std::string(kPerson) + ", parse_texts: never", "null", answer), 0.0);
  EXPECT_EQ(ScoreOf("type: json_schema, schema: {type: string, maxLength: 9}", "null", R"("{\"a\": 1}")"),
            1.0);
}

TEST(JsonSchemaScorer, ChecksAPartOfTheAnswer) {
  const std::string part = "type: json_schema, schema: {type: integer}, target_output_key: a.b";
  EXPECT_EQ(ScoreOf(part, "null", R"({"a": {"b": 5}})"), 1.0);
  EXPECT_EQ(ErrorOf(part, "null", R"({"a": 5})"),
            "unreadable, target_key_not_found: the path \"a.b\" is missing in the actual value");
  EXPECT_EQ(ScoreOf("type: json_schema, schema: {required: [a, b.c]}, target_output_key: [a, b.c]", "null",
                    R"({"a": 1, "b": {"c": 2}})"),
            1.0);
}

TEST(JsonSchemaScorer, WrongSchemasEndTheRun) {
  EXPECT_NE(ConfigErrorOf("type: json_schema, schema: {type: strng}").find("#/type: unknown type"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: json_schema").find("give the JSON Schema of the answers"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: json_schema, schema: {$ref: 'https://example.com/s.json'}")
                .find("references must be within the schema"),
            std::string::npos);
}

TEST(JsonSchemaScorer, TooMuchWorkIsAnErrorOfTheRecord) {
  std::string defs;
  for (int i = 0; i < 60; ++i) {
    const std::string next = "{$ref: '#/$defs/d" + std::to_string(i + 1) + "'}";
    defs += "d" + std::to_string(i) + ": {allOf: [" + next + ", " + next + "]}, ";
  }
  EXPECT_EQ(
      ErrorOf("type: json_schema, schema: {$ref: '#/$defs/d0', $defs: {" + defs + "d60: {type: integer}}}",
              "null", "5"),
      "error, work_limit: checking the answer against its schema takes too many steps");
}

}  // namespace
}  // namespace leafscore::internal
