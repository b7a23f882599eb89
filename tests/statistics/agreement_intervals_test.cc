// Intervals of agreement: what statsmodels computes for kappa, and a second implementation in numpy.
#include "engine/statistics/agreement_intervals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

namespace leafscore::internal {
namespace {

// Ratings of records that were each drawn alone, or in `units`.
struct Ratings {
  std::vector<double> one;
  std::vector<double> other;
  std::vector<std::size_t> units = {};

  RatedRecords Get() {
    if (units.empty()) {
      units.resize(one.size());
      std::iota(units.begin(), units.end(), std::size_t{0});
    }
    return {one, other, units};
  }
};

void ExpectInterval(const std::optional<Interval>& interval, double low, double high) {
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, low, 1e-12);
  EXPECT_NEAR(interval->high, high, 1e-12);
}

Ratings Verdicts() { return {{1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0}, {1, 1, 0, 0, 0, 0, 1, 1, 1, 1, 1, 0}}; }

Ratings Numbers() { return {{.1, .3, .2, .8, .9, .5, .4, .7}, {.2, .3, .1, .9, .7, .5, .6, .8}}; }

TEST(AgreementIntervalsTest, AreThoseOfOtherImplementations) {
  ExpectInterval(AlphaInterval(Numbers().Get()), 0.7198455647728423, 0.9675553175454826);
  ExpectInterval(TauBInterval(Numbers().Get()), 0.35794689494582066, 0.8890197174742718);
  ExpectInterval(KappaInterval(Verdicts().Get()), -0.5076503612006169, 0.9220303172185416);
  // statsmodels 0.14 gives kappa 0.657142857142857 a standard error of 0.2208793150194534, with a divisor of
  // 12 instead of 11. By the logarithm, that reaches over the t-quantile of 11 degrees of freedom.
  const double kappa = 23.0 / 35;
  const double reach = 2.200985160082949 * 0.2208793150194534 * std::sqrt(12.0 / 11) / (1 - kappa);
  EXPECT_NEAR(KappaInterval(Verdicts().Get())->low, 1 - (1 - kappa) * std::exp(reach), 1e-10);
}

// Copies of records say nothing new.
TEST(AgreementIntervalsTest, CountUnitsAndNotRecords) {
  Ratings copies = Numbers();
  for (std::size_t i = 0; i < 8; ++i) {
    copies.one.push_back(copies.one[i]);
    copies.other.push_back(copies.other[i]);
  }
  const std::vector<std::size_t> unit = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  Ratings in_units = {copies.one, copies.other, unit};
  const Interval once = *TauBInterval(Numbers().Get());
  const Interval twice = *TauBInterval(in_units.Get());
  EXPECT_NEAR(twice.low, once.low, 1e-12);
  EXPECT_NEAR(twice.high, once.high, 1e-12);
  // The divisor of alpha is 2n - 1, so that its figures differ a little.
  EXPECT_NEAR(AlphaInterval(in_units.Get())->low, AlphaInterval(Numbers().Get())->low, 0.02);
  EXPECT_GT(AlphaInterval(copies.Get())->low, AlphaInterval(in_units.Get())->low + 0.05);
}

TEST(AgreementIntervalsTest, DoNotTakeLuckForCertainty) {
  Ratings same = {{0, 1, 0, 1, 1}, {0, 1, 0, 1, 1}};
  const double share = 1 - std::pow(0.025, 1.0 / 5);
  ExpectInterval(KappaInterval(same.Get()), 1 - share / 0.48, 1);
  ExpectInterval(AlphaInterval(same.Get()), 1 - share / (0.48 * 10 / 9), 1);
  ExpectInterval(TauBInterval(same.Get()), -1, 1);
  Ratings opposite = {{0, 1, 0, 1, 1}, {1, 0, 1, 0, 0}};
  ExpectInterval(TauBInterval(opposite.Get()), -1, 1);
  Ratings many = {{}, {}};
  for (int i = 0; i < 1000; ++i) many.one.push_back(i);
  many.other = many.one;
  EXPECT_NEAR(TauBInterval(many.Get())->low, 1 - 4 * (1 - std::pow(0.025, 1e-3)), 1e-12);
}

TEST(AgreementIntervalsTest, RepeatsOfARareRatingAreOneUnit) {
  Ratings often = {std::vector<double>(100, 0), {}, {}};
  Ratings once = {std::vector<double>(51, 0), {}, {}};
  for (std::size_t i = 0; i < 100; ++i) {
    if (i < 50) often.one[i] = 1;
    often.units.push_back(i < 50 ? 0 : i - 49);
  }
  once.one[0] = 1;
  often.other = often.one;
  once.other = once.one;
  for (const auto interval : {&AlphaInterval, &KappaInterval, &TauBInterval}) {
    EXPECT_NEAR(interval(often.Get())->low, interval(once.Get())->low, 1e-12);
    EXPECT_LT(interval(often.Get())->low, 0);
  }
}

TEST(AgreementIntervalsTest, NeedUnitsThatDiffer) {
  Ratings none;
  Ratings constant = {{1, 1, 1}, {1, 1, 1}};
  Ratings one_unit = {{0, 1}, {1, 0}, {0, 0}};
  for (Ratings* const ratings : {&none, &constant, &one_unit}) {
    EXPECT_FALSE(AlphaInterval(ratings->Get()));
    EXPECT_FALSE(KappaInterval(ratings->Get()));
    EXPECT_FALSE(TauBInterval(ratings->Get()));
  }
  Ratings alike = {{0, 1}, {0, 1}, {0, 0}};
  EXPECT_FALSE(AlphaInterval(alike.Get()));
  EXPECT_FALSE(TauBInterval(alike.Get()));
}

}  // namespace
}  // namespace leafscore::internal
