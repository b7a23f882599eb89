// Figures are worked out by hand in the comments.
#include "engine/report/confidence_figures.h"

#include <gtest/gtest.h>

#include "engine/report/field_figures.h"

namespace leafscore::internal {
namespace {

CellCounts Values(std::uint32_t right, std::uint32_t wrong) { return {.right = right, .extra = wrong}; }

// Ten values: of four at 0.9 three are right, of two at 0.5 one, two at 1 and none of two at 0.
ConfidenceCounts TenValues() {
  ConfidenceCounts counts;
  counts.Add(9000, Values(3, 1));
  counts.Add(5000, Values(1, 1));
  counts.Add(10000, Values(2, 0));
  counts.Add(0, Values(0, 2));
  return counts;
}

TEST(ConfidenceFigures, OfTenValues) {
  const Calibration figures = *TenValues().Figures(12);
  EXPECT_EQ(figures.values, 10u);
  EXPECT_EQ(figures.without_confidence, 2u);
  EXPECT_EQ(figures.right, 6u);
  // 3 * 0.1^2 + 0.9^2, 2 * 0.5^2, 0 and 0.
  EXPECT_DOUBLE_EQ(figures.brier_score, 1.34 / 10);
  // Of 6 * 4 pairs: two right values above all four wrong ones; three above three, and equal to one; one
  // above two, and equal to one.
  EXPECT_DOUBLE_EQ(*figures.auroc, (2 * 4 + 3 * 3.5 + 2.5) / 24);
  // Four values whose confidences are 0.9 on average, of which 0.75 are right.
  EXPECT_DOUBLE_EQ(figures.expected_calibration_error, 0.4 * 0.15);
  EXPECT_EQ(figures.least_sure.checked, 1u);  // 0.5, rounded up
  EXPECT_EQ(figures.least_sure.errors_found, 1);
  EXPECT_EQ(figures.least_sure.share_of_errors, 0.25);
}

TEST(ConfidenceFigures, TheUpperEndOfABinBelongsToIt) {
  const Calibration figures = *TenValues().Figures(10);
  ASSERT_EQ(figures.bins.size(), 10u);
  EXPECT_EQ(figures.bins[0].values, 2u);  // with 0
  EXPECT_EQ(figures.bins[4].values, 2u);
  EXPECT_EQ(figures.bins[5].values, 0u);
  EXPECT_EQ(figures.bins[5].confidence, std::nullopt);
  EXPECT_EQ(figures.bins[8].values, 4u);
  EXPECT_DOUBLE_EQ(*figures.bins[8].confidence, 0.9);
  EXPECT_EQ(figures.bins[8].precision, 0.75);
  EXPECT_EQ(figures.bins[9].precision, 1);
  EXPECT_EQ(figures.bins[9].from, 0.9);
  EXPECT_EQ(figures.bins[9].to, 1);
}

// Two of 40 equally sure values are checked: on average, half an error is found.
TEST(ConfidenceFigures, OfEquallySureValuesAReviewFindsTheMean) {
  ConfidenceCounts counts;
  counts.Add(3000, Values(30, 10));
  const Calibration figures = *counts.Figures(40);
  EXPECT_EQ(figures.least_sure.checked, 2u);
  EXPECT_EQ(figures.least_sure.errors_found, 0.5);
  EXPECT_EQ(figures.least_sure.share_of_errors, 0.05);
  EXPECT_EQ(figures.auroc, 0.5);
}

TEST(ConfidenceFigures, WithoutErrorsThereIsNothingToFind) {
  ConfidenceCounts counts;
  EXPECT_FALSE(counts.Figures(3));
  counts.Add(7000, Values(3, 0));
  const Calibration figures = *counts.Figures(3);
  EXPECT_EQ(figures.auroc, std::nullopt);
  EXPECT_EQ(figures.least_sure.share_of_errors, std::nullopt);
  EXPECT_DOUBLE_EQ(figures.expected_calibration_error, 0.3);
}

TEST(ConfidenceFigures, PartsAddUpInAnyOrder) {
  ConfidenceCounts some;
  some.Add(5000, Values(1, 0));
  some.Add(0, Values(0, 2));
  ConfidenceCounts others;
  others.Add(9000, Values(3, 1));
  others.Add(10000, Values(2, 0));
  others.Add(5000, Values(0, 1));
  ConfidenceCounts sum = others;
  sum += some;
  some += others;
  const Calibration whole = *TenValues().Figures(10);
  for (const ConfidenceCounts& counts : {sum, some}) {
    const Calibration figures = *counts.Figures(10);
    EXPECT_EQ(figures.brier_score, whole.brier_score);
    EXPECT_EQ(figures.auroc, whole.auroc);
    EXPECT_EQ(figures.expected_calibration_error, whole.expected_calibration_error);
  }
}

TEST(ConfidenceFigures, AreNoFieldsOfATally) {
  CellTally tally;
  tally.Add("a", {4, 1, 0});
  tally.Add(ConfidenceName(9000), Values(3, 1));
  ASSERT_EQ(tally.Fields().size(), 1u);
  EXPECT_EQ(tally.Fields()[0].true_positives, 4u);
  EXPECT_EQ(tally.confidences().Figures(5)->values, 4u);
}

TEST(ConfidenceFigures, NamesAreReadBack) {
  EXPECT_EQ(ConfidenceOfName(ConfidenceName(0)), 0u);
  EXPECT_EQ(ConfidenceOfName(ConfidenceName(kConfidenceSteps)), kConfidenceSteps);
  for (const std::string_view name :
       {"confidence", "\tconfidence\t", "\tconfidence\t10001", "\tconfidence\t1x"}) {
    EXPECT_EQ(ConfidenceOfName(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace leafscore::internal
