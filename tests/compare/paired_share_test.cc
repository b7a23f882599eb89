#include "engine/compare/paired_share.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "engine/compare/paired_mean.h"

namespace leafscore::internal {
namespace {

// 2 of 3, then 3 of 5: together 5 of 8. Contributions: 1, -1 and 1 - 2 * 5/8; the harmonic mean of 3 and 5 is
// 3.75. All choices of signs give a sum of at least 0.25.
TEST(PairedShareTest, TheDifferenceIsThatOfTheShares) {
  PairedShare share;
  share.Add(0, {1, 2}, {2, 2});
  share.Add(1, {1, 1}, {0, 1});
  share.Add(2, {0, 0}, {1, 2});
  share.Add(3, {0, 0}, {0, 0});
  ASSERT_TRUE(share.has_both());
  const ComparedFigure figure = share.Figure({});
  EXPECT_DOUBLE_EQ(figure.base, 2.0 / 3);
  EXPECT_DOUBLE_EQ(figure.now, 0.6);
  EXPECT_DOUBLE_EQ(figure.difference, -0.25 / 3.75);
  EXPECT_EQ(figure.p, 1);
  EXPECT_EQ(figure.wins, 1u);
  EXPECT_EQ(figure.losses, 2u);
  EXPECT_EQ(figure.ties, 0u);
  ComparedRow row;
  share.CountUnits(row);
  EXPECT_EQ(row.records, 3u);
  EXPECT_EQ(row.units, 3u);
  EXPECT_DOUBLE_EQ(row.effective_units, 25.0 / 9);  // of wholes of at most 2, 1 and 2
}

// Each record gave a right and a wrong value, and now only the right one: 1 of 2 becomes 1 of 1. Each
// contribution is 2/3, and 2 of 128 choices of signs give a sum as large.
TEST(PairedShareTest, ValuesThatAreNotGivenAnyMoreChangeAShare) {
  PairedShare share;
  for (std::uint32_t unit = 0; unit < 7; ++unit) share.Add(unit, {1, 2}, {1, 1});
  const ComparedFigure figure = share.Figure({});
  EXPECT_DOUBLE_EQ(figure.difference, 0.5);
  EXPECT_EQ(figure.p, 2.0 / 128);
  EXPECT_EQ(figure.wins, 7u);
  EXPECT_NEAR(figure.interval->low, 0.5, 1e-12);
  EXPECT_NEAR(figure.interval->high, 0.5, 1e-12);
  EXPECT_LT(figure.bounds->low, 0.5);
  EXPECT_GE(figure.bounds->high, 0.5);
}

TEST(PairedShareTest, WithTheSameWholesItIsTheMeanOverTheValues) {
  PairedShare share;
  PairedMean mean;
  for (std::uint32_t unit = 0; unit < 12; ++unit) {
    const int whole = 1 + static_cast<int>(unit % 3);
    const int base = unit % 4 == 0 ? 0 : whole;
    const int now = unit % 5 == 0 ? 1 : 0;
    share.Add(unit, {1.0 * base, 1.0 * whole}, {1.0 * now, 1.0 * whole});
    for (int value = 0; value < whole; ++value) mean.Add(unit, value < base, value < now);
  }
  const ComparedFigure of_share = share.Figure({});
  const ComparedFigure of_mean = mean.Figure({});
  EXPECT_EQ(of_share.base, of_mean.base);
  EXPECT_EQ(of_share.now, of_mean.now);
  EXPECT_EQ(of_share.difference, of_mean.difference);
  EXPECT_EQ(of_share.p, of_mean.p);
  EXPECT_EQ(of_share.interval->low, of_mean.interval->low);
  EXPECT_EQ(of_share.interval->high, of_mean.interval->high);
  EXPECT_EQ(of_share.bounds->low, of_mean.bounds->low);
  EXPECT_EQ(of_share.p_equivalence, of_mean.p_equivalence);
}

TEST(PairedShareTest, ASideWithoutValuesHasNoShare) {
  PairedShare share;
  share.Add(0, {1, 2}, {0, 0});
  EXPECT_FALSE(share.has_both());
}

}  // namespace
}  // namespace leafscore::internal
