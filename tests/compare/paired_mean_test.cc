#include "engine/compare/paired_mean.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/compare/verdicts.h"

namespace leafscore::internal {
namespace {

// scipy 1.17: d = [0.25, -0.5, 0.125] * 8 + [-0.25] * 6 of 30,
// stats.ttest_1samp(d, 0) and its confidence_interval(); d.mean() / d.std(ddof=1).
TEST(PairedMeanTest, FiguresAreThoseOfSciPy) {
  PairedMean mean;
  std::uint32_t unit = 0;
  for (int i = 0; i < 8; ++i) {
    for (const double d : {0.25, -0.5, 0.125}) mean.Add(unit++, 0.5, 0.5 + d);
  }
  for (int i = 0; i < 6; ++i) mean.Add(unit++, 0.5, 0.25);
  EXPECT_EQ(mean.records(), 30u);
  const ComparedFigure figure = mean.Figure({.margin = 0.1});
  EXPECT_EQ(figure.base, 0.5);
  EXPECT_EQ(figure.wins, 16u);
  EXPECT_EQ(figure.losses, 14u);
  EXPECT_DOUBLE_EQ(figure.difference, -2.5 / 30);
  EXPECT_NEAR(*figure.p_t, 0.1520287676649831, 1e-12);
  EXPECT_NEAR(figure.t_interval->low, -0.1991881869050162, 1e-12);
  EXPECT_NEAR(figure.t_interval->high, 0.03252152023834953, 1e-12);
  EXPECT_NEAR(*figure.effect, -0.26858760857974645, 1e-12);
  ASSERT_TRUE(figure.p_wilcoxon);
}

TEST(PairedMeanTest, WithoutRecordsThereIsNoFigure) {
  const PairedMean mean;
  EXPECT_EQ(mean.EffectiveUnits(), 0);
  EXPECT_EQ(mean.Figure({}).p, std::nullopt);
}

// Three records of one cluster and one of another: 4^2 / (3^2 + 1^2).
TEST(PairedMeanTest, UnevenClustersTellLess) {
  PairedMean mean;
  for (int i = 0; i < 3; ++i) mean.Add(0, 1, 0);
  mean.Add(1, 1, 0);
  EXPECT_EQ(mean.units(), 2u);
  EXPECT_EQ(mean.EffectiveUnits(), 1.6);
}

ComparedRow Row(double difference, double p, double p_equivalence, double least_p = 0) {
  ComparedRow row;
  row.records = row.units = 1000;
  row.mean.difference = difference;
  row.mean.standard_error = 0.01;
  row.mean.p = p;
  row.mean.least_p = least_p;
  row.mean.p_equivalence = p_equivalence;
  row.mean.bounds = {difference - 0.02, difference + 0.02};
  row.mean.losses = 1;
  return row;
}

std::size_t Decide(std::vector<ComparedRow>& rows, Correction correction = Correction::kHolm) {
  std::vector<ComparedRow*> family;
  for (ComparedRow& row : rows) family.push_back(&row);
  SetUnitsToFail(family, 0.05, correction);
  return DecideFamily(family, 0.01, 0.05, correction);
}

TEST(VerdictsTest, TestsOfAFamilyAreCorrectedTogether) {
  std::vector<ComparedRow> rows = {Row(-0.03, 0.03, 0.9), Row(0.03, 0.001, 0.9), Row(0, 0.8, 0.01)};
  EXPECT_EQ(Decide(rows), 3u);
  EXPECT_EQ(rows[0].mean.p_corrected, 0.06);  // the second smallest of three, doubled
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kInconclusive);
  EXPECT_TRUE(rows[0].mean.units_for_margin);
  ASSERT_EQ(rows[0].mean.more.size(), 2u);
  EXPECT_EQ(rows[0].mean.more[1].units, 4000u);
  EXPECT_EQ(rows[1].verdict, ComparisonVerdict::kImproved);
  EXPECT_TRUE(rows[1].mean.more.empty());
  EXPECT_EQ(rows[2].mean.p_equivalence_corrected, 0.03);
  EXPECT_EQ(rows[2].verdict, ComparisonVerdict::kEquivalent);
  Decide(rows, Correction::kNone);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
  Decide(rows, Correction::kBenjaminiHochberg);
  EXPECT_DOUBLE_EQ(*rows[0].mean.p_corrected, 0.045);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
}

// A row that could not give such a p cannot give a false alarm at it.
TEST(VerdictsTest, OnlyTestsThatCouldAttainPCount) {
  std::vector<ComparedRow> rows = {Row(-0.03, 0.03, 0.9), Row(-0.03, 1, 0.9, 0.25),
                                   Row(-0.03, 0.5, 0.9, 0.03)};
  EXPECT_EQ(Decide(rows), 3u);
  EXPECT_EQ(rows[0].mean.p_corrected, 0.06);
}

TEST(VerdictsTest, RowsInWhichNothingChangedAreNotInTheFamily) {
  std::vector<ComparedRow> rows = {Row(-0.03, 0.03, 0.9), Row(0, 1, 0)};
  rows[1].mean.losses = 0;
  EXPECT_EQ(Decide(rows), 1u);
  EXPECT_EQ(rows[0].mean.p_corrected, 0.03);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
  EXPECT_EQ(rows[1].mean.p_corrected, 1);
  EXPECT_EQ(rows[1].verdict, ComparisonVerdict::kEquivalent);
}

// "Improved" was said while the pass rate fell from 100% to 80%.
TEST(VerdictsTest, APassRateThatFellContradictsAMeanThatRose) {
  std::vector<ComparedRow> rows = {Row(0.068, 0.001, 0.9)};
  rows[0].pass = Row(-0.2, 0.002, 0.9).mean;
  EXPECT_EQ(Decide(rows), 2u);
  EXPECT_EQ(rows[0].mean.verdict, ComparisonVerdict::kImproved);
  EXPECT_EQ(rows[0].pass->verdict, ComparisonVerdict::kRegressed);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
  EXPECT_TRUE(rows[0].contradiction);
}

// A drop that a rare large rise could undo, none of which was seen.
TEST(VerdictsTest, ADropIsOnlyAsSureAsItsOtherBound) {
  std::vector<ComparedRow> rows = {Row(-0.03, 0.001, 0.9), Row(-0.01, 0.001, 0.9)};
  Decide(rows);
  EXPECT_TRUE(rows[0].mean.holds_for_any_scores);
  EXPECT_FALSE(rows[1].mean.holds_for_any_scores);
  EXPECT_EQ(rows[1].verdict, ComparisonVerdict::kRegressed);
}

// Six records alone can give p = 2^-5, and of two rows with as many each seven can give 2 * 2^-6.
TEST(VerdictsTest, AsManyUnitsAreNeededAsAFallOfAllWouldShow) {
  std::vector<ComparedRow> rows = {Row(0, 1, 1)};
  Decide(rows);
  EXPECT_EQ(rows[0].units_to_fail, 6u);
  rows.push_back(rows[0]);
  Decide(rows);
  EXPECT_EQ(rows[0].units_to_fail, 7u);
  rows[1].units = 10;  // the larger one is not hindered by the smaller one
  Decide(rows);
  EXPECT_EQ(rows[0].units_to_fail, 6u);
  EXPECT_EQ(rows[1].units_to_fail, 7u);
}

TEST(VerdictsTest, TheGraverOneHolds) {
  using enum ComparisonVerdict;
  EXPECT_EQ(Graver(kImproved, kInconclusive), kInconclusive);
  EXPECT_EQ(Graver(kInconclusive, kRegressed), kRegressed);
  EXPECT_EQ(Graver(kEquivalent, kImproved), kImproved);
  EXPECT_EQ(Graver(kEquivalent, kEquivalent), kEquivalent);
}

}  // namespace
}  // namespace leafscore::internal
