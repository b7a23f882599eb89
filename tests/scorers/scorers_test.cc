// What the vectors do not cover of the scorers: options, missing values, target keys, errors.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "corpus/pair_generator.h"
#include "json/json_reference.h"
#include "leafscore/leafscore.h"
#include "sanitized.h"
#include "scorers/json_similarity_reference.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

TEST(JsonSimilarity, AgreesWithTheReferenceOnEveryProfile) {
  for (std::size_t profile = 0; profile < std::size(corpus::kProfileNames); ++profile) {
    corpus::GeneratorOptions options;
    options.profile = static_cast<corpus::Profile>(profile);
    options.error_rate = 0.3;
    const corpus::PairGenerator generator(options);
    const Plan plan = Plan::FromConfig("scorers: [{type: json_similarity, parse_texts: never}]");
    for (int i = 0; i < Rounds(40); ++i) {
      std::string line;
      generator.AppendRecord(i, line);
      const auto record = reference::Parse(line);
      ASSERT_TRUE(record);
      const auto text = [&](const std::string& key) {
        const std::size_t begin = line.find("\"" + key + "\"") + key.size() + 2;
        const std::size_t value = line.find_first_not_of(" :", begin);
        // The value ends where the reference stops finding one: try each end.
        for (std::size_t end = value + 1; end <= line.size(); ++end) {
          if (std::string("}]\"0123456789el").find(line[end - 1]) == std::string::npos) continue;
          const std::string candidate = line.substr(value, end - value);
          if ((end == line.size() || line[end] == ',' || line[end] == '}') && reference::Parse(candidate)) {
            return candidate;
          }
        }
        return std::string();
      };
      const std::string expected = text("expected");
      const std::string actual = text("actual");
      const reference::Similarity wanted =
          reference::JsonSimilarity(reference::Parse(expected)->value, reference::Parse(actual)->value);
      const ScoreColumns scores = Runner(plan).ScorePair(expected, actual)[0];
      EXPECT_NEAR(scores.score[0], wanted.score(), 1e-12) << line;
      EXPECT_EQ(scores.metrics[1].values[0], wanted.total) << line;
    }
  }
}

TEST(JsonSimilarity, NumberToleranceCountsAsEqual) {
  const std::string scorer = "type: json_similarity, number_tolerance: 0.01";
  EXPECT_EQ(ScoreOf(scorer, "100", "101"), 1.0);
  EXPECT_EQ(ScoreOf(scorer, "100", "99"), 1.0);
  EXPECT_NEAR(ScoreOf(scorer, "100", "101.5"), 0.985, 1e-12);
  EXPECT_EQ(ScoreOf(scorer, "0", "0.001"), 0.0);
}

TEST(JsonSimilarity, CaseCanBeIgnored) {
  EXPECT_EQ(ScoreOf("type: json_similarity", "\"Oslo\"", "\"oslo\""), 0.75);
  EXPECT_EQ(ScoreOf("type: json_similarity, case_sensitive: false", "\"Oslo\"", "\"oslo\""), 1.0);
  EXPECT_EQ(ScoreOf("type: json_similarity, case_sensitive: false", "\"\\u0130\"", "\"i\\u0307\""), 1.0);
}

TEST(JsonSimilarity, LooksAlikeIsNotEqual) {
  EXPECT_EQ(ScoreOf("type: json_similarity", "[\"12\", 12, true, null]", "[12, \"12\", 1, false]"), 0.0);
  EXPECT_EQ(ScoreOf("type: json_similarity", "\"\\u0061b\"", "\"ab\""), 1.0);
  EXPECT_EQ(ScoreOf("type: json_similarity", "{\"\\u0061\": 1}", "{\"a\": 1}"), 1.0);
}

TEST(JsonSimilarity, DuplicateKeysCountOnceAndTheLastWins) {
  const ScoreColumns scores =
      Score("type: json_similarity", R"({"a": 1, "b": 2, "a": 3})", R"({"a": 3, "b": 2})");
  EXPECT_EQ(scores.score[0], 1.0);
  EXPECT_EQ(scores.metrics[1].values[0], 2.0);
}

TEST(JsonSimilarity, ANumberBeyondTheRangeIsLikeNoOther) {
  EXPECT_EQ(ScoreOf("type: json_similarity", "1e400", "1e400"), 1.0);
  for (const char* other : {"2e400", "-1e400", "1.7976931348623157e308", "Infinity", "5"}) {
    EXPECT_EQ(ScoreOf("type: json_similarity", "1e400", other), 0.0) << other;
  }
  EXPECT_EQ(ScoreOf("type: json_similarity", "1.7976931348623157e308", "1e400"), 0.0);
  EXPECT_EQ(ScoreOf("type: json_similarity", "18446744073709551616", "18446744073709551616.0"), 1.0);
  EXPECT_EQ(ScoreOf("type: json_similarity", "9007199254740993", "9007199254740992"), 1.0);  // in doubles
}

TEST(JsonSimilarity, ExpectedInfinityAndNanAreLikeAnyNumberAsInTheOrigin) {
  for (const char* expected : {"NaN", "Infinity", "-Infinity"}) {
    for (const char* actual : {"NaN", "Infinity", "-Infinity", "5", "0", "1e400"}) {
      EXPECT_EQ(ScoreOf("type: json_similarity", expected, actual), 1.0) << expected << actual;
      const std::string any_order = "type: json_similarity, array_match: any_order";
      EXPECT_EQ(ScoreOf(any_order, std::string("[") + expected + "]", std::string("[") + actual + "]"), 1.0);
    }
    EXPECT_EQ(ScoreOf("type: json_similarity", expected, "\"5\""), 0.0);
    EXPECT_EQ(ScoreOf("type: json_similarity", "5", expected), 0.0);
  }
}

TEST(TargetKey, SelectsAPart) {
  const std::string expected = R"({"a": {"b": [10, {"c": "x"}]}, "d": 1})";
  const std::string actual = R"({"d": 2, "a": {"b": [11, {"c": "x"}]}})";
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: 'a.b[1].c'", expected, actual), 1.0);
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: 'a.b[0]'", expected, actual), 0.9);
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: '*'", expected, actual), (0.9 + 1 + 0) / 3);
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: ['a.b[0]', 'a.b[1]']", expected, actual),
            0.95);
  EXPECT_EQ(ScoreOf("type: exact_match, target_output_key: ['a.b[1]']", expected, actual), 1.0);
  EXPECT_EQ(ScoreOf("type: exact_match, target_output_key: ['a.b[1]', d]", expected, actual), 0.0);
  EXPECT_EQ(
      ScoreOf("type: contains, target_output_key: ['a.b[1]'], search_text: '{\"a.b[1]\":{\"c\":\"x\"}}'",
              expected, actual),
      1.0);
}

TEST(TargetKey, ReadsATextAsExpectedJson) {
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: r", R"("{\"r\": 5}")", R"({"r": 5})"), 1.0);
  EXPECT_EQ(ErrorOf("type: json_similarity, target_output_key: r", R"("{\"r\": }")", R"({"r": 5})"),
            "error, invalid_expected_json: with target_output_key, an expected text must be JSON, but at "
            "byte 6, there is no valid value here");
}

TEST(TargetKey, APathMissingInExpectedIsAnError) {
  EXPECT_EQ(ErrorOf("type: json_similarity, target_output_key: a.b", R"({"a": 1})", R"({"a": {"b": 1}})"),
            "error, target_key_not_found: the path \"a.b\" is missing in the expected value");
  EXPECT_EQ(ErrorOf("type: exact_match, target_output_key: 'a[0]'", R"({"a": {"0": 1}})", R"({"a": [1]})"),
            "error, target_key_not_found: the path \"a[0]\" is missing in the expected value");
  EXPECT_EQ(ErrorOf("type: exact_match, target_output_key: [a, b]", R"({"a": 1})", R"({"b": 1})"),
            "error, target_key_not_found: the path \"b\" is missing in the expected value");
}

TEST(TargetKey, APathMissingInActualIsTheAnswersFailure) {
  for (const std::string scorer :
       {"levenshtein", "exact_match", "json_similarity", "contains", "json_diff", "strict_json",
        "static_json", "records", "field_accuracy, fields: [{path: x}]"}) {
    EXPECT_EQ(ErrorOf("type: " + scorer + ", target_output_key: 'a[1]'", R"({"a": [1, {"x": 2}]})",
                      R"({"a": [1]})"),
              "unreadable, target_key_not_found: the path \"a[1]\" is missing in the actual value")
        << scorer;
  }
  EXPECT_EQ(ErrorOf("type: exact_match, negated: true, target_output_key: a", R"({"a": 1})", "\"text\""),
            "unreadable, target_key_not_found: the path \"a\" is missing in the actual value");
}

TEST(TargetKey, WhatStandsBetweenDotsAndBracketsIsAPath) {
  const std::string value = R"({"a": {"b": [7, {"c": "x"}], "0": "zero", "[": 1}, "d": 1})";
  const auto selects = [&](const std::string& path, const std::string& text) {
    return ScoreOf("type: contains, search_text: '" + text + "', target_output_key: '" + path + "'", "1",
                   value) == 1.0;
  };
  for (const char* path : {"a.b[0]", "a..b[0]", ".a.b[0]", "a.b[0].", "a[b][0]", "[a]b.[0]", "a]b[00]"}) {
    EXPECT_TRUE(selects(path, "7")) << path;
  }
  EXPECT_TRUE(selects("a.0", "zero"));
  EXPECT_TRUE(selects("a[0", "zero"));
  for (const char* path :
       {"a.b.0", "a[0]", "a.b[-1]", "a.b[99999999999]", "a.b[4294967295]", "d.e", "d[0]"}) {
    EXPECT_EQ(
        ErrorOf(std::string("type: contains, search_text: x, target_output_key: '") + path + "'", "1", value),
        std::string("unreadable, target_key_not_found: the path \"") + path +
            "\" is missing in the actual value");
  }
}

TEST(TargetKey, APathWithoutAKeyIsRefused) {
  for (const char* path : {"''", ".", "'..'", "'[]'", "'[.]'"}) {
    EXPECT_NE(ConfigErrorOf(std::string("type: contains, target_output_key: ") + path).find("is not a path"),
              std::string::npos)
        << path;
  }
  EXPECT_NE(ConfigErrorOf("type: contains, target_output_key: []").find("the list is empty"),
            std::string::npos);
}

// What data frames and logs give: JSON in strings. As texts these two are 0.944 alike.
TEST(ParseTexts, ValuesInStringsAreComparedNotTheirTexts) {
  const std::string expected = R"("{\"city\": \"Oslo\", \"n\": 1}")";
  const std::string actual = R"(" {\"n\": 2, \"city\": \"Oslo\"}")";
  for (const std::string type : {"json_similarity", "strict_json"}) {
    EXPECT_EQ(ScoreOf("type: " + type, expected, actual), 0.5) << type;
    EXPECT_GT(ScoreOf("type: " + type + ", parse_texts: never", expected, expected), 0.99);
  }
  EXPECT_NE(ScoreOf("type: json_similarity, parse_texts: never", expected, actual), 0.5);
  EXPECT_EQ(ScoreOf("type: json_similarity, target_output_key: n", R"("{\"n\": 1}")", R"("{\"n\": 1}")"), 1);
}

// The best model of a board came last, as its answers were JSON held in texts, behind a label or in a fence.
TEST(ParseTexts, AnAnswerIsReadWhereStructureIsExpected) {
  const std::string expected = R"({"city": "Oslo", "code": "```x```"})";
  for (const char* answer : {R"("{\"city\": \"Oslo\", \"code\": \"```x```\"}")",
                             R"("```json\n{\"city\": \"Oslo\", \"code\": \"```x```\"}\n```")",
                             R"("Final Answer: {\"city\": \"Oslo\", \"code\": \"```x```\"}")"}) {
    for (const char* scorer : {"json_similarity", "json_diff", "strict_json"}) {
      const bool cut_short = std::string_view(answer).starts_with("\"```");  // by the fence within
      EXPECT_EQ(ScoreOf("type: " + std::string(scorer), expected, answer) == 1, !cut_short)
          << scorer << answer;
    }
  }
  EXPECT_EQ(ScoreOf("type: json_similarity", "[1, 2]", R"(" [1, 4] ")"), 0.5);
  EXPECT_EQ(ScoreOf("type: json_similarity", "[1, 2]", R"("```\n[1, 4]\n```")"), 0.5);
  EXPECT_EQ(ScoreOf("type: json_similarity", "[1, 2]", R"("It is [1, 2].")"), 0);  // prose
  EXPECT_EQ(ScoreOf("type: json_similarity, parse_texts: never", "[1, 2]", R"("[1, 2]")"), 0);
  EXPECT_EQ(ScoreOf("type: json_similarity, revision: 2026-08", R"({"a": 1})", R"("{\"a\": 1}")"),
            0);  // as UiPath
}

TEST(ParseTexts, AFenceWithoutJsonHidesNoJsonOutsideIt) {
  const std::string prose = "type: json_similarity, parse_texts: prose";
  EXPECT_EQ(ScoreOf(prose, R"({"a": 1})", R"("```python\nx = {n}\n```\nSo it is {\"a\": 1}.")"), 1);
  EXPECT_EQ(ScoreOf(prose, R"({"a": 1})", R"("{\"a\": 2}, or rather\n```json\n{\"a\": 1}\n```")"),
            1);  // the fence first
}

TEST(ParseTexts, AutoGoesByTheExpectedSide) {
  const std::string text = R"("[1, 2]")";
  EXPECT_EQ(ScoreOf("type: json_similarity", text, R"("[1, 4]")"), 0.5);
  EXPECT_EQ(ScoreOf("type: json_similarity", text, R"("[1, 2")"), 0);     // cut off: a text, and no array
  EXPECT_EQ(ScoreOf("type: json_similarity", text, R"("I cannot")"), 0);  // nor is this
  EXPECT_EQ(ScoreOf("type: json_similarity", text, "[1, 2]"), 0);         // only one side is a text
  EXPECT_EQ(ScoreOf("type: json_similarity", R"("[1, 2")", R"("[1, 3")"), 1 - 1.0 / 5);  // two texts
  EXPECT_EQ(ScoreOf("type: json_similarity", R"("1")", R"("1")"), 1);
  EXPECT_EQ(ScoreOf("type: exact_match", R"("[1]")", R"("[1 ]")"), 0);  // compares texts
}

TEST(ParseTexts, AlwaysParsesEitherSide) {
  const std::string always = "type: json_similarity, parse_texts: always";
  EXPECT_EQ(ScoreOf(always, R"("[1, 2]")", "[1, 2]"), 1);
  EXPECT_EQ(ScoreOf(always, "[1, 2]", R"("\n[1, 2]")"), 1);
  EXPECT_EQ(ScoreOf(always, R"({"a": "[1]"})", R"({"a": "[2]"})"), 1 - 1.0 / 3);  // whole values only
  EXPECT_NE(ConfigErrorOf("type: json_similarity, parse_texts: perhaps").find("parse_texts"),
            std::string::npos);
}

TEST(DefaultExpected, StandsInForAMissingValue) {
  const Plan plan = Plan::FromConfig(
      "evaluators:\n- {type: exact_match, default_expected: {a: 1, b: [x, true]}}\n- {type: levenshtein}\n"
      "- {type: json_similarity}\n");
  const std::string_view actual = R"({"b": ["x",true],"a":1})";
  const std::uint8_t all_null = 0;
  const std::vector<std::int64_t> no_bytes = {0, 0};
  const std::vector<std::int64_t> whole = {0, static_cast<std::int64_t>(actual.size())};
  const auto scores = Runner(plan).ScoreTexts(TextColumn("", no_bytes, &all_null), TextColumn(actual, whole));
  EXPECT_EQ(scores[0].score[0], 1.0);
  EXPECT_EQ(scores[1].score[0], 0.0);  // no expected output
  EXPECT_EQ(scores[1].outcome[0], Outcome::kScored);
  EXPECT_EQ(scores[2].outcome[0], Outcome::kError);
  EXPECT_EQ(scores[2].errors[0].reason, RejectReason::kMissingExpected);
}

TEST(ExactMatch, ComparesValues) {
  EXPECT_EQ(ScoreOf("type: exact_match", R"({"a": 1, "b": [2.0]})", R"({"b": [2], "a": 1.0})"), 1.0);
  EXPECT_EQ(ScoreOf("type: exact_match", R"({"a": 1})", R"({"a": 1, "b": 2})"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "[1]", "[1, 2]"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "[]", "{}"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "true", "1"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "[\"A\"]", "[\"a\"]"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match, negated: true", "1", "2"), 1.0);
}

TEST(ExactMatch, ComparesTextsWhenASideIsAString) {
  EXPECT_EQ(ScoreOf("type: exact_match", "\"42\"", "42"), 1.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "\"PARIS\"", "\"Paris\""), 1.0);
  EXPECT_EQ(ScoreOf("type: exact_match, case_sensitive: true", "\"PARIS\"", "\"Paris\""), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", R"("{\"a\":[1,\"x\"]}")", R"({"a" : [1, "X"]})"), 1.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "\"True\"", "true"), 1.0);
}

TEST(ExactMatch, IntegersAreEqualByTheirDigits) {
  EXPECT_EQ(ScoreOf("type: exact_match", "9007199254740993", "9007199254740992"), 0.0);
  EXPECT_EQ(
      ScoreOf("type: exact_match", R"({"a": [18446744073709551617]})", R"({"a": [18446744073709551617.0]})"),
      1.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "1e400", "Infinity"), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match", "1e400", "1.7976931348623157e308"), 0.0);
  EXPECT_EQ(ScoreOf("type: strict_json", R"({"a": 9007199254740993})", R"({"a": 9007199254740992})"), 0.5);
}

TEST(ExactMatch, TextOfPythonIsWhatTheOriginCompares) {
  const std::string python = "type: exact_match, text_of: python";
  EXPECT_EQ(ScoreOf(python, "5", "\"5.0\""), 1.0);
  EXPECT_EQ(ScoreOf(python, "5", "\"5\""), 0.0);
  EXPECT_EQ(ScoreOf("type: exact_match, text_of: json", "5", "\"5\""), 1.0);
  EXPECT_EQ(ScoreOf(python + ", case_sensitive: true", "true", "\"True\""), 1.0);
  EXPECT_EQ(ScoreOf(python + ", case_sensitive: true", "null", "\"None\""), 1.0);
  EXPECT_EQ(ScoreOf(python, R"({"a": [1, "x"]})", R"("{'a': [1.0, 'X']}")"), 1.0);
  EXPECT_EQ(ScoreOf(python, R"({"a": 1})", R"("{\"a\":1}")"), 0.0);
  EXPECT_EQ(ScoreOf(python, "\"it's\"", "\"it's\""), 1.0);  // a string's own text has no quotes
  EXPECT_NE(ConfigErrorOf("type: exact_match, text_of: yaml").find("text_of"), std::string::npos);
}

TEST(Contains, TheKeySelectsFromTheActualSideOnly) {
  const std::string keyed = "type: contains, target_output_key: r";
  EXPECT_EQ(ScoreOf(keyed, "\"Paris\"", R"({"r": "It is Paris."})"), 1.0);
  EXPECT_EQ(ScoreOf(keyed, R"("{\"r\": 1}")", R"({"r": "as {\"r\": 1}"})"), 1.0);  // is not parsed
  EXPECT_EQ(ScoreOf(keyed, R"({"r": 1})", R"({"r": {"r":1}})"), 1.0);              // nor followed
  EXPECT_EQ(ScoreOf(keyed, R"({"r": 1})", R"({"r": 1})"), 0.0);
  EXPECT_EQ(ScoreOf(keyed + ", search_text: par", "\"Rome\"", R"({"r": "Paris"})"), 1.0);
  EXPECT_EQ(ScoreOf(keyed + ", default_expected: par", "\"Rome\"", R"({"r": "Paris"})"), 0.0);
  EXPECT_EQ(ScoreOf("type: contains, target_output_key: [r, s]", R"("\"s\":2")", R"({"r": 1, "s": 2})"), 1.0);
}

TEST(Contains, TextOfPythonIsWhatTheOriginSearches) {
  const std::string python = "type: contains, text_of: python";
  EXPECT_EQ(ScoreOf(python, "\"'n': 5.0\"", R"({"n": 5})"), 1.0);
  EXPECT_EQ(ScoreOf(python, "5", R"({"n": 5})"), 1.0);
  EXPECT_EQ(ScoreOf(python, "\"'s': 2.0\"", R"({"n": 5})"), 0.0);
  EXPECT_EQ(ScoreOf(python + ", target_output_key: [r, s.t]", "\"{'r': 1.0, 's.t': None}\"",
                    R"({"r": 1, "s": {"t": null}})"),
            1.0);
}

TEST(Contains, FindsTheText) {
  EXPECT_EQ(ScoreOf("type: contains", "\"oslo\"", "\"in Oslo today\""), 1.0);
  EXPECT_EQ(ScoreOf("type: contains, case_sensitive: true", "\"oslo\"", "\"in Oslo today\""), 0.0);
  EXPECT_EQ(ScoreOf("type: contains, search_text: TODAY", "null", "\"in Oslo today\""), 1.0);
  EXPECT_EQ(ScoreOf("type: contains, search_text: x, negated: true", "null", "\"in Oslo today\""), 1.0);
  EXPECT_EQ(ScoreOf("type: contains", "\"\"", "\"\""), 1.0);
  EXPECT_EQ(ScoreOf("type: contains", "{\"a\": 1}", "[{\"a\":   1}]"), 1.0);
}

TEST(Contains, LineByLineEachLineIsSearchedForTheWholeText) {
  const std::string by_line = "type: contains, line_by_line: true";
  const std::string actual = "\"xabx\\n \\nnone\\nAB\"";  // a blank line is no line
  EXPECT_EQ(ScoreOf(by_line, "\"ab\"", actual), 2.0 / 3);
  EXPECT_EQ(ScoreOf(by_line + ", case_sensitive: true", "\"ab\"", actual), 1.0 / 3);
  EXPECT_EQ(ScoreOf(by_line + ", negated: true", "\"ab\"", actual), 1.0 / 3);
  EXPECT_EQ(ScoreOf(by_line + ", search_text: NONE", "\"ab\"", actual), 1.0 / 3);
  EXPECT_EQ(ScoreOf(by_line + ", line_delimiter: '|'", "\"b\"", "\"a|b\""), 0.5);
  // The shorter side is filled with empty lines, which do not have the text.
  EXPECT_EQ(ScoreOf(by_line + ", negated: true", "\"a\\nb\\nc\"", "\"a\""), 1.0);
  EXPECT_EQ(ScoreOf(by_line, "\"a\\nb\"", "\"a\\nb\""), 0.0);
  const ScoreColumns scores = Score(by_line, "\"ab\"", actual);
  EXPECT_EQ(scores.passed[0], -1);  // a mean of lines is no verdict
  EXPECT_EQ(scores.metrics[0].name, "total_lines_actual");
  EXPECT_EQ(scores.metrics[0].values[0], 3);
  EXPECT_EQ(scores.metrics[1].values[0], 1);
}

TEST(Levenshtein, CutsTextsToTenThousandCodePoints) {
  for (const int size : {9999, 10000, 10001}) {
    std::string expected = "\"";
    for (int i = 0; i < size; ++i) expected += "я";
    const std::string actual = expected + "z\"";
    expected += '"';
    const ScoreColumns scores = Score("type: levenshtein", expected, actual);
    EXPECT_EQ(scores.metrics[0].values[0], size < 10000 ? 1.0 : 0.0) << size;
  }
}

TEST(Levenshtein, RoundsHalfUp) {
  EXPECT_EQ(ScoreOf("type: levenshtein", "\"abcdefgh\"", "\"abcdeXYZ\""), 0.63);  // 0.625
  EXPECT_EQ(Score("type: levenshtein, threshold: 0.63", "\"abcdefgh\"", "\"abcdeXYZ\"").passed[0], 1);
  EXPECT_EQ(Score("type: levenshtein, threshold: 0.64", "\"abcdefgh\"", "\"abcdeXYZ\"").passed[0], 0);
}

TEST(Levenshtein, NoExpectedOutputPassesOnlyAtThresholdZero) {
  EXPECT_EQ(Score("type: levenshtein", "null", "\"x\"").passed[0], 0);
  EXPECT_EQ(Score("type: levenshtein, threshold: 0", "null", "\"x\"").passed[0], 1);
  EXPECT_TRUE(std::isnan(Score("type: levenshtein", "null", "\"x\"").metrics[0].values[0]));
}

TEST(Scorers, ShareOnePass) {
  const Plan all({"json_similarity", "exact_match", "contains", "levenshtein"});
  const auto together = Runner(all).ScorePair(R"({"a": "kitten"})", R"({"a": "sitting"})");
  for (std::size_t s = 0; s < together.size(); ++s) {
    const Plan one({std::string_view(together[s].scorer)});
    const auto alone = Runner(one).ScorePair(R"({"a": "kitten"})", R"({"a": "sitting"})");
    EXPECT_EQ(together[s].score, alone[0].score);
  }
  EXPECT_NEAR(together[0].score[0], 4.0 / 7.0, 1e-15);
}

TEST(Scorers, WrongOptionsNameTheNearest) {
  EXPECT_EQ(ConfigErrorOf("type: levenshtein, treshold: 0.5"),
            "config:2: scorer \"levenshtein\" (levenshtein): unknown option \"treshold\"; did you mean "
            "\"threshold\"? valid: target_output_key, default_expected, threshold, case_sensitive, revision, "
            "criteria_key, final_weight");
  EXPECT_TRUE(ConfigErrorOf("type: levenstein")
                  .starts_with(
                      "config:2: unknown scorer type \"levenstein\"; did you mean \"levenshtein\"? valid: "));
}

TEST(Classification, TellsClassesThatAreNotListed) {
  const std::string scorer = "type: classification, classes: [spam, ham]";
  EXPECT_EQ(ScoreOf(scorer, R"("spam")", R"("Spam")"), 1);
  EXPECT_EQ(ScoreOf(scorer, R"("spam")", R"("ham")"), 0);
  const ScoreColumns actual = Score(scorer, R"("spam")", R"("eggs")");
  EXPECT_EQ(actual.outcome[0], Outcome::kUnreadable);
  EXPECT_EQ(RejectReasonName(actual.errors.at(0).reason), "unknown_class");
  const ScoreColumns expected = Score(scorer, R"("eggs")", R"("spam")");
  EXPECT_EQ(expected.outcome[0], Outcome::kError);
  EXPECT_EQ(RejectReasonName(expected.errors.at(0).reason), "bad_criteria");
}

}  // namespace
}  // namespace leafscore::internal
