#include "engine/config/canonical_config.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "config/config_testing.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "leafscore/plan.h"

namespace leafscore::internal {
namespace {

std::string Canonical(const std::string& config) {
  return CanonicalConfig(ReadScorerSpecs(ParseConfig(config, "c"), "c"));
}

std::string Canonical(const std::vector<ScorerConfig>& scorers) {
  return CanonicalConfig(ReadScorerSpecs(ConfigOf(scorers, "s"), "s"));
}

TEST(CanonicalConfig, IsJsonWithEveryNameWrittenOut) {
  EXPECT_EQ(Canonical(R"(
scorers:
  - type: levenshtein
    threshold: 0.50   # digits stay
  - {type: contains, name: "a \"b\"", search_text: yes, negated: true, list: [1, "1", ~, {x: -2e3}], none: }
)"),
            R"({"evaluators": [{"name": "levenshtein", "type": "levenshtein", "threshold": 0.50}, )"
            R"({"name": "a \"b\"", "type": "contains", "search_text": "yes", "negated": true, )"
            R"("list": [1, "1", null, {"x": -2e3}], "none": null}]})"
            "\n");
}

TEST(CanonicalConfig, IsYamlWhereOnlyYamlSpellsAScalar) {
  const std::string text = Canonical("evaluators: [{type: a, x: 0x1F, y: True, z: .5, w: -.inf, v: '0x1F'}]");
  EXPECT_EQ(
      text,
      R"(evaluators: [{"name": "a", "type": "a", "x": 0x1F, "y": True, "z": .5, "w": -.inf, "v": "0x1F"}])"
      "\n");
}

TEST(CanonicalConfig, ReadsBackAsItself) {
  for (
      const std::string config : {
          R"({"evaluators": [{"type": "t", "text": "\u0001\n\t\"\\\u007f é 東京 😀", "n": 1e300, "m": 9007199254740993}]})",
          "evaluators: [{type: t, a: 0o17, b: +1, n: 1e400, c: \"\\u0001 \\\" é 東京 😀 #: , [\", 'k: [': "
          "{}}]",
          "evaluators: [{type: t, a: [], b: {}, c: '', d: \"~\", e: null, f: \"null\", g: text with spaces}]",
      }) {
    const std::string once = Canonical(config);
    EXPECT_EQ(Canonical(once), once);
  }
}

TEST(CanonicalConfig, OfValues) {
  const std::vector<ScorerConfig> scorers = {
      {"levenshtein", {}, {{"threshold", 0.25}, {"case_sensitive", true}}},
      {"x",
       "named",
       {{"n", 7},
        {"none", {}},
        {"text", "1"},
        {"list", OptionValue::List{1, "a", false}},
        {"map", OptionValue::Map{{"k", -1.5}, {"big", 1e300}}},
        {"least", std::numeric_limits<std::int64_t>::min()}}}};
  EXPECT_EQ(
      Canonical(scorers),
      R"({"evaluators": [{"name": "levenshtein", "type": "levenshtein", "threshold": 0.25, "case_sensitive": true}, )"
      R"({"name": "named", "type": "x", "n": 7, "none": null, "text": "1", "list": [1, "a", false], )"
      R"("map": {"k": -1.5, "big": 1e+300}, "least": -9223372036854775808}]})"
      "\n");
}

// A judge in Python tells 1.0 from 1, and -0.0 from 0.
TEST(CanonicalConfig, KeepsThePointOfWholeNumbers) {
  const ScorerConfig scorer = {"t", {}, {{"a", 1.0}, {"b", -0.0}, {"c", 1e22}, {"d", 123456789.0}, {"e", 1}}};
  EXPECT_EQ(Canonical({scorer}),
            R"({"evaluators": [{"name": "t", "type": "t", "a": 1.0, "b": -0.0, "c": 1e+22, )"
            R"("d": 123456789.0, "e": 1}]})"
            "\n");
  std::string json;
  AppendConfigAsJson(ReadScorerSpecs(ConfigOf({&scorer, 1}, "s"), "s")[0].options, json);
  EXPECT_EQ(json, R"({"a":1.0,"b":-0.0,"c":1e+22,"d":123456789.0,"e":1})");
}

TEST(CanonicalConfig, ErrorsOfValuesNameTheScorerByItsPosition) {
  const std::vector<ScorerConfig> twice = {{"levenshtein"},
                                           {"contains", {}, {{"negated", true}, {"negated", false}}}};
  try {
    Canonical(twice);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "s:2: two options named \"negated\"");
    EXPECT_EQ(error.location().source, "s");
    EXPECT_EQ(error.location().line, 2);
    EXPECT_EQ(error.location().option, "negated");
  }
}

}  // namespace
}  // namespace leafscore::internal
