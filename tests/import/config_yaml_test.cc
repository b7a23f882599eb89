#include "engine/import/config_yaml.h"

#include <gtest/gtest.h>

#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"

namespace leafscore::internal {
namespace {

std::string CanonicalOf(const ConfigValue& value) {
  std::string json;
  AppendConfigAsJson(value, json);
  return json;
}

std::string Yaml(const std::string& config) { return ConfigAsYaml(ParseConfig(config, "c")); }

TEST(ConfigYaml, HasAnOptionALine) {
  EXPECT_EQ(Yaml(R"({"evaluators": [{"name": "a b", "type": "contains", "weight": 2.0, "search_text": "5"},
                     {"type": "exact_match", "classes": ["red", "blue"], "default_expected": {"a": {"b": [1]}}}]})"),
            "evaluators:\n"
            "  - name: \"a b\"\n"
            "    type: contains\n"
            "    weight: 2.0\n"
            "    search_text: \"5\"\n"
            "  - type: exact_match\n"
            "    classes: [red, blue]\n"
            "    default_expected:\n"
            "      a:\n"
            "        b: [1]\n");
}

TEST(ConfigYaml, ReadsBackAsItWas) {
  for (
      const std::string config : {
          R"({"evaluators": [{"type": "t", "a": "", "b": "null", "c": "True", "d": "5", "e": null, "f": "a: b # c"}]})",
          R"({"a": [], "b": {}, "c": [[1, "x"], {"d": [{"e": "\u0001\n\t\"é😀"}]}], "- x": "- y", "": "~"})",
          R"([1, {"a": 1}, [[]], "no", "y", ".5", "0x1F", 1e300])",
          R"({"a": [[{"b": [{"c": [[{"d": {"e": ["f"]}}]]}]}]]})",
      }) {
    const std::string yaml = Yaml(config);
    EXPECT_EQ(Yaml(yaml), yaml) << config;
    EXPECT_EQ(CanonicalOf(ParseConfig(yaml, "y")), CanonicalOf(ParseConfig(config, "c"))) << yaml;
  }
}

}  // namespace
}  // namespace leafscore::internal
