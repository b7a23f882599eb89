// Gold that is not valid by its schema.
#include <gtest/gtest.h>

#include <string>

#include "engine/lint/checks.h"
#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class SchemaChecksTest : public LintTest {};

constexpr char kGold[] =
    "{\"id\": 1, \"expected\": {\"n\": 1, \"lines\": [{\"q\": 2}]}}\n"
    "{\"id\": 2, \"expected\": {\"n\": \"1\", \"lines\": [{\"q\": 2}, {\"q\": \"3\"}]}}\n"
    "{\"id\": 3, \"expected\": {\"lines\": [{\"q\": \"3\"}]}}\n";
constexpr char kSchema[] =
    "{required: [n], properties: {n: {type: integer}, lines: {items: {properties: {q: {type: integer}}}}}}";

TEST_F(SchemaChecksTest, TheSchemaOfAScorer) {
  const LintReport report =
      Lint(Plan::FromConfig("evaluators:\n- {type: records, schema: " + std::string(kSchema) + "}\n"), kGold);
  ExpectIds(report, LintKind::kInvalidGold, LintSeverity::kWarning, {"2", "3"});
  const LintFinding finding = Find(report, LintKind::kInvalidGold)[0];
  EXPECT_EQ(finding.scorer, "records");
  EXPECT_EQ(finding.paths.first, Ids({"lines[*].q (type)", "n (required)", "n (type)"}));
  EXPECT_EQ(
      finding.message,
      "2 records have an expected value that the schema does not allow; the first error is at \"n\": type "
      "(#/properties/n/type).");
}

TEST_F(SchemaChecksTest, TheSchemaInAFile) {
  options_.schema = folder_ / "schema.yaml";
  WriteFile(options_.schema, "# YAML\n" + std::string(kSchema));
  const LintReport report = Lint(Plan({"json_similarity"}), kGold);
  ExpectIds(report, LintKind::kInvalidGold, LintSeverity::kWarning, {"2", "3"});
  EXPECT_EQ(Find(report, LintKind::kInvalidGold)[0].scorer, "");
}

TEST_F(SchemaChecksTest, GoldWithAcceptedValuesIsNotChecked) {
  const LintReport report =
      Lint(Plan::FromConfig(
               "evaluators:\n- {type: records, any_of_key: $any, schema: " + std::string(kSchema) + "}\n"),
           kGold);
  EXPECT_TRUE(Find(report, LintKind::kInvalidGold).empty());
}

}  // namespace
}  // namespace leafscore::internal
