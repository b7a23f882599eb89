#include "engine/config/options.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/config_json.h"
#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kSpecs[] = {
    {"case_sensitive", "bool", "true", "compare letters as they are"},
    {"threshold", "number", "0.7", "the least score that passes"},
    {"target_output_key", "text or list of texts", "*", "the part to score"},
    {"default_expected", "any", "", "for records without expected"},
};
constexpr double kNoBound = std::numeric_limits<double>::infinity();
const std::string kOwner = "scorer \"x\" (levenshtein)";

// Parses `text` as the map of options and runs `read` on its reader.
template <typename Read>
auto WithOptions(std::string_view text, Read&& read) {
  const ConfigValue map = ParseConfig(text, "c.yaml");
  return read(OptionReader(map, kSpecs, kOwner, "c.yaml"));
}

bool Bool(const std::string& value) {
  return WithOptions("case_sensitive: " + value,
                     [](const OptionReader& r) { return r.GetBool("case_sensitive", true); });
}

double NumberOption(const std::string& value, double min = -kNoBound, double max = kNoBound) {
  return WithOptions("threshold: " + value,
                     [=](const OptionReader& r) { return r.GetNumber("threshold", 0.7, min, max); });
}

std::string TextOption(std::string_view config) {
  return WithOptions(config, [](const OptionReader& r) { return r.GetText("target_output_key", "*"); });
}

std::vector<std::string> TextList(std::string_view config) {
  return WithOptions(config, [](const OptionReader& r) { return r.GetTextList("target_output_key"); });
}

// Two configurations that mean the same have the same.
TEST(Options, TellWhatWasReadOfThem) {
  const auto read = [](std::string_view config) {
    return WithOptions(config, [](const OptionReader& r) {
      r.GetBool("case_sensitive", true);
      r.GetNumber("threshold", 0.7, 0, 1);
      r.GetTextList("target_output_key");
      r.GetAny("default_expected");
      std::string json;
      AppendConfigAsJson(r.read(), json);
      return json;
    });
  };
  const std::string defaults =
      R"({"case_sensitive":true,"threshold":0.7,"target_output_key":[],"default_expected":null})";
  EXPECT_EQ(read(""), defaults);
  EXPECT_EQ(read("threshold: 0.70\ncase_sensitive: True\ndefault_expected: ~\ntarget_output_key: []"),
            defaults);
  EXPECT_EQ(read("target_output_key: 1\ndefault_expected: '1'\nthreshold: 1e0"),
            R"({"case_sensitive":true,"threshold":1,"target_output_key":["1"],"default_expected":"1"})");
}

TEST(Options, Fallbacks) {
  WithOptions("", [](const OptionReader& r) {
    EXPECT_TRUE(r.GetBool("case_sensitive", true));
    EXPECT_FALSE(r.GetBool("case_sensitive", false));
    EXPECT_EQ(r.GetNumber("threshold", 0.7, 0, 1), 0.7);
    EXPECT_EQ(r.GetText("target_output_key", "*"), "*");
    EXPECT_EQ(r.GetTextList("target_output_key"), std::vector<std::string>{});
    EXPECT_EQ(r.GetAny("default_expected"), std::nullopt);
  });
}

TEST(Options, Bools) {
  for (const std::string text : {"true", "True", "TRUE"}) EXPECT_TRUE(Bool(text)) << text;
  for (const std::string text : {"false", "False", "FALSE"}) EXPECT_FALSE(Bool(text)) << text;
  for (const std::string text : {"yes", "on", "1", "tRUE", "'true'", "", "[true]"}) {
    EXPECT_EQ(
        ErrorOf([&] {
          Bool(text);
        }).find("c.yaml:1: " + kOwner + ": option \"case_sensitive\" must be true or false, but it is "),
        0u)
        << text;
  }
  EXPECT_EQ(
      ErrorOf([] { Bool("yes"); }),
      "c.yaml:1: scorer \"x\" (levenshtein): option \"case_sensitive\" must be true or false, but it is "
      "\"yes\"");
}

TEST(Options, Numbers) {
  const std::pair<std::string, double> cases[] = {
      {"0", 0},           {"-0.5", -0.5},
      {"+7", 7},          {"1e-3", 0.001},
      {".5", 0.5},        {"5.", 5},
      {"1E+2", 100},      {"007", 7},
      {"0x1F", 31},       {"0o17", 15},
      {".inf", kNoBound}, {"-.INF", -kNoBound},
      {"0.1", 0.1},       {"9007199254740993", 9007199254740992.0},
  };
  for (const auto& [text, number] : cases) EXPECT_EQ(NumberOption(text), number) << text;
  for (const std::string text :
       {"'1'", "\"1\"", "abc",  "",   "1x", "1_000", "+-1",   "--1",  "inf", "nan",    ".nan",
        "0x",  "0xG",   "-0x1", "1e", ".",  "+",     "1e999", "true", "[1]", "{a: 1}", "1 2"}) {
    EXPECT_EQ(ErrorOf([&] {
                NumberOption(text);
              }).find("c.yaml:1: " + kOwner + ": option \"threshold\" must be a number, but it is "),
              0u)
        << text;
  }
}

TEST(Options, NumberRanges) {
  EXPECT_EQ(NumberOption("0", 0, 1), 0);
  EXPECT_EQ(NumberOption("1", 0, 1), 1);
  const std::string start = "c.yaml:1: scorer \"x\" (levenshtein): option \"threshold\" must be a number ";
  EXPECT_EQ(ErrorOf([] { NumberOption("1.0001", 0, 1); }), start + "from 0 to 1, but it is \"1.0001\"");
  EXPECT_EQ(ErrorOf([] { NumberOption("-0.1", 0, 1); }), start + "from 0 to 1, but it is \"-0.1\"");
  EXPECT_EQ(ErrorOf([] { NumberOption("-1", 0, kNoBound); }), start + "of at least 0, but it is \"-1\"");
  EXPECT_EQ(ErrorOf([] { NumberOption("3", -kNoBound, 2.5); }), start + "of at most 2.5, but it is \"3\"");
  EXPECT_EQ(ErrorOf([] { NumberOption("\"0.5\"", 0, 1); }),
            start + "from 0 to 1, but it is the quoted text \"0.5\"");
  EXPECT_EQ(ErrorOf([] { NumberOption("", 0, 1); }), start + "from 0 to 1, but it is nothing");
  EXPECT_EQ(ErrorOf([] { NumberOption("{a: 1}", 0, 1); }), start + "from 0 to 1, but it is a map");
}

TEST(Options, Texts) {
  EXPECT_EQ(TextOption("target_output_key: 0.50"), "0.50");
  EXPECT_EQ(TextOption("target_output_key: true"), "true");
  EXPECT_EQ(TextOption("target_output_key: 'a b'"), "a b");
  EXPECT_EQ(TextOption("target_output_key: ''"), "");
  EXPECT_EQ(
      ErrorOf([] { TextOption("\ntarget_output_key:\n  - a\n"); }),
      "c.yaml:2: scorer \"x\" (levenshtein): option \"target_output_key\" must be text, but it is a list");
}

TEST(Options, TextLists) {
  using List = std::vector<std::string>;
  EXPECT_EQ(TextList("target_output_key: a"), List{"a"});
  EXPECT_EQ(TextList("target_output_key: [a, 1, '']"), (List{"a", "1", ""}));
  EXPECT_EQ(TextList("target_output_key: []"), List{});
  EXPECT_EQ(
      ErrorOf([] { TextList("target_output_key:\n  - a\n  - {b: c}\n"); }),
      "c.yaml:3: scorer \"x\" (levenshtein): option \"target_output_key\" must be text or a list of texts, "
      "but an item is a map");
  EXPECT_EQ(
      ErrorOf([] { TextList("target_output_key: {a: b}"); }),
      "c.yaml:1: scorer \"x\" (levenshtein): option \"target_output_key\" must be text or a list of texts, "
      "but it is a map");
}

TEST(Options, Any) {
  WithOptions("default_expected: {a: [1, 'x']}", [](const OptionReader& r) {
    const std::optional<ConfigValue> value = r.GetAny("default_expected");
    ASSERT_TRUE(value.has_value());
    EXPECT_EQ(Show(*value), "{a: [1, 'x']}");
  });
  WithOptions("default_expected:", [](const OptionReader& r) {
    const std::optional<ConfigValue> value = r.GetAny("default_expected");
    ASSERT_TRUE(value.has_value());
    EXPECT_EQ(value->kind, ConfigValue::Kind::kNull);
  });
}

TEST(Options, UnknownNames) {
  const auto read = [](std::string_view text) {
    return ErrorOf([&] { WithOptions(text, [](const OptionReader&) {}); });
  };
  EXPECT_EQ(
      read("case_sensitive: true\ntreshold: 0.5\n"),
      "c.yaml:2: scorer \"x\" (levenshtein): unknown option \"treshold\"; did you mean \"threshold\"? valid: "
      "case_sensitive, threshold, target_output_key, default_expected");
  EXPECT_EQ(read("{\"zzz\": 0.5}"),
            "c.yaml:1: scorer \"x\" (levenshtein): unknown option \"zzz\"; valid: case_sensitive, threshold, "
            "target_output_key, default_expected");
}

TEST(Options, AnUndeclaredNameIsOurDefect) {
  WithOptions("", [](const OptionReader& r) {
    EXPECT_EQ(ErrorOf([&] { r.GetBool("thresold", true); }),
              "not a usage error: scorer \"x\" (levenshtein): option \"thresold\" is not declared");
  });
}

TEST(Options, ATableMayTakeTheRest) {
  constexpr OptionSpec kOpenSpecs[] = {{"threshold", "number", "0.7", "the least score that passes"},
                                       {kRestOfOptions, "any value", "none", "everything else"}};
  const ConfigValue map = ParseConfig("b: [1]\nthreshold: 0.5\nthreshhold: x\n", "c.yaml");
  const OptionReader reader(map, kOpenSpecs, kOwner, "c.yaml");
  EXPECT_EQ(reader.GetNumber("threshold", 0.7, 0, 1), 0.5);
  const ConfigValue rest = reader.GetRest();
  EXPECT_EQ(rest.kind, ConfigValue::Kind::kMap);
  ASSERT_EQ(rest.members.size(), 2u);
  EXPECT_EQ(rest.members[0].key, "b");
  EXPECT_EQ(rest.members[0].value.items.size(), 1u);
  EXPECT_EQ(rest.members[1].key, "threshhold");
  WithOptions("threshold: 1", [](const OptionReader& r) { EXPECT_TRUE(r.GetRest().members.empty()); });
}

TEST(Options, AMissingOptionCanBeAnError) {
  WithOptions("threshold: 1", [](const OptionReader& r) {
    EXPECT_STREQ(r.MakeError("target_output_key", "name it").what(),
                 "c.yaml:1: scorer \"x\" (levenshtein): option \"target_output_key\": name it");
  });
}

TEST(Options, Choices) {
  constexpr std::string_view kChoices[] = {"ordered", "any_order"};
  const auto choice = [&](std::string_view config) {
    return WithOptions(config,
                       [&](const OptionReader& r) { return r.GetChoice("target_output_key", 0, kChoices); });
  };
  EXPECT_EQ(choice(""), 0u);
  EXPECT_EQ(choice("target_output_key: ordered"), 0u);
  EXPECT_EQ(choice("target_output_key: 'any_order'"), 1u);
  EXPECT_EQ(ErrorOf([&] { choice("\ntarget_output_key: any"); }),
            "c.yaml:2: " + kOwner +
                ": option \"target_output_key\": unknown value \"any\"; valid: ordered, any_order");
}

TEST(Options, MapsWithinAnOption) {
  const auto nested = [](std::string_view config) {
    return WithOptions(config, [](const OptionReader& r) {
      const ConfigValue map = *r.GetAny("default_expected");
      return r.Nested(map, kSpecs, "field 2").GetNumber("threshold", 0.5, 0, 1);
    });
  };
  EXPECT_EQ(nested("default_expected: {threshold: 0.25}"), 0.25);
  EXPECT_EQ(nested("default_expected: {}"), 0.5);
  EXPECT_EQ(ErrorOf([&] { nested("default_expected: 1"); }),
            "c.yaml:1: " + kOwner + ", field 2 must be a map, but it is \"1\"");
  EXPECT_EQ(ErrorOf([&] { nested("default_expected:\n  threshold: 2"); }),
            "c.yaml:2: " + kOwner +
                ", field 2: option \"threshold\" must be a number from 0 to 1, but it is \"2\"");
}

}  // namespace
}  // namespace leafscore::internal
