// The scorer json_schema over files: schemas in records and in files, and the faults of a run.
#include <gtest/gtest.h>

#include <string>

#include "engine/base/limits.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class SchemaRunTest : public RunTest {};

constexpr char kOwnSchemas[] = "evaluators:\n- {type: json_schema, schema_key: meta.schema}\n";

TEST_F(SchemaRunTest, RecordsMayHaveTheirOwnSchemas) {
  const FinishedRun run = RunText(Plan::FromConfig(kOwnSchemas),
                                  R"({"id": 1, "actual": 5, "meta": {"schema": {"type": "integer"}}}
{"id": 2, "actual": 5, "meta": {"schema": {"type": "string"}}}
{"id": 3, "actual": 5, "meta": {"schema": "{\"maximum\": 4}"}}
{"id": 4, "actual": 5, "meta": {"schema": {"type": "strng"}}}
{"id": 5, "actual": 5}
{"id": 6, "meta": {"schema": {"type": "string"}}}
)");
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.scorers[0].figures.scored, 3u);
  EXPECT_EQ(report.scorers[0].figures.errors, 2u);
  EXPECT_EQ(report.scorers[0].figures.unanswered, 1u);
  ASSERT_EQ(report.scorers[0].faults.size(), 2u);
  EXPECT_EQ(report.scorers[0].faults[0].field, "*");
  EXPECT_EQ(report.scorers[0].faults[0].rule, "maximum");
  EXPECT_EQ(report.scorers[0].faults[1].rule, "type");
  EXPECT_TRUE(report.scorers[0].fields.empty());
  EXPECT_NE(run.lines[3].find("the schema of the record is wrong: #/type: unknown type"), std::string::npos);
  EXPECT_NE(run.lines[4].find("the record lacks its schema"), std::string::npos);
}

TEST_F(SchemaRunTest, AreTheSameForAnyThreadsAndBatches) {
  std::string input;
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i % 7);
    input += R"({"id": )" + std::to_string(i) + R"(, "actual": {"lines": [{"n": )" + n +
             R"(}, {"n": "x"}]}, )" +
             R"("meta": {"schema": {"properties": {"lines": {"items": {"properties": {"n": {"maximum": )" +
             n + R"(, "type": "integer"}}}}}}}})" + "\n";
  }
  const Plan plan = Plan::FromConfig(kOwnSchemas);
  const FinishedRun run = RunText(plan, input);
  const RunReport report = run.result.summary.Report();
  ASSERT_EQ(report.scorers[0].faults.size(), 1u);
  EXPECT_EQ(report.scorers[0].faults[0].field, "lines[*].n");
  EXPECT_EQ(report.scorers[0].faults[0].count, 300u);
  FileOptions options;
  options.inputs = {folder_ / "in.jsonl"};
  ExpectSameBytes(plan, options, run, {100, 4096});
}

constexpr char kRecordsWithSchemas[] =
    R"(
{"id": 1, "expected": {"currency": "USD", "n": 5}, "actual": {"n": 5}, "schema": {"properties": {"currency": {"default": "USD"}}}}
{"id": 2, "expected": {"currency": "USD", "n": 5}, "actual": {"n": 5}, "schema": {"required": ["n", "currency"]}}
{"id": 3, "expected": {"d": "2024-05-01"}, "actual": {"d": "1 May 2024"}, "schema": {"properties": {"d": {"format": "date"}}}}
{"id": 4, "expected": {"d": "2024-05-01"}, "actual": {"d": "1 May 2024"}, "schema": "{}"}
{"id": 5, "expected": {"t": "abcd"}, "actual": {"t": "abcx"}, "schema": {"properties": {"t": {"x-leafscore": {"similarity": 0.7}}}}}
{"id": 6, "expected": {"t": "abcd"}, "actual": {"t": "abcx"}, "schema": {"properties": {"t": {"x-leafscore": {"similar": 0.7}}}}}
{"id": 7, "expected": {"t": "abcd"}, "actual": {"t": "abcx"}, "schema": {"$ref": "#/$defs/None"}}
{"id": 8, "expected": {"t": "abcd"}, "actual": {"t": "abcd"}}
{"id": 9, "expected": {"t": "abcd", "u": 1}, "schema": {"type": "object"}}
{"id": 10, "expected": {"t": "abcd"}, "schema": {"type": "strng"}}
{"id": 11, "expected": {"rows": [{"k": 1, "v": 2}, {"k": 2, "v": 3}]}, "actual": {"rows": [{"k": 1, "v": 3}, {"k": 2, "v": 2}]}, )"
    R"("schema": {"properties": {"rows": {"x-leafscore": {"match_by": "k"}}}}}
{"id": 12, "expected": {"t": 1}, "actual": {"t": 1}, "schema": true}
)";

TEST_F(SchemaRunTest, RecordsAreJudgedByTheirOwnSchemas) {
  const FinishedRun run =
      RunText(Plan::FromConfig("evaluators:\n- {type: records, schema_key: schema}\n"), kRecordsWithSchemas);
  const auto has = [&](std::size_t id, const std::string& text) {
    EXPECT_NE(run.lines[id - 1].find(text), std::string::npos) << run.lines[id - 1];
  };
  has(1, R"("score": 1,)");
  has(1, R"("valid": 1, "type_safety": 0, "required": 1)");
  has(2, R"("precision": 1, "recall": 0.5)");
  has(2, R"("valid": 0, "type_safety": 1, "required": 0.5)");
  has(3, R"("score": 1,)");
  has(4, R"("score": 0,)");
  has(5, R"("score": 1,)");
  has(6, "the schema of the record is wrong");
  has(6, "similar");
  has(7, "the schema of the record is wrong");
  has(8, R"(the record lacks its schema, \"schema\")");
  has(11, R"("paired": 2, "joined": 2)");
  has(11, R"("matched": 2, "wrong": 2)");
  has(12, "the schema of the record is wrong: it is no object");
  const RunReport report = run.result.summary.Report();
  EXPECT_EQ(report.scorers[0].figures.scored, 6u);
  EXPECT_EQ(report.scorers[0].figures.errors, 4u);
  EXPECT_EQ(report.scorers[0].figures.unanswered, 2u);
  // Values that an answer lacks count as missing, but not those of a record without a schema to judge by.
  const auto counts = [&](std::string_view field) {
    return *std::ranges::find(report.scorers[0].fields, field, &FieldCounts::field);
  };
  EXPECT_EQ(counts("t").true_positives, 1u);
  EXPECT_EQ(counts("t").false_negatives, 1u);
  EXPECT_EQ(counts("u").false_negatives, 1u);
}

TEST_F(SchemaRunTest, RecordsWithoutASchemaHaveTheOneOfTheOptions) {
  const FinishedRun run = RunText(
      Plan::FromConfig("evaluators:\n- {type: records, schema_key: schema, fields: [{path: t, normalise: "
                       "[case]}], schema: {properties: {t: {default: ABCD}}}}\n"),
      R"({"id": 1, "expected": {"t": "abcd"}, "actual": {}}
{"id": 2, "expected": {"t": "abcd"}, "actual": {}, "schema": null}
{"id": 3, "expected": {"t": "abcd"}, "actual": {}, "schema": {}}
{"id": 4, "expected": {"t": "abcd"}, "actual": {"t": "ABCD"}, "schema": {}}
)");
  for (const std::size_t id : {1, 2, 4})
    EXPECT_NE(run.lines[id - 1].find(R"("score": 1,)"), std::string::npos) << run.lines[id - 1];
  EXPECT_NE(run.lines[2].find(R"("score": 0,)"), std::string::npos) << run.lines[2];
}

TEST_F(SchemaRunTest, OwnSchemasOfRecordsDependOnNoBatch) {
  std::string input;
  for (int i = 0; i < 600; ++i) {
    const std::string n = std::to_string(i % 290);
    input += R"({"id": )" + std::to_string(i) + R"(, "expected": {"n": )" + n +
             R"(, "t": "abcd"}, "actual": {"t": "abcx"}, "schema": {"properties": {"n": {"default": )" + n +
             R"(}, "t": {"x-leafscore": {"similarity": )" + (i % 2 == 0 ? "0.7" : "0.8") + "}}}}}\n";
  }
  const Plan plan = Plan::FromConfig("evaluators:\n- {type: records, schema_key: schema}\n");
  const FinishedRun run = RunText(plan, input);
  EXPECT_EQ(run.result.summary.Report().scorers[0].figures.passed, 300u);
  FileOptions options;
  options.inputs = {folder_ / "in.jsonl"};
  ExpectSameBytes(plan, options, run, {100, 4096});
}

TEST_F(SchemaRunTest, DetailsOfRevisionsDependOnNoBatch) {
  std::string input;
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i % 9);
    const std::string key = "k" + std::to_string(i % 50);
    input += R"({"id": )" + std::to_string(i) + R"(, "expected": {"rows": [{"a": )" + n + R"(, ")" + key +
             R"(": 2}, {"a": 3, "z": 4}], "t": "x"}, "actual": {")" + key +
             R"(": 1, "rows": [{"z": 4, "b": )" + n + R"(, "a": 3}, {"y": 1, ")" + key + "\": 2}]}}\n";
  }
  for (const std::string revision : {"omni-0.1", "sob-2026-06", "extractbench-2026-09"}) {
    const Plan plan =
        Plan::FromConfig("evaluators:\n- {type: records, revision: " + revision +
                         ", schema: {properties: {rows: {items: {properties: {a: {}, b: {}}}}}}}\n");
    FileOptions options;
    options.details = DetailLevel::kLeaves;
    const FinishedRun run = RunText(plan, input, options);
    EXPECT_NE(run.output.find(R"("leaves": [{"path": ")"), std::string::npos) << run.lines[0];
    options.inputs = {folder_ / "in.jsonl"};
    ExpectSameBytes(plan, options, run, {100, 4096});
  }
}

TEST_F(SchemaRunTest, SchemasComeFromFiles) {
  const std::string json = Input("schema.json", "{\"type\": \"integer\"}");
  const std::string yaml = Input("schema.yaml", "type: integer\nmaximum: 4\n");
  const auto passed = [&](const std::string& schema) {
    const Plan plan = Plan::FromConfig("evaluators:\n- {type: json_schema, schema: '" + schema + "'}\n");
    return RunText(plan, "{\"id\": 1, \"actual\": 5}\n").result.summary.Report().scorers[0].figures.passed;
  };
  EXPECT_EQ(passed(json), 1u);
  EXPECT_EQ(passed(yaml), 0u);
}

TEST_F(SchemaRunTest, FilesOfSchemasHaveALimit) {
  const auto compiles = [&](std::size_t bytes) {
    std::string text = "{\"type\": \"integer\"}";
    text.resize(bytes, ' ');
    const std::string path = Input("schema.json", text);
    try {
      Plan::FromConfig("evaluators:\n- {type: json_schema, schema: '" + path + "'}\n");
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("may have 16777216 bytes at most"), std::string::npos);
      return false;
    }
    return true;
  };
  EXPECT_TRUE(compiles(kMaxSchemaBytes.default_value - 1));
  EXPECT_TRUE(compiles(kMaxSchemaBytes.default_value));
  EXPECT_FALSE(compiles(kMaxSchemaBytes.default_value + 1));
}

}  // namespace
}  // namespace leafscore::internal
