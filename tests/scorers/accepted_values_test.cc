// Sets of accepted values (any_of_key) in json_similarity, field_accuracy and exact_match, and normalise in
// json_similarity. The oracle scores the pair with each accepted value in place of the set.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sanitized.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kSimilarity[] = "type: json_similarity, any_of_key: $any";
constexpr char kExact[] = "type: exact_match, any_of_key: $any";

struct Leaves {
  double matched;
  double total;
  bool operator==(const Leaves&) const = default;
};

Leaves LeavesOf(const std::string& evaluator, const std::string& expected, const std::string& actual) {
  const ScoreColumns scores = Score(evaluator, expected, actual);
  return {MetricOf(scores, "matched_leaves"), MetricOf(scores, "total_leaves")};
}

std::string SetOf(const std::vector<std::string>& values) {
  std::string list;
  for (const std::string& value : values) list += (list.empty() ? "" : ", ") + value;
  return "{\"$any\": [" + list + "]}";
}

TEST(AcceptedValues, TheValueWithTheMostMatchedLeavesIsTaken) {
  const std::string expected = R"({"name": {"$any": ["Acme Inc.", "Acme"]}, "n": 1})";
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"name": "Acme", "n": 1})"), (Leaves{2, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"name": "Acne", "n": 1})"), (Leaves{1.75, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"n": 1})"), (Leaves{1, 2}));
  // Without the option, it is an object like others.
  EXPECT_EQ(LeavesOf("type: json_similarity", expected, R"({"name": "Acme", "n": 1})"), (Leaves{1, 3}));
}

TEST(AcceptedValues, ASetWeighsAsMuchAsItsFirstValue) {
  const std::string expected = R"({"a": {"$any": [{"x": 1, "y": 2}, 7]}, "b": 1})";
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"b": 1})"), (Leaves{1, 3}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": {"x": 1}, "b": 1})"), (Leaves{2, 3}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": 7, "b": 1})"), (Leaves{3, 3}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": true, "b": 1})"), (Leaves{1, 3}));
}

// Nothing can be gained by an accepted value without leaves, or by a set without values.
TEST(AcceptedValues, EmptyValuesCountAsALeaf) {
  const std::string expected = R"({"a": {"$any": [[], ["x", "y"]]}, "b": 1})";
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": ["z"], "b": 1})"), (Leaves{1, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": [], "b": 1})"), (Leaves{2, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, expected, R"({"a": ["x", "y"], "b": 1})"), (Leaves{2, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, R"({"a": {"$any": []}, "b": 1})", R"({"a": "q", "b": 1})"), (Leaves{1, 2}));
  EXPECT_EQ(ScoreOf(kExact, R"({"$any": []})", R"({"$any": []})"), 0);
}

TEST(AcceptedValues, NullAcceptsNothing) {
  const std::string expected = R"({"a": {"$any": ["x", null]}, "b": 1})";
  for (const std::string actual : {R"({"b": 1})", R"({"a": null, "b": 1})", R"({"a": "x", "b": 1})"}) {
    EXPECT_EQ(LeavesOf(kSimilarity, expected, actual), (Leaves{2, 2})) << actual;
    EXPECT_EQ(ScoreOf(kExact, expected, actual), 1) << actual;
  }
  EXPECT_EQ(LeavesOf(kSimilarity, R"({"a": {"$any": [{}, null]}, "b": 1})", R"({"b": 1})"), (Leaves{2, 2}));
  const std::string any_order = std::string(kSimilarity) + ", array_match: any_order";
  EXPECT_EQ(LeavesOf(any_order, R"([{"$any": ["a", null]}, "b"])", R"(["b"])"), (Leaves{2, 2}));
  EXPECT_EQ(LeavesOf(kSimilarity, R"({"x": {"$any": [{"$any": [null]}, "a"]}, "b": 1})", R"({"b": 1})"),
            (Leaves{2, 2}));
  EXPECT_EQ(ScoreOf(kExact, expected, R"({"a": "y", "b": 1})"), 0);
}

TEST(AcceptedValues, SetsInSetsAndInRows) {
  EXPECT_EQ(LeavesOf(kSimilarity, R"({"$any": [{"$any": ["a", "b"]}, "c"]})", R"("b")"), (Leaves{1, 1}));
  const std::string any_order = std::string(kSimilarity) + ", array_match: any_order";
  EXPECT_EQ(LeavesOf(any_order, R"([{"$any": ["a", "b"]}, "c"])", R"(["c", "b"])"), (Leaves{2, 2}));
  EXPECT_EQ(LeavesOf(any_order, R"([{"$any": [["a", "b"], "z"]}, "c"])", R"(["c", ["b", "a"]])"),
            (Leaves{3, 3}));
}

TEST(AcceptedValues, RulesOfAPlaceHoldForAllItsValues) {
  const std::string expected = R"({"a": {"$any": [{"x": 1, "y": 2}, "t"]}, "b": 1})";
  EXPECT_EQ(LeavesOf(std::string(kSimilarity) + ", weights: {a.x: 3}", expected,
                     R"({"a": {"x": 1, "y": 0}, "b": 1})"),
            (Leaves{4, 5}));
  EXPECT_EQ(LeavesOf(std::string(kSimilarity) + ", ignore_paths: [a]", expected, R"({"b": 1})"),
            (Leaves{1, 1}));
}

TEST(AcceptedValues, LeavesAreThoseOfTheValueThatWasTaken) {
  const auto paths = [](const std::string& expected, const std::string& actual) {
    ScoredPair pair(Plan::FromConfig("evaluators:\n- {" + std::string(kSimilarity) + "}\n"), expected, actual,
                    DetailLevel::kLeaves);
    std::string text;
    for (const JudgedLeaf& leaf : pair.Leaves()) {
      text += leaf.path + "=" + leaf.expected_json + "/" + leaf.actual_json + " ";
    }
    return text;
  };
  const std::string expected = R"({"a": {"$any": [{"x": 1, "y": 2}, "t"]}, "b": 3})";
  EXPECT_EQ(paths(expected, R"({"a": {"x": 1}, "b": 3})"), "a.$any[0].x=1/1 a.$any[0].y=2/ b=3/3 ");
  EXPECT_EQ(paths(expected, R"({"a": "t", "b": 3})"), "a.$any[1]=\"t\"/\"t\" b=3/3 ");
  EXPECT_EQ(paths(expected, R"({"b": 3})"), "a.$any[0].x=1/ a.$any[0].y=2/ b=3/3 ");
}

// The set earns the largest share that one of its values would, and weighs as its first value does.
TEST(AcceptedValues, RandomPairsScoreAsWithTheBestValue) {
  RandomJson random(11);
  for (int i = 0; i < Rounds(3000); ++i) {
    const std::vector<std::string> values = {random.Value(2), random.Value(2), random.Value(2)};
    const std::string actual = random.Value(2);
    double best = 0;
    bool is_equal = false;
    double weight = 0;
    for (const std::string& value : values) {
      const Leaves leaves = LeavesOf("type: json_similarity", value, actual);
      if (&value == values.data()) weight = std::max(leaves.total, 1.0);
      if (leaves.total > 0) best = std::max(best, leaves.matched / leaves.total);
      if (leaves.total == 0 && ScoreOf("type: exact_match, case_sensitive: true", value, actual) == 1)
        best = 1;
      is_equal |= ScoreOf("type: exact_match", value, actual) == 1;
    }
    const std::string expected = "{\"p\": " + SetOf(values) + ", \"q\": 1}";
    const Leaves leaves = LeavesOf(kSimilarity, expected, "{\"q\": 1, \"p\": " + actual + "}");
    EXPECT_EQ(leaves.total, weight + 1) << expected << " " << actual;
    EXPECT_NEAR(leaves.matched, best * weight + 1, 1e-12) << expected << " " << actual;
    EXPECT_EQ(ScoreOf(kExact, SetOf(values), actual), is_equal) << expected << " " << actual;
  }
}

TEST(AcceptedValues, ExactMatchOfTexts) {
  const std::string expected = R"({"$any": ["Oslo", "Kristiania", 7]})";
  EXPECT_EQ(ScoreOf(kExact, expected, "\"kristiania\""), 1);
  EXPECT_EQ(ScoreOf(kExact, expected, "7"), 1);
  EXPECT_EQ(ScoreOf(kExact, expected, "\"Bergen\""), 0);
  EXPECT_EQ(ScoreOf(std::string(kExact) + ", negated: true", expected, "\"Bergen\""), 1);
  EXPECT_EQ(
      ScoreOf(std::string(kExact) + ", target_output_key: a", R"({"a": {"$any": [1, 2]}})", R"({"a": 2})"),
      1);
}

TEST(AcceptedValues, FieldAccuracy) {
  const auto score = [](const std::string& rule, const std::string& accepted, const std::string& actual) {
    return ScoreOf("type: field_accuracy, any_of_key: $any, fields: [{path: a, " + rule + "}]",
                   "{\"a\": {\"$any\": " + accepted + "}}", actual);
  };
  EXPECT_EQ(score("match: exact", "[1, \"x\"]", R"({"a": "x"})"), 1);
  EXPECT_EQ(score("match: exact", "[1, \"x\"]", R"({"a": "y"})"), 0);
  EXPECT_EQ(score("match: exact", "[1, null]", "{}"), 1);
  EXPECT_EQ(score("match: exact", "[1, 2]", "{}"), 0);
  EXPECT_EQ(ScoreOf("type: field_accuracy, any_of_key: $any, fields: [{path: a.b, match: exact}]",
                    R"({"a": {"$any": [{"b": 1}, {"b": 2}]}})", R"({"a": {"b": 2}})"),
            1);
  EXPECT_EQ(score("match: numeric_tolerance, tolerance: 1", "[10, 20]", R"({"a": 21})"), 1);
  EXPECT_EQ(score("match: date", "[\"2026-01-02\", \"2026-03-04\"]", R"({"a": "4 March 2026"})"), 1);
  EXPECT_EQ(score("match: fuzzy, threshold: 0.7", "[\"abcd\", \"wxyz\"]", R"({"a": "wxya"})"), 0.75);
  EXPECT_EQ(score("match: fuzzy, threshold: 0.7, algorithm: jaro_winkler", "[\"abcd\", \"wxyz\"]",
                  R"({"a": "wxyz"})"),
            1);
}

TEST(AcceptedValues, OnlyWhereTheRulesAreOurs) {
  const std::string message = "this revision accepts one value only";
  for (const std::string evaluator :
       {"type: json_similarity, revision: '2026-08'", "type: exact_match, revision: '2025-06'",
        "type: field_accuracy, revision: '2026-07', fields: [{path: a, match: exact}]"}) {
    EXPECT_NE(ConfigErrorOf(evaluator + ", any_of_key: $any").find(message), std::string::npos) << evaluator;
  }
  EXPECT_NE(ConfigErrorOf("type: exact_match, line_by_line: true, any_of_key: $any").find("line_by_line"),
            std::string::npos);
}

TEST(JsonSimilarityNormalise, StepsHoldWhereTheirPatternLeads) {
  const std::string evaluator =
      "type: json_similarity, normalise: {total: [number], '**.name': [space, case]}";
  EXPECT_EQ(LeavesOf(evaluator, R"({"total": 1240, "by": {"name": "Ada  L"}, "n": "X"})",
                     R"({"total": "$1,240.00", "by": {"name": "ada l"}, "n": "x"})"),
            (Leaves{2, 3}));
  // Texts that still differ are compared as they became; the last pattern that leads to a place wins.
  EXPECT_EQ(LeavesOf("type: json_similarity, normalise: {'**': [number], a: [case]}", R"({"a": "ABCD"})",
                     R"({"a": "abcx"})"),
            (Leaves{0.75, 1}));
  EXPECT_EQ(LeavesOf("type: json_similarity, normalise: {a: [number]}", R"({"a": 100})", R"({"a": "90"})"),
            (Leaves{0.9, 1}));
  EXPECT_NE(ConfigErrorOf("type: json_similarity, normalise: {a: [cases]}").find("step \"cases\""),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
