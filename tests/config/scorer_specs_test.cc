#include "engine/config/scorer_specs.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

std::vector<ScorerSpec> Read(std::string_view text) {
  return ReadScorerSpecs(ParseConfig(text, "c.yaml"), "c.yaml");
}

std::string ReadError(std::string_view text) {
  return ErrorOf([&] { Read(text); });
}

const std::string kWrite = "write \"evaluators:\" and below it a list of {name, type, options...}";

TEST(ScorerSpecs, YamlAndJsonSayTheSame) {
  for (const std::string_view text :
       {"scorers:\n  - {type: exact_match}\n  - name: close\n    type: levenshtein\n    threshold: 0.9\n",
        "{\"evaluators\": [\n{\"type\": \"exact_match\"},\n{\"name\": \"close\", \"type\": \"levenshtein\",\n"
        "\"threshold\": 0.9}]}"}) {
    const std::vector<ScorerSpec> specs = Read(text);
    ASSERT_EQ(specs.size(), 2u);
    EXPECT_EQ(specs[0].name, "exact_match");
    EXPECT_EQ(specs[0].type, "exact_match");
    EXPECT_EQ(specs[0].line, 2);
    EXPECT_EQ(Show(specs[0].options), "{}");
    EXPECT_EQ(specs[1].name, "close");
    EXPECT_EQ(specs[1].type, "levenshtein");
    EXPECT_EQ(specs[1].line, 3);
    EXPECT_EQ(Show(specs[1].options), "{threshold: 0.9}");
  }
}

TEST(ScorerSpecs, AgentVProposal) {
  const std::vector<ScorerSpec> specs = Read(R"(evaluators:
  - name: invoice_field_check
    type: field_accuracy
    fields:
      - {path: invoice.total_amount, match: numeric_tolerance, tolerance: 0.01, required: true, weight: 1.0}
      - {path: invoice.invoice_date, match: date, formats: ["DD-MMM-YYYY", "YYYY-MM-DD", "MM/DD/YYYY"], required: true, weight: 0.5}
    aggregation: weighted_average
  - name: vendor_fuzzy
    type: code_judge
    script: ./multi_field_fuzzy.py
    fields: [{path: invoice.vendor_name, threshold: 0.85}]
    algorithm: levenshtein
)");
  ASSERT_EQ(specs.size(), 2u);
  EXPECT_EQ(specs[0].name, "invoice_field_check");
  EXPECT_EQ(specs[0].type, "field_accuracy");
  EXPECT_EQ(
      Show(specs[0].options),
      "{fields: [{path: invoice.total_amount, match: numeric_tolerance, tolerance: 0.01, required: true, "
      "weight: 1.0}, {path: invoice.invoice_date, match: date, formats: ['DD-MMM-YYYY', 'YYYY-MM-DD', "
      "'MM/DD/YYYY'], required: true, weight: 0.5}], aggregation: weighted_average}");
  EXPECT_EQ(specs[1].name, "vendor_fuzzy");
  EXPECT_EQ(specs[1].type, "code_judge");
  EXPECT_EQ(specs[1].line, 8);
  EXPECT_EQ(Show(specs[1].options),
            "{script: ./multi_field_fuzzy.py, fields: [{path: invoice.vendor_name, threshold: 0.85}], "
            "algorithm: levenshtein}");
}

TEST(ScorerSpecs, TheShape) {
  EXPECT_EQ(ReadError(""), "c.yaml:1: the configuration is empty; " + kWrite);
  EXPECT_EQ(ReadError("# note\n"), "c.yaml:1: the configuration is empty; " + kWrite);
  EXPECT_EQ(ReadError("- type: contains\n"), "c.yaml:1: the configuration is not a map; " + kWrite);
  EXPECT_EQ(ReadError("{}"), "c.yaml:1: no scorers; " + kWrite);
  EXPECT_EQ(ReadError("\nevaluators: []\n"), "c.yaml:2: no scorers; " + kWrite);
  EXPECT_EQ(ReadError("evaluators:\n"), "c.yaml:1: no scorers; " + kWrite);
  EXPECT_EQ(ReadError("evaluators: {type: contains}\n"), "c.yaml:1: no scorers; " + kWrite);
  EXPECT_EQ(ReadError("evaluators:\n- contains\n"),
            "c.yaml:2: a scorer must be a map such as {type: json_similarity}");
}

TEST(ScorerSpecs, TopLevelNames) {
  EXPECT_EQ(ReadError("evaluators:\n- {type: contains}\nscorers:\n- {type: contains}\n"),
            "c.yaml:3: \"scorers\" beside \"evaluators\" on line 1; they mean the same, join them");
  EXPECT_EQ(
      ReadError("evaluators:\n- {type: contains}\nevaluator: 1\n"),
      "c.yaml:3: unknown member \"evaluator\"; did you mean \"evaluators\"? valid: evaluators, scorers");
  EXPECT_EQ(ReadError("threads: 4\n"), "c.yaml:1: unknown member \"threads\"; valid: evaluators, scorers");
}

TEST(ScorerSpecs, NamesAndTypes) {
  EXPECT_EQ(ReadError("evaluators:\n- {type: contains}\n- name: contains\n  type: exact_match\n"),
            "c.yaml:3: two scorers named \"contains\", the first on line 2; rename one");
  EXPECT_NE(
      ReadError("evaluators:\n- {type: contains, name: \"a\\0b\"}\n").find("contains a NUL or is not UTF-8"),
      std::string::npos);
  EXPECT_EQ(ReadError("evaluators:\n- {type: contains}\n- {name: x}\n"),
            "c.yaml:3: a scorer without a type; add one such as type: json_similarity");
  EXPECT_EQ(ReadError("evaluators:\n- type: [contains]\n"), "c.yaml:2: \"type\" of a scorer must be text");
  EXPECT_EQ(ReadError("evaluators:\n- type: contains\n  name:\n"),
            "c.yaml:3: \"name\" of a scorer must be text");
  EXPECT_EQ(ReadError("evaluators:\n- type: contains\n  name: ''\n"),
            "c.yaml:3: \"name\" of a scorer must be text");
  EXPECT_EQ(Read("evaluators: [{name: 7, type: contains}]")[0].name, "7");
}

}  // namespace
}  // namespace leafscore::internal
