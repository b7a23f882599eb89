#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class ThresholdChecksTest : public LintTest {
 protected:
  // Ten records with the totals 0, 10, ... 90 and names that differ in one letter of two, or in both.
  LintReport LintWith(const std::string& scorer) {
    std::string gold;
    for (int i = 0; i < 10; ++i) {
      const std::string n = std::to_string(i);
      gold += "{\"id\": " + n + ", \"expected\": {\"total\": " + n + (i == 0 ? "" : "0") + ", \"name\": \"" +
              "abcdefghij"[i] + std::string("z\", \"in\": {\"rate\": ") + n + ".5}}}\n";
    }
    return Lint(Plan::FromConfig("scorers: [" + scorer + "]"), gold);
  }
};

TEST_F(ThresholdChecksTest, AToleranceIsPutToEveryPairOfRecords) {
  // Within 20 of each other, in either order: 9 pairs at 10 and 8 at 20, of 45.
  const LintReport report = LintWith(
      "{type: field_accuracy, fields: [{path: total, match: numeric_tolerance, tolerance: 20, weight: 0}]}");
  const auto found = Find(report, LintKind::kWideTolerance);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(found[0].paths.first, Ids({"total"}));
  EXPECT_EQ(found[0].numbers[0], std::pair(std::string("share_of_pairs"), 17.0 / 45));
  EXPECT_EQ(found[0].numbers[1], std::pair(std::string("pairs"), 90.0));
}

TEST_F(ThresholdChecksTest, ANarrowToleranceIsNoFinding) {
  const LintReport report = LintWith(
      "{type: field_accuracy, fields: [{path: total, match: numeric_tolerance, tolerance: 9.5}, {path: name, "
      "match: fuzzy}, {path: in.rate}]}");
  EXPECT_TRUE(Find(report, LintKind::kWideTolerance).empty());
}

TEST_F(ThresholdChecksTest, AFuzzyThresholdTakesOtherNames) {
  // Names share one letter of two.
  const LintReport report =
      LintWith("{type: field_accuracy, fields: [{path: name, match: fuzzy, threshold: 0.5}]}");
  const auto found = Find(report, LintKind::kWideTolerance);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].numbers[0].second, 1.0);
}

TEST_F(ThresholdChecksTest, AFieldIsLookedForWhereTheScorerLooks) {
  const LintReport report = LintWith(
      "{type: field_accuracy, target_output_key: in, fields: [{path: rate, match: numeric_tolerance, "
      "tolerance: 100}]}");
  const auto found = Find(report, LintKind::kWideTolerance);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].numbers[0].second, 1.0);
}

TEST_F(ThresholdChecksTest, NumberToleranceIsPutToEachNumberOfTheGold) {
  // Relative to the expected one: of totals all 90 pairs but 9 from 0, and of rates all 90 within 20 times.
  const LintReport report = LintWith("{type: json_similarity, number_tolerance: 20}");
  const auto found = Find(report, LintKind::kWideTolerance, "json_similarity");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].paths.first, Ids({"total", "in.rate"}));
  EXPECT_EQ(found[0].numbers[0].second, 171.0 / 180);
  EXPECT_TRUE(
      Find(LintWith("{type: json_similarity, number_tolerance: 0.001}"), LintKind::kWideTolerance).empty());
}

TEST_F(ThresholdChecksTest, ThresholdsOfZeroAreWarnings) {
  const LintReport report = LintWith(
      "{type: levenshtein, threshold: 0}, {type: strict_json, similar_threshold: 0.0}, {type: "
      "field_accuracy, "
      "threshold: 0, fields: [{path: name, match: fuzzy, threshold: 0}]}");
  EXPECT_EQ(Find(report, LintKind::kZeroThreshold, "levenshtein").size(), 1u);
  EXPECT_EQ(Find(report, LintKind::kZeroThreshold, "strict_json").size(), 1u);
  EXPECT_EQ(Find(report, LintKind::kZeroThreshold, "field_accuracy").size(), 2u);
  EXPECT_TRUE(Find(LintWith("{type: levenshtein}"), LintKind::kZeroThreshold).empty());
}

}  // namespace
}  // namespace leafscore::internal
