// Records whose scores say nothing of the answer, as no part of the expected value counts.
#include <gtest/gtest.h>

#include <string>

#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// Tells whether nothing was compared of a pair, which must be scored.
bool ComparesNothing(const std::string& evaluator, const std::string& expected, const std::string& actual) {
  ScoredPair pair(Plan::FromConfig("evaluators:\n- {" + evaluator + "}\n"), expected, actual,
                  DetailLevel::kNone);
  EXPECT_LE(pair.batch().nothing_compared().size(), 1u);
  return !pair.batch().nothing_compared().empty();
}

TEST(NothingCompared, OfAnExpectedValueWithoutLeaves) {
  for (const char* const rules : {"", ", array_match: any_order"}) {
    const std::string scorer = std::string("type: json_similarity") + rules;
    EXPECT_TRUE(ComparesNothing(scorer, "{}", R"({"a": 1})"));
    EXPECT_TRUE(ComparesNothing(scorer, "[]", "5"));
    EXPECT_TRUE(ComparesNothing(scorer, R"({"a": [{}]})", "{}"));
    EXPECT_FALSE(ComparesNothing(scorer, R"({"a": null})", "{}"));
    EXPECT_FALSE(ComparesNothing(scorer, R"("")", R"("")"));
  }
}

TEST(NothingCompared, WhenRulesLeaveNoLeafThatCounts) {
  const std::string pair = R"({"a": 1, "b": 2})";
  EXPECT_TRUE(ComparesNothing("type: json_similarity, ignore_paths: ['**']", pair, pair));
  EXPECT_TRUE(ComparesNothing("type: json_similarity, ignore_paths: [a, b]", pair, "{}"));
  EXPECT_TRUE(ComparesNothing("type: json_similarity, weights: {a: 0, b: 0}", pair, "{}"));
  EXPECT_TRUE(ComparesNothing("type: json_similarity, ignore_paths: [a], target_output_key: a", pair, pair));
  EXPECT_FALSE(ComparesNothing("type: json_similarity, ignore_paths: [a]", pair, "{}"));
}

TEST(NothingCompared, OfFieldsThatNoExpectedValueHas) {
  const std::string scorer = "type: field_accuracy, fields: [{path: totl}, {path: b, weight: 0}]";
  EXPECT_TRUE(ComparesNothing(scorer, R"({"total": 1})", R"({"total": 2})"));
  EXPECT_TRUE(ComparesNothing(scorer, R"({"b": 1})", R"({"b": 1})"));
  EXPECT_FALSE(ComparesNothing(scorer + ", aggregation: all_or_nothing", R"({"b": 1})", R"({"b": 1})"));
  EXPECT_FALSE(ComparesNothing(scorer, R"({"totl": 1})", "{}"));
}

TEST(NothingCompared, WhereAnEmptyTextIsSearchedFor) {
  EXPECT_TRUE(ComparesNothing("type: contains", R"("")", R"("x")"));
  EXPECT_TRUE(ComparesNothing("type: contains, search_text: ''", R"("x")", R"("y")"));
  EXPECT_TRUE(ComparesNothing("type: contains, negated: true", R"("")", R"("x")"));
  EXPECT_FALSE(ComparesNothing("type: contains", R"(" ")", R"("x")"));
}

TEST(NothingCompared, WhereNothingIsExpected) {
  EXPECT_TRUE(ComparesNothing("type: levenshtein, threshold: 0", "null", R"("x")"));
  EXPECT_TRUE(ComparesNothing("type: static_json", "{}", "{}"));
  EXPECT_TRUE(ComparesNothing("type: static_json", R"({"a": []})", R"({"a": 1})"));
  EXPECT_TRUE(ComparesNothing("type: static_json", R"(" ")", R"("x")"));
  EXPECT_FALSE(ComparesNothing("type: static_json", "5", "{}"));
}

// An empty answer is the right one then, and any other is not.
TEST(NothingCompared, NotWhereNothingIsTheRightAnswer) {
  EXPECT_FALSE(ComparesNothing("type: exact_match", "{}", "{}"));
  EXPECT_FALSE(ComparesNothing("type: exact_match", R"("")", R"("")"));
  EXPECT_FALSE(ComparesNothing("type: levenshtein", R"("")", R"("")"));
  EXPECT_FALSE(ComparesNothing("type: json_diff", "{}", "{}"));
  EXPECT_FALSE(ComparesNothing("type: strict_json", "{}", "{}"));
}

}  // namespace
}  // namespace leafscore::internal
