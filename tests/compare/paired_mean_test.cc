#include "engine/compare/paired_mean.h"

#include <gtest/gtest.h>

#include <vector>

#include "engine/compare/verdicts.h"

namespace leafscore::internal {
namespace {

// The largest n whose records may all agree by chance with probability above 5% has one record less.
TEST(PairedMeanTest, LeastUnits) {
  EXPECT_EQ(LeastUnits(0.01, 0.05), 299u);
  EXPECT_EQ(LeastUnits(0.05, 0.05), 59u);
  EXPECT_EQ(LeastUnits(0.1, 0.01), 44u);
  EXPECT_EQ(LeastUnits(1, 0.05), 1u);
}

// scipy 1.17: d = [0.25, -0.5, 0.125] * 8 + [-0.25] * 6 of 30,
// stats.ttest_1samp(d, 0) and its confidence_interval(); d.mean() / d.std(ddof=1).
TEST(PairedMeanTest, FiguresAreThoseOfSciPy) {
  PairedMean mean;
  std::uint32_t unit = 0;
  for (int i = 0; i < 8; ++i) {
    for (const double d : {0.25, -0.5, 0.125}) mean.Add(unit++, 0.5, 0.5 + d);
  }
  for (int i = 0; i < 6; ++i) mean.Add(unit++, 0.5, 0.25);
  ComparedMean row;
  mean.Finish(0.1, 0.05, row);
  EXPECT_EQ(row.records, 30u);
  EXPECT_EQ(row.base, 0.5);
  EXPECT_EQ(row.wins, 16u);
  EXPECT_EQ(row.losses, 14u);
  EXPECT_DOUBLE_EQ(row.difference, -2.5 / 30);
  EXPECT_NEAR(*row.p_t, 0.1520287676649831, 1e-12);
  EXPECT_NEAR(row.t_interval->low, -0.1991881869050162, 1e-12);
  EXPECT_NEAR(row.t_interval->high, 0.03252152023834953, 1e-12);
  EXPECT_NEAR(*row.p_equivalence, 0.3853416300199012, 1e-12);
  EXPECT_NEAR(*row.effect, -0.26858760857974645, 1e-12);
  ASSERT_TRUE(row.p_wilcoxon);
}

TEST(PairedMeanTest, WithoutRecordsThereIsNoFigure) {
  PairedMean mean;
  ComparedMean row;
  mean.Finish(0.01, 0.05, row);
  EXPECT_EQ(row.records, 0u);
  EXPECT_EQ(row.p, std::nullopt);
}

ComparedMean Row(double difference, double p, double p_equivalence) {
  ComparedMean row;
  row.units = 1000;
  row.difference = difference;
  row.standard_error = 0.01;
  row.p = p;
  row.p_equivalence = p_equivalence;
  row.losses = 1;
  return row;
}

TEST(VerdictsTest, TestsOfAFamilyAreCorrectedTogether) {
  std::vector<ComparedMean> rows = {Row(-0.03, 0.03, 0.9), Row(0.03, 0.001, 0.9), Row(0, 0.8, 0.01)};
  std::vector<ComparedMean*> family;
  for (ComparedMean& row : rows) family.push_back(&row);
  EXPECT_EQ(DecideFamily(family, 0.01, 0.05, Correction::kHolm), 3u);
  EXPECT_EQ(rows[0].p_corrected, 0.06);  // the second smallest of three, doubled
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kInconclusive);
  ASSERT_TRUE(rows[0].more_units);
  EXPECT_EQ(rows[1].verdict, ComparisonVerdict::kImproved);
  EXPECT_EQ(rows[1].more_units, std::nullopt);
  EXPECT_EQ(rows[2].p_equivalence_corrected, 0.03);
  EXPECT_EQ(rows[2].verdict, ComparisonVerdict::kEquivalent);
  DecideFamily(family, 0.01, 0.05, Correction::kNone);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
  DecideFamily(family, 0.01, 0.05, Correction::kBenjaminiHochberg);
  EXPECT_DOUBLE_EQ(*rows[0].p_corrected, 0.045);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
}

TEST(VerdictsTest, RowsInWhichNothingChangedAreNotInTheFamily) {
  std::vector<ComparedMean> rows = {Row(-0.03, 0.03, 0.9), Row(0, 1, 0)};
  rows[1].losses = 0;
  std::vector<ComparedMean*> family = {&rows[0], &rows[1]};
  EXPECT_EQ(DecideFamily(family, 0.01, 0.05, Correction::kHolm), 1u);
  EXPECT_EQ(rows[0].p_corrected, 0.03);
  EXPECT_EQ(rows[0].verdict, ComparisonVerdict::kRegressed);
  EXPECT_EQ(rows[1].p_corrected, 1);
  EXPECT_EQ(rows[1].verdict, ComparisonVerdict::kEquivalent);
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
