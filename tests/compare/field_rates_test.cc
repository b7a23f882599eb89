// Counts are added up by hand.
#include <algorithm>
#include <optional>

#include "compare/comparison_testing.h"

namespace leafscore::internal {
namespace {

using FieldRatesTest = ComparisonTest;

std::string Field(std::string_view path, int right, int extra, int missing) {
  return fmt::format(R"({{"path": "{}", "tp": {}, "fp": {}, "fn": {}}})", path, right, extra, missing);
}

// Returns a line that lists these fields.
std::string Listed(std::string_view id, const std::string& fields, std::string_view more = "") {
  return Scored(id, 0.5, fmt::format(", \"details\": {{\"fields\": [{}]}}{}", fields, more));
}

// Returns the row, or null.
const ComparedRow* RowOf(const ScorerComparison& scorer, std::optional<std::string> field, FieldRate rate) {
  const auto is_it = [&](const ComparedRow& row) { return row.field == field && row.rate == rate; };
  const auto found = std::ranges::find_if(scorer.field_rates, is_it);
  return found == scorer.field_rates.end() ? nullptr : &*found;
}

void ExpectShares(const ScorerComparison& scorer, std::optional<std::string> field, FieldRate rate,
                  double base, double now) {
  const ComparedRow* const row = RowOf(scorer, field, rate);
  ASSERT_TRUE(row) << field.value_or("(all)");
  EXPECT_DOUBLE_EQ(row->mean.base, base) << field.value_or("(all)");
  EXPECT_DOUBLE_EQ(row->mean.now, now) << field.value_or("(all)");
}

TEST_F(FieldRatesTest, AreThoseOfTheSummedCounts) {
  const std::string base =
      Listed("a", Field("f", 1, 1, 1) + "," + Field("g", 1, 0, 0)) + Listed("b", Field("f", 0, 0, 2));
  const std::string now =
      Listed("a", Field("f", 2, 0, 0) + "," + Field("g", 0, 0, 1)) + Unscored("b", "unreadable");
  const ScorerComparison scorer = CompareOne(base, now);
  ASSERT_EQ(scorer.field_rates.size(), 8u);  // nothing was given for g, so it has no precision
  ExpectShares(scorer, std::nullopt, FieldRate::kPrecision, 2.0 / 3, 1);
  ExpectShares(scorer, std::nullopt, FieldRate::kRecall, 2.0 / 5, 2.0 / 5);
  ExpectShares(scorer, std::nullopt, FieldRate::kF1, 4.0 / 8, 4.0 / 7);
  ExpectShares(scorer, "f", FieldRate::kPrecision, 1.0 / 2, 1);
  ExpectShares(scorer, "f", FieldRate::kRecall, 1.0 / 4, 2.0 / 4);
  ExpectShares(scorer, "f", FieldRate::kF1, 1.0 / 3, 2.0 / 3);
  ExpectShares(scorer, "g", FieldRate::kRecall, 1, 0);
  EXPECT_FALSE(RowOf(scorer, "g", FieldRate::kPrecision));
  EXPECT_EQ(RowOf(scorer, "f", FieldRate::kRecall)->records, 2u);
  EXPECT_EQ(RowOf(scorer, "f", FieldRate::kPrecision)->records, 1u);
}

TEST_F(FieldRatesTest, AnEmptyListIsAListAndNoListIsNone) {
  const std::string base =
      Listed("a", Field("f", 0, 3, 0)) + Listed("b", Field("f", 1, 0, 0)) + Listed("c", Field("f", 1, 0, 0));
  const std::string now = Listed("a", "") + Listed("b", Field("f", 1, 0, 0)) + Scored("c", 0.5);
  ExpectShares(CompareOne(base, now), "f", FieldRate::kPrecision, 1.0 / 4, 1);
}

TEST_F(FieldRatesTest, AListThatWasCutIsNone) {
  const std::string cut =
      Scored("a", 0.5,
             fmt::format(", \"details\": {{\"fields\": [{}], \"details_cut\": true}}", Field("f", 1, 0, 0)));
  EXPECT_TRUE(CompareOne(cut, Listed("a", Field("f", 1, 0, 0))).field_rates.empty());
}

// A line without an answer has none of the values that the other line expects.
TEST_F(FieldRatesTest, ATestThatWasAskedAgainHasTheMeanOfItsCounts) {
  const std::string base = Listed("a", Field("f", 1, 0, 1)) + Unscored("a", "unanswered");
  const std::string now = Listed("a", Field("f", 2, 0, 0)) + Listed("a", Field("f", 2, 0, 0));
  const ScorerComparison scorer = CompareOne(base, now, {.repeats = Repeats::kAll});
  ExpectShares(scorer, "f", FieldRate::kRecall, 0.25, 1);
}

TEST_F(FieldRatesTest, TheLastLineOfAnIdCounts) {
  const std::string base = Listed("a", Field("f", 0, 1, 1)) + Listed("a", Field("f", 1, 0, 0));
  ExpectShares(CompareOne(base, base), "f", FieldRate::kPrecision, 1, 1);
}

// Seven records lose their value of f, in clusters of one or all in a single one; g stays as it is.
TEST_F(FieldRatesTest, AreTestedInAFamilyOfTheirOwnByCluster) {
  std::string base;
  std::string now;
  for (int i = 0; i < 7; ++i) {
    const std::string id = std::to_string(i);
    const std::string groups = fmt::format(", \"doc\": \"{}\", \"all\": \"x\"", id);
    base += Listed(id, Field("f", 1, 0, 0) + "," + Field("g", 1, 0, 0), groups);
    now += Listed(id, Field("f", 0, 0, 1) + "," + Field("g", 1, 0, 0), groups);
  }
  const Comparison by_document = Compare(base, {now}, {.cluster = "doc"});
  const ScorerComparison& scorer = by_document.files[0].scorers[0];
  const ComparedRow& recall = *RowOf(scorer, "f", FieldRate::kRecall);
  EXPECT_EQ(recall.units, 7u);
  EXPECT_EQ(recall.mean.p, 2.0 / 128);
  // The recall of f and of all, and both F1, changed.
  EXPECT_EQ(recall.mean.p_corrected, 4 * 2.0 / 128);
  EXPECT_EQ(by_document.families.back().name, "field rates");
  EXPECT_EQ(by_document.families.back().tests, 4u);
  const ComparedRow& unchanged = *RowOf(scorer, "g", FieldRate::kRecall);
  EXPECT_EQ(unchanged.mean.difference, 0);
  EXPECT_EQ(unchanged.mean.p, 1);
  const ScorerComparison one_cluster = CompareOne(base, now, {.cluster = "all"});
  EXPECT_EQ(RowOf(one_cluster, "f", FieldRate::kRecall)->units, 1u);
  EXPECT_EQ(RowOf(one_cluster, "f", FieldRate::kRecall)->mean.p, 1);
}

TEST_F(FieldRatesTest, PrecisionIsNotTestedAtAnyTime) {
  const std::string lines = Listed("a", Field("f", 1, 1, 0));
  const ScorerComparison scorer = CompareOne(lines, lines, {.anytime = true});
  ASSERT_EQ(scorer.field_rates.size(), 2u);
  EXPECT_EQ(scorer.field_rates[0].rate, FieldRate::kRecall);
  EXPECT_EQ(scorer.field_rates[1].rate, FieldRate::kRecall);
}

}  // namespace
}  // namespace leafscore::internal
