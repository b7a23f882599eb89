#include "engine/config/scorer_text.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/config/config_testing.h"

namespace leafscore::internal {
namespace {

std::string OptionsOf(std::string_view text) { return Show(ReadScorerText(text).options); }

std::string TextError(std::string_view text) {
  return ErrorOf([&] { ReadScorerText(text); });
}

TEST(ScorerText, ATypeAloneHasDefaultOptions) {
  const ScorerSpec spec = ReadScorerText("json_similarity");
  EXPECT_EQ(spec.name, "json_similarity");
  EXPECT_EQ(spec.type, "json_similarity");
  EXPECT_EQ(spec.line, 0);
  EXPECT_EQ(Show(spec.options), "{}");
}

TEST(ScorerText, OptionsAreSeparatedByCommas) {
  const ScorerSpec spec = ReadScorerText("json_similarity:number_tolerance=0.01,array_match=any_order");
  EXPECT_EQ(spec.name, "json_similarity");
  EXPECT_EQ(Show(spec.options), "{number_tolerance: 0.01, array_match: any_order}");
  EXPECT_EQ(OptionsOf("s:a=1, b = 2"), "{a: 1, b: 2}");
}

// As it does in a configuration.
TEST(ScorerText, TheOptionNameNamesTheScorer) {
  const ScorerSpec spec = ReadScorerText("json_similarity:name=strict,case_sensitive=true");
  EXPECT_EQ(spec.name, "strict");
  EXPECT_EQ(spec.type, "json_similarity");
  EXPECT_EQ(Show(spec.options), "{case_sensitive: true}");
}

TEST(ScorerText, ValuesAreYaml) {
  EXPECT_EQ(OptionsOf("s:fields=[{path: a, match: exact}, {path: b}],x=1"),
            "{fields: [{path: a, match: exact}, {path: b}], x: 1}");
  EXPECT_EQ(OptionsOf("s:weights={a.b: 2, '**': 0.5}"), "{weights: {a.b: 2, **: 0.5}}");
  EXPECT_EQ(OptionsOf(R"(s:text="a, b]",x='it''s, [')"), "{text: 'a, b]', x: 'it's, ['}");
  EXPECT_EQ(OptionsOf("s:path=items[0].name,x=~"), "{path: items[0].name, x: ~}");
  EXPECT_EQ(OptionsOf("s:text=don't,x='y'"), "{text: don't, x: 'y'}");
  EXPECT_EQ(OptionsOf(R"(s:text="\"," ,x=1)"), R"({text: '",', x: 1})");
  EXPECT_EQ(OptionsOf("s:url=http://a:1/b=c"), "{url: http://a:1/b=c}");
  EXPECT_EQ(OptionsOf("s:a="), "{a: ~}");
  EXPECT_EQ(OptionsOf("s:a=x#y,b='x #y'"), "{a: x#y, b: 'x #y'}");
}

TEST(ScorerText, LinesAreThoseOfNoFile) {
  const ScorerSpec spec = ReadScorerText("s:fields=[{path: a}]");
  EXPECT_EQ(spec.options.line, 0);
  const ConfigMember& fields = spec.options.members.front();
  EXPECT_EQ(fields.line, 0);
  EXPECT_EQ(fields.value.items.front().line, 0);
  EXPECT_EQ(fields.value.items.front().members.front().line, 0);
}

TEST(ScorerText, ErrorsNameTheScorerAndTheOption) {
  EXPECT_EQ(TextError("s:"), "scorer \"s\": there is no option behind the colon");
  EXPECT_EQ(TextError("s:a=1,"), "scorer \"s\": there is no option behind the last comma");
  EXPECT_EQ(TextError("s:a"), "scorer \"s\": option \"a\" has no value; write a=VALUE");
  EXPECT_EQ(TextError("s:a,b=1"), "scorer \"s\": option \"a\" has no value; write a=VALUE");
  EXPECT_EQ(TextError("s:a=x,y"),
            "scorer \"s\": option \"y\" has no value; write y=VALUE, or a=[x,y] if it belongs to the list "
            "before it");
  EXPECT_EQ(TextError("s:a=1,,b=1"),
            "scorer \"s\": an option is missing; write OPTION=VALUE, separated by commas");
  EXPECT_EQ(TextError("s:=1"), "scorer \"s\": there is no option before the =; write OPTION=VALUE");
  EXPECT_EQ(TextError("s:a=1,a=2"), "scorer \"s\": option \"a\" is given twice");
  EXPECT_EQ(TextError("s:type=t"), "scorer \"s\": the type is given before the colon");
  for (const std::string_view open : {"s:a=[1,b=2", "s:a='1,b=2", "s:a=x(1[,b=2"}) {
    EXPECT_EQ(
        TextError(open),
        "scorer \"s\": a bracket or quote in option \"a\" is not closed; put a text that has one in quotes");
  }
  for (const std::string_view comment : {"s:a=x #y", "s:a=#y", "s:a=[x, #y]", "s:a=x\t#y,b=1"}) {
    EXPECT_EQ(
        TextError(comment),
        "scorer \"s\": the # in option \"a\" would begin a comment, which ends the value; put a text that "
        "has one in quotes");
  }
  EXPECT_NE(TextError("s:a=[1}").find("scorer \"s\": option \"a\""), std::string::npos)
      << TextError("s:a=[1}");
  EXPECT_EQ(TextError("s:a=1\nb: 2"), "scorer \"s\": option \"a\" has more than one line");
  EXPECT_EQ(TextError(":a=1").find("\"type\" of a scorer must be text"), 0u) << TextError(":a=1");
}

}  // namespace
}  // namespace leafscore::internal
