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
