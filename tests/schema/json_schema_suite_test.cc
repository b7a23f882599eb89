// The official tests of JSON Schema, all of draft 2020-12 without the optional ones, and those of eight
// formats.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_value.h"
#include "engine/schema/schema_validator.h"

namespace leafscore::internal {
namespace {

// Tests whose schemas refer to other documents, which is an error here. docs/scorers.md names them.
constexpr std::string_view kRemote[] = {
    "defs: validate definition against metaschema",
    "dynamicRef: strict-tree schema, guards against misspelled properties",
    "dynamicRef: tests for implementation dynamic anchor and reference link",
    "dynamicRef: $ref and $dynamicAnchor are independent of order - $defs first",
    "dynamicRef: $ref and $dynamicAnchor are independent of order - $ref first",
    "dynamicRef: $ref to $dynamicRef finds detached $dynamicAnchor",
    "ref: remote ref, containing refs itself",
    "vocabulary: schema that uses custom metaschema with with no validation vocabulary",
    "vocabulary: ignore unrecognized optional vocabulary",
};

bool IsRemote(const std::string& name) {
  return name.starts_with("refRemote: ") || std::ranges::find(kRemote, name) != std::end(kRemote);
}

struct SuiteCounts {
  int tests = 0;
  int remote = 0;  // schemas
};

void RunTests(JsonView group, const std::string& name, const JsonSchema& schema, JsonValue& value,
              SuiteCounts& counts) {
  SchemaValidator validator(&schema, &value.shapes());
  group.Member("tests").ForEachChild([&](JsonView test) {
    ++counts.tests;
    const std::string what = name + ": " + test.Member("description").Text().value_or("");
    const ValueRef data{&test.table(), test.Member("data").node()};
    const bool wants_valid = test.Member("valid").Is(ValueKind::kTrue);
    SchemaFaults faults;
    const SchemaValidator::Verdict verdict = validator.Validate(data, &faults);
    EXPECT_EQ(verdict, wants_valid ? SchemaValidator::Verdict::kValid : SchemaValidator::Verdict::kInvalid)
        << what;
    EXPECT_EQ(faults.total() == 0, verdict == SchemaValidator::Verdict::kValid) << what;
  });
}

SuiteCounts RunSuite(const std::string& file, SchemaOptions options) {
  std::ifstream lines(LEAFSCORE_TEST_DATA "/json_schema_test_suite/" + file);
  EXPECT_TRUE(lines.is_open());
  SuiteCounts counts;
  JsonValue value{JsonOptions()};
  for (std::string line; std::getline(lines, line);) {
    const JsonView group = value.Read(line);
    const std::string name =
        group.Member("file").Text().value_or("") + ": " + group.Member("description").Text().value_or("");
    std::string fault;
    const auto schema = JsonSchema::Compile(group.Member("schema"), options, &fault);
    if (IsRemote(name) && schema == nullptr) {
      EXPECT_TRUE(fault.find("references must be within the schema") != fault.npos ||
                  fault.find("only the drafts of json-schema.org are known") != fault.npos)
          << fault;
      ++counts.remote;
      continue;
    }
    EXPECT_EQ(fault, "") << name;
    if (schema != nullptr) RunTests(group, name, *schema, value, counts);
  }
  return counts;
}

TEST(JsonSchemaSuite, Draft202012) {
  const SuiteCounts counts = RunSuite("draft2020-12.jsonl", {});
  EXPECT_EQ(counts.tests, 1246);
  EXPECT_EQ(counts.remote, 24);
}

TEST(JsonSchemaSuite, Formats) {
  const SuiteCounts counts = RunSuite("formats.jsonl", {.formats = true});
  EXPECT_EQ(counts.tests, 345);
  EXPECT_EQ(counts.remote, 0);
}

TEST(JsonSchemaSuite, KeywordsOfDraft7) {
  const SuiteCounts counts = RunSuite("draft7.jsonl", {});
  EXPECT_EQ(counts.tests, 83);
  EXPECT_EQ(counts.remote, 0);
}

}  // namespace
}  // namespace leafscore::internal
