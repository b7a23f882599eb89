#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_text.h"
#include "leafscore/leafscore.h"
#include "run/run_testing.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

ScoreColumns ScoreJson(const std::string& expected, const std::string& actual,
                       const std::string& options = "") {
  return Score("type: static_json" + options, expected, actual);
}

// Scores an answer whose text is given as it is.
ScoreColumns ScoreText(const std::string& expected_json, const std::string& answer) {
  std::string answer_json;
  AppendJsonString(answer_json, answer);
  return ScoreJson(expected_json, answer_json);
}

TEST(StaticJson, DocumentedExampleOneOfTwoKeysExact) {
  const ScoreColumns scores =
      ScoreText(R"("{'energy': 14, 'material': 48}")", R"({"energy":14,"material":27})");
  EXPECT_EQ(scores.score[0], 0.5);
  EXPECT_EQ(scores.passed[0], 0);
  EXPECT_EQ(MetricOf(scores, "exact_value_matches"), 1);
  EXPECT_EQ(MetricOf(scores, "partial_similarity_score"), 0.5);
}

TEST(StaticJson, DocumentedExampleArrayOfObjects) {
  const ScoreColumns scores = ScoreText(
      R"([{"equipment_group": "Pumps/fans/generators", "count": 21}, {"equipment_group": "Lines & drives", "count": 15}])",
      "[\n  {\"equipment_group\": \"Pumps/fans/generators\", \"count\": 21},\n"
      "  {\"equipment_group\": \"Lines & drives\", \"count\": 15}\n]");
  EXPECT_EQ(scores.passed[0], 1);
  EXPECT_EQ(MetricOf(scores, "total_gold_keys"), 4);
}

TEST(StaticJson, DocumentedExampleJsonObject) {
  EXPECT_EQ(ScoreText(R"({"energy": 14, "material": 48})", R"({"energy": 14, "material": 48})").passed[0], 1);
}

TEST(StaticJson, DocumentedExamplePythonDict) {
  EXPECT_EQ(ScoreText(R"({"energy": 14, "material": 48})", "{'energy': 14, 'material': 48}").passed[0], 1);
}

TEST(StaticJson, DocumentedExampleTupleList) {
  EXPECT_EQ(ScoreText(R"([["Engines & motors", 5], ["Lines & drives", 2]])",
                      R"([("Engines & motors", 5), ("Lines & drives", 2)])")
                .passed[0],
            1);
}

TEST(StaticJson, DocumentedExampleFencedJson) {
  EXPECT_EQ(ScoreText(R"({"repair": 13, "replace": 0})", "```json\n{\"repair\": 13, \"replace\": 0}\n```")
                .passed[0],
            1);
}

TEST(StaticJson, DocumentedExampleFinalAnswerPrefix) {
  EXPECT_EQ(ScoreText(R"("{'repair': 13, 'replace': 0}")", R"(Final Answer: {"repair": 13, "replace": 0})")
                .passed[0],
            1);
}

TEST(StaticJson, DocumentedExampleCounts) {
  EXPECT_EQ(ScoreText(R"("34")", "34").passed[0], 1);
  EXPECT_EQ(ScoreText(R"("34")", "The answer is 34.").passed[0], 1);
  EXPECT_EQ(ScoreText("34", "The answer is 34.").passed[0], 1);
}

TEST(StaticJson, KeysAreTexts) {
  EXPECT_EQ(
      ScoreJson(R"({"a.b": 1, "c[0]": 2, "": {"": 3}})", R"({"a": {"b": 1}, "c": [2], ".": 3})").passed[0],
      1);
  EXPECT_EQ(ScoreJson(R"({"c[00]": 2})", R"({"c": [2]})").score[0], 0);
  EXPECT_EQ(ScoreJson(R"({"c[0]x": 2, "c[]": 1, "c[1": 1})", R"({"c[0]": {"x": 2}})").score[0], 0);
  EXPECT_EQ(ScoreJson(R"({"A": 1})", R"({"a": 1})").score[0], 0);
}

TEST(StaticJson, TheLastValueOfAKeyCounts) {
  EXPECT_EQ(ScoreJson(R"({"a": 1, "a": 2})", R"({"a": 2})").passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a.b": 1, "a": {"b": 2}})", R"({"a.b": 2})").passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a": "{\"b\": 1}", "a.b": 2})", R"({"a": {"b": 2}})").passed[0], 1);
  EXPECT_EQ(MetricOf(ScoreJson(R"({"a.b": 1, "a": {"b": 2}})", "{}"), "total_gold_keys"), 1);
}

TEST(StaticJson, StringsAreReadAgainAndNotAsCounts) {
  EXPECT_EQ(ScoreJson(R"({"a": "[1, {'b': 2}]"})", R"({"a": [1, {"b": 2}]})").passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a": "Answer: x"})", R"({"a": "X"})").passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a": "\"'[5]'\""})", R"({"a": [5]})").score[0],
            0);  // two readings, and then it is text
  EXPECT_EQ(ScoreJson(R"({"a": "'5'"})", R"({"a": 5})").passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a": "COMP-01"})", R"({"a": 1})").score[0], 0);
  // A whole answer that is JSON in a JSON string.
  EXPECT_EQ(ScoreJson(R"({"a": 1})", R"("\"{\\\"a\\\": 1}\"")").passed[0], 1);
}

TEST(StaticJson, ValuesAreComparedAsNormalisedTexts) {
  EXPECT_EQ(ScoreJson(R"([1.0, 1e3, -0, 0.1234567, true, null, " A\u00a0"])",
                      R"(["1", 1000, 0, "0.123457", "TRUE", "None", "a"])")
                .passed[0],
            1);
  EXPECT_EQ(ScoreJson("123456789012345678901234567890", "123456789012345678901234567891").passed[0], 0);
  EXPECT_EQ(ScoreJson("Infinity", R"("inf")").passed[0], 1);
  EXPECT_EQ(ScoreJson("NaN", R"("nan")").passed[0], 1);
  EXPECT_EQ(ScoreJson("1e400", "1e400").passed[0], 1);
  EXPECT_EQ(ScoreJson("1e400", R"("Infinity")").score[0], 0);
  EXPECT_EQ(ScoreJson("1e400", "1.7976931348623157e308").score[0], 0);
  EXPECT_EQ(ScoreJson("9007199254740993", "9007199254740992").score[0], 0);
}

TEST(StaticJson, NumbersAreSimilarByRelativeError) {
  const auto similarity = [](const std::string& gold, const std::string& model) {
    return MetricOf(ScoreJson(gold, model), "partial_similarity_score");
  };
  EXPECT_EQ(similarity("100", "100.9"), 0.9);
  EXPECT_EQ(similarity("100", "101"), 0.7);
  EXPECT_EQ(similarity("100", "104.9"), 0.7);
  EXPECT_EQ(similarity("100", "95"), 0.5);
  EXPECT_EQ(similarity("100", "110"), 0);
  EXPECT_EQ(similarity("0", "0.1"), 0);
  EXPECT_EQ(similarity(R"(["0"])", R"(["-0.0"])"), 1);
}

TEST(StaticJson, EqualNumbersOfDifferentTextsAreSimilarNotExact) {
  const ScoreColumns scores = ScoreJson(R"({"id": "007"})", R"({"id": 7})");
  EXPECT_EQ(scores.score[0], 0);
  EXPECT_EQ(scores.passed[0], 0);
  EXPECT_EQ(MetricOf(scores, "exact_value_matches"), 0);
  EXPECT_EQ(MetricOf(scores, "partial_similarity_score"), 0.9);
  EXPECT_EQ(ScoreText("7", "007").passed[0], 1);  // as a whole answer it is a count
}

TEST(StaticJson, OfSeveralLabelLinesTheFirstCounts) {
  const std::string gold = R"({"energy": 14})";
  EXPECT_EQ(ScoreText(gold, "Answer: {\"energy\": 14}\n\nAnswer explanation: I counted.").passed[0], 1);
  EXPECT_EQ(ScoreText(gold, "Output: {\"energy\": 14}\nOutput verified.").passed[0], 1);
  EXPECT_EQ(ScoreText("8", "Result: 7\nFinal Answer: 8").passed[0], 1);
  EXPECT_EQ(ScoreText("34", "Answer: 3\nAnswer: 34").passed[0], 1);  // a count, by its last line
}

TEST(StaticJson, WordsOfTheSameLettersAreSimilarNotExact) {
  const ScoreColumns scores = ScoreJson(R"({"w": "listen"})", R"({"w": "silent"})");
  EXPECT_EQ(scores.score[0], 0);
  EXPECT_EQ(MetricOf(scores, "partial_similarity_score"), 1);
}

TEST(StaticJson, SimilarityOfTexts) {
  const auto similarity = [](const std::string& gold, const std::string& model, const std::string& options) {
    return MetricOf(ScoreJson(gold, model, options), "partial_similarity_score");
  };
  EXPECT_EQ(similarity(R"("abcd")", R"("cdef")", ""), 2.0 / 6);
  EXPECT_EQ(similarity(R"("abcd")", R"("cdef")", ", string_similarity: levenshtein"), 0);
  EXPECT_EQ(similarity(R"("abcd")", R"("abxd")", ", string_similarity: levenshtein"), 0.75);
  for (const std::string options : {"", ", string_similarity: jaccard", ", string_similarity: levenshtein"}) {
    EXPECT_EQ(similarity(R"("abcdefgh")", R"("a")", options), 0.6);
    EXPECT_EQ(similarity(R"("a")", R"("abcdefgh")", options), 0.6);
    EXPECT_EQ(similarity(R"([""])", R"(["abc"])", options), 0.6);
  }
}

TEST(StaticJson, TwoSidesWithoutKeysPassWithoutAScore) {
  const ScoreColumns both = ScoreJson("{}", R"({"a": []})");
  EXPECT_EQ(both.passed[0], 1);
  EXPECT_EQ(both.score[0], 0);
  EXPECT_EQ(MetricOf(both, "strict_exact_match_accuracy"), 1);
  for (const char* metric : {"f1", "precision", "recall", "partial_similarity_score",
                             "partial_exact_match_accuracy", "total_gold_keys"}) {
    EXPECT_EQ(MetricOf(both, metric), 0) << metric;
  }
  EXPECT_EQ(ScoreJson("{}", "1").passed[0], 0);
  EXPECT_EQ(ScoreJson("1", "{}").score[0], 0);
}

TEST(StaticJson, BlankGoldIsNothingToCompareWith) {
  for (const std::string gold : {R"("")", R"("  ")", R"("\n\u00a0")"}) {
    for (const std::string& answer : {gold, std::string("1"), std::string("{}")}) {
      const ScoreColumns scores = ScoreJson(gold, answer);
      EXPECT_EQ(scores.outcome[0], Outcome::kScored);
      EXPECT_EQ(scores.score[0], 0);
      EXPECT_EQ(scores.passed[0], 0);
      for (const Metric& metric : scores.metrics) EXPECT_TRUE(std::isnan(metric.values[0])) << metric.name;
    }
  }
  const std::string details = DetailsOf("type: static_json", R"("")", "1", DetailLevel::kLeaves);
  EXPECT_NE(details.find(R"("details": [])"), std::string::npos) << details;
  EXPECT_EQ(ScoreJson(R"({"a": " "})", R"({"a": ""})").passed[0], 1);  // a leaf may be blank
  EXPECT_EQ(ScoreJson("null", R"("None")").passed[0], 1);              // and null is a leaf
}

TEST(StaticJson, DetailsTellHowManyValuesLostToALaterOneOfTheSameKey) {
  const std::string details =
      DetailsOf("type: static_json", R"("{1: 'a', '1': 'b'}")", R"({"x": "{\"y\": 1, \"y\": 2}", "x.y": 3})");
  EXPECT_NE(details.find(R"("gold_repeated_keys": 1, "model_repeated_keys": 2)"), std::string::npos)
      << details;
  EXPECT_EQ(ScoreJson(R"("{1: 'a', '1': 'b'}")", R"({"1": "b"})").passed[0], 1);
  EXPECT_EQ(DetailsOf("type: static_json", "1", "1").find("repeated_keys"), std::string::npos);
}

TEST(StaticJson, TargetOutputKeys) {
  const std::string one = ", target_output_key: 'b[0]'";
  EXPECT_EQ(ScoreJson(R"({"b": ["34"]})", R"({"b": ["The answer is 34."]})", one).passed[0], 1);
  // Members of a built object are no whole answers.
  const std::string list = ", target_output_key: [a, 'b[0]']";
  EXPECT_EQ(ScoreJson(R"({"a": 1, "b": [2]})", R"({"a": "1", "b": [2, 3]})", list).passed[0], 1);
  EXPECT_EQ(ScoreJson(R"({"a": 34, "b": [2]})", R"({"a": "It is 34.", "b": [2]})", list).score[0], 0.5);
}

TEST(StaticJson, ARecordInErrorHasNoMetrics) {
  const ScoreColumns scores = ScoreJson("{}", "{}", ", target_output_key: a");
  ASSERT_EQ(scores.outcome[0], Outcome::kError);
  for (const Metric& metric : scores.metrics) EXPECT_TRUE(std::isnan(metric.values[0])) << metric.name;
}

TEST(StaticJson, WrongOptions) {
  EXPECT_THROW(ScoreJson("1", "1", ", string_similarity: cosine"), Error);
  EXPECT_THROW(ScoreJson("1", "1", ", similarity_threshold: 2"), Error);
}

class StaticJsonDetails : public RunTest {};

TEST_F(StaticJsonDetails, TellHowEachSideWasReadAndWhatBecameOfEachKey) {
  const std::string input =
      R"({"id": 1, "expected": {"b": "storage", "a": 1, "z": 100, "m": true}, )"
      R"("actual": "Answer: {'z': 104, 'b': 'storage unit', 'a': 1, 'x': '\u0041'} ok"})"
      "\n"
      R"({"id": 2, "expected": " 34", "actual": "é 34."})"
      "\n";
  FileOptions options;
  options.details = DetailLevel::kLeaves;
  const Plan plan = Plan::FromConfig("evaluators:\n- {type: static_json, similarity_threshold: 0.65}\n");
  const FinishedRun leaves = RunText(plan, input, options);
  EXPECT_EQ(
      leaves.lines.at(0),
      R"({"id": 1, "scorer": "static_json", "outcome": "scored", "score": 0.25, "passed": false, "causes": ["missing"], )"
      R"("details": {"partial_exact_match_accuracy": 0.25, "strict_exact_match_accuracy": 0, )"
      R"("partial_similarity_score": 0.5840909090909091, "precision": 0.25, "recall": 0.25, "f1": 0.25, )"
      R"("total_gold_keys": 4, "total_model_keys": 4, "matched_keys": 3, "exact_value_matches": 1, )"
      R"("gold_read_as": "value", "gold_span": null, )"
      R"("model_read_as": "label/balanced/python", "model_span": [8, 57], )"
      R"("missing_keys": ["answer.m"], "extra_keys": ["answer.x"], "details": [)"
      R"({"key": "answer.a", "gold_value": "1", "model_value": "1", "exact": true, )"
      R"("match_type": "exact", "similarity": 1}, )"
      R"({"key": "answer.b", "gold_value": "storage", "model_value": "storage unit", "exact": false, )"
      R"("match_type": "mismatch", "similarity": 0.6363636363636364}, )"
      R"({"key": "answer.z", "gold_value": "100", "model_value": "104", "exact": false, )"
      R"-("match_type": "partial (0.70)", "similarity": 0.7}, )-"
      R"({"key": "answer.m", "gold_value": "true", "model_value": "MISSING", "exact": false, )"
      R"("match_type": "missing", "similarity": 0}, )"
      R"({"key": "answer.x", "gold_value": "NOT_IN_GOLD", "model_value": "a", "exact": false, )"
      R"("match_type": "extra", "similarity": 0}]}})");
  const rapidjson::Document second = ParseLine(leaves.lines.at(1));
  EXPECT_STREQ(second["details"]["gold_read_as"].GetString(), "json");
  EXPECT_EQ(second["details"]["gold_span"][0].GetInt(), 1);
  EXPECT_STREQ(second["details"]["model_read_as"].GetString(), "count");
  EXPECT_EQ(second["details"]["model_span"][0].GetInt(), 3);  // in bytes
  EXPECT_EQ(second["details"]["model_span"][1].GetInt(), 5);

  options.details = DetailLevel::kBasic;
  const std::vector<std::string> basic = RunText(plan, input, options).lines;
  const std::size_t metrics_end = leaves.lines[0].find(", \"missing_keys\"");
  EXPECT_EQ(basic.at(0), leaves.lines[0].substr(0, metrics_end) + "}}");
}

TEST(StaticJson, ManyLongKeysTakeLinearSpace) {
  // The texts of the flat keys would be 20 GB together.
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\": 1";
  const std::string answer = "{\"" + std::string(200'000, 'k') + "\": {" + members + "}}";
  const ScoreColumns scores = ScoreJson(answer, answer);
  EXPECT_EQ(scores.passed[0], 1);
  EXPECT_EQ(MetricOf(scores, "matched_keys"), 100'000);
}

TEST(StaticJson, DeepAnswers) {
  std::string deep;
  for (int level = 0; level < 500; ++level) deep += R"({"k": [)";
  deep += "7";
  for (int level = 0; level < 500; ++level) deep += "]}";
  EXPECT_EQ(ScoreJson(deep, deep).passed[0], 1);
  EXPECT_EQ(ScoreText(deep, "Answer: " + deep).passed[0], 1);
}

TEST(StaticJson, StringsWithinStringsAreReadToADepth) {
  std::string nested = "[1]";
  for (int level = 0; level < 12; ++level) {
    std::string quoted = "[\"";
    for (const char c : nested) quoted += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    nested = quoted + "\"]";
  }
  const ScoreColumns scores = ScoreJson(nested, R"([[[[[[[[[1]]]]]]]]])");
  EXPECT_EQ(MetricOf(scores, "total_gold_keys"), 1);
  EXPECT_EQ(MetricOf(scores, "matched_keys"), 1);  // answer[0] eight more times, and then a text
  EXPECT_EQ(scores.score[0], 0);
}

TEST(StaticJson, AnyTextIsScored) {
  constexpr std::string_view kUnits[] = {"Answer: ", "``` ",    "{",       "{x} ", "{'\\",   "'",   "\"",
                                         "7 ",       "7a",      "[1,",     "\n#",  "\\\n",   "a.b", " \u00a0",
                                         "'a' ",     "{\"a\":", "[\"{\",", "(1, ", "- 1 + ", "r'",  "é"};
  for (const std::string_view unit : kUnits) {
    std::string text;
    while (text.size() < 300'000) text += unit;
    const ScoreColumns scores = ScoreText(R"({"a": 1})", text);
    EXPECT_EQ(scores.outcome[0], Outcome::kScored) << unit;
    EXPECT_EQ(scores.score[0], 0) << unit;
  }
}

}  // namespace
}  // namespace leafscore::internal
