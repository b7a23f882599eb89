#include "engine/statistics/worst_case.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "engine/base/random.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

TEST(WorstCaseBound, GivesThePublishedVectors) {
  for (const rapidjson::Document& vector : VerdictVectors("compare")) {
    SCOPED_TRACE(vector["id"].GetString());
    const rapidjson::Value& want = vector["want"];
    const double alpha = vector["options"]["alpha"].GetDouble();
    const WorstCaseBound bound(UnitsOfVector(vector));
    const double tolerance = want["bounds_tolerance"].GetDouble();
    EXPECT_NEAR(bound.Lower(alpha), want["bounds"][0].GetDouble(), tolerance);
    EXPECT_NEAR(bound.Upper(alpha), want["bounds"][1].GetDouble(), tolerance);
    EXPECT_NEAR(bound.EquivalenceP(vector["options"]["margin"].GetDouble()),
                want["p_equivalence"].GetDouble(), want["p_equivalence_tolerance"].GetDouble());
    for (const auto& [drop, holds] : want["max_drop_holds"].GetObject()) {
      EXPECT_EQ(bound.Lower(alpha) > -std::strtod(drop.GetString(), nullptr), holds.GetBool())
          << drop.GetString();
    }
  }
}

std::vector<Unit> Falls(std::size_t falls, std::size_t records) {
  std::vector<Unit> units(records, Unit{0, 1});
  for (std::size_t i = 0; i < falls; ++i) units[i].sum = -1;
  return units;
}

TEST(WorstCaseBound, OfFallsFrom1To0IsClopperAndPearsons) {
  // The upper bound q of the share has P(Bin(n, q) <= falls) = alpha.
  const auto exact = [](int falls, int records, double alpha) {
    double low = 0;
    double high = 1;
    for (int step = 0; step < 100; ++step) {
      const double share = (low + high) / 2;
      double at_most = 0;
      for (int k = 0; k <= falls; ++k) {
        at_most += std::exp(std::lgamma(records + 1) - std::lgamma(k + 1) - std::lgamma(records - k + 1) +
                            k * std::log(share) + (records - k) * std::log1p(-share));
      }
      (at_most > alpha ? low : high) = share;
    }
    return low;
  };
  EXPECT_NEAR(exact(3, 300, 0.05), 0.02564, 1e-5);
  for (const int records : {30, 300, 3000}) {
    for (const int falls : {0, 1, 3, 10}) {
      for (const double alpha : {0.05, 0.01}) {
        const double bound =
            -WorstCaseBound(Falls(static_cast<std::size_t>(falls), static_cast<std::size_t>(records)))
                 .Lower(alpha);
        EXPECT_NEAR(bound, exact(falls, records, alpha), 0.01 * bound) << falls << " of " << records;
      }
    }
  }
  EXPECT_NEAR(WorstCaseBound(Falls(10, 300)).Lower(0.05), -0.05589, 1e-5);
}

// Draws the weights.
TEST(WorstCaseBound, IsTheQuantileOfRandomlyWeightedMeans) {
  SplitMix64 random(1, 0);
  std::vector<Unit> units;
  for (int i = 0; i < 40; ++i) {
    const auto count = static_cast<double>(1 + random.Below(4));
    units.push_back({count * ((static_cast<double>(random.Below(2001)) - 1000) / 3000), count});
  }
  const WorstCaseBound bound(units);
  constexpr int kDraws = 40000;
  const double lower = bound.Lower(0.05);
  int below = 0;
  for (int draw = 0; draw < kDraws; ++draw) {
    const auto exponential = [&] {
      return -std::log((static_cast<double>(random.Next() >> 11) + 0.5) * 0x1p-53);
    };
    double weight = exponential();
    double sum = -4 * weight;
    double count = 4 * weight;
    for (const Unit& unit : units) {
      weight = exponential();
      sum += weight * unit.sum;
      count += weight * unit.count;
    }
    below += sum / count <= lower;
  }
  EXPECT_NEAR(static_cast<double>(below) / kDraws, 0.05, 4 * std::sqrt(0.05 * 0.95 / kDraws));
}

TEST(WorstCaseBound, DoesNotDependOnTheOrderOfUnitsAndMirrors) {
  SplitMix64 random(2, 0);
  std::vector<Unit> units;
  for (int i = 0; i < 500; ++i) units.push_back({(static_cast<double>(random.Below(301)) - 160) / 700, 1});
  const WorstCaseBound bound(units);
  std::ranges::reverse(units);
  EXPECT_EQ(WorstCaseBound(units).Lower(0.05), bound.Lower(0.05));
  for (Unit& unit : units) unit.sum = -unit.sum;
  const WorstCaseBound mirrored(units);
  EXPECT_NEAR(mirrored.Upper(0.05), -bound.Lower(0.05), 1e-9);
  EXPECT_NEAR(mirrored.EquivalenceP(0.01), bound.EquivalenceP(0.01), 1e-12);
}

// Many units are put together before they are counted, which hardly moves the bounds: with one unit of
// another size they are not.
TEST(WorstCaseBound, OfManyUnitsIsThatOfEachOfThem) {
  for (const double rare : {-1.0, 1.0}) {
    for (const double noise : {0.5, 0.02, 1e-5}) {
      SplitMix64 random(3, 0);
      std::vector<Unit> units;
      for (int i = 0; i < 65537; ++i) {
        const bool is_rare = random.Below(1000) == 0;
        units.push_back({is_rare ? rare : noise * (static_cast<double>(random.Below(2000001)) / 1e6 - 1), 1});
      }
      const WorstCaseBound together(units);
      units.front().count += 1e-9;
      const WorstCaseBound apart(units);
      EXPECT_NEAR(together.Lower(0.05), apart.Lower(0.05), 2e-9) << rare << ' ' << noise;
      EXPECT_NEAR(together.Upper(0.05), apart.Upper(0.05), 2e-9) << rare << ' ' << noise;
      EXPECT_NEAR(together.EquivalenceP(0.001), apart.EquivalenceP(0.001), 1e-6) << rare << ' ' << noise;
    }
  }
}

// No mean of differences in [-1, 1] is outside of it.
TEST(WorstCaseBound, WithinAllThereIsIsCertain) {
  for (const std::size_t falls : {0u, 1u, 30u}) {
    for (const double margin : {1.0, 1.5})
      EXPECT_EQ(WorstCaseBound(Falls(falls, 30)).EquivalenceP(margin), 0);
  }
}

// The smaller the level, the farther the bound; a bound at the margin has that p.
TEST(WorstCaseBound, AgreesWithTheEquivalenceTest) {
  for (const std::size_t records : {1u, 5u, 300u, 5000u}) {
    for (const std::size_t falls : {0u, 1u}) {
      const WorstCaseBound bound(Falls(falls, records));
      double before = -1;
      for (const double alpha : {0.0001, 0.01, 0.05, 0.3}) {
        const double lower = bound.Lower(alpha);
        EXPECT_GE(lower, before);
        before = lower;
        if (lower < 0 && lower > -1) {
          EXPECT_NEAR(bound.EquivalenceP(-lower), alpha, 1e-6);
        }
      }
    }
  }
}

TEST(WorstCaseBound, OfNothingIsTheWorst) {
  const WorstCaseBound nothing(std::vector<Unit>{});
  EXPECT_EQ(nothing.Lower(0.05), -1);
  EXPECT_EQ(nothing.Upper(0.05), 1);
  EXPECT_EQ(nothing.EquivalenceP(0.01), 1);
  const WorstCaseBound all_fell(Falls(6, 6));
  EXPECT_EQ(all_fell.Lower(0.05), -1);
  EXPECT_EQ(all_fell.EquivalenceP(0.01), 1);
}

// Clopper and Pearson's 95% intervals: 9 of 10, 50 of 100, and all or none of 10.
TEST(MeanScoreInterval, OfScoresThatAre0Or1IsClopperAndPearsons) {
  const auto interval = [](std::uint64_t ones, std::uint64_t zeros) {
    return MeanScoreInterval(std::vector<CountedScore>{{1, ones}, {0, zeros}}, 0.95);
  };
  EXPECT_NEAR(interval(9, 1).low, 0.5550, 2e-3);
  EXPECT_NEAR(interval(9, 1).high, 0.9975, 1e-3);
  EXPECT_NEAR(interval(50, 50).low, 0.3983, 1e-3);
  EXPECT_NEAR(interval(50, 50).high, 0.6017, 1e-3);
  EXPECT_NEAR(interval(10, 0).low, std::pow(0.025, 0.1), 5e-3);
  EXPECT_EQ(interval(10, 0).high, 1);
  EXPECT_EQ(interval(0, 10).low, 0);
  EXPECT_NEAR(interval(0, 10).high, 1 - std::pow(0.025, 0.1), 5e-3);
}

// Scores that depend on each other: forty of which each is a quarter of one are as sure as ten.
TEST(MeanScoreInterval, OfScoresThatCountInPartIsThatOfFewer) {
  const std::vector<CountedScore> forty = {{1, 36}, {0.5, 4}};
  const std::vector<CountedScore> ten = {{1, 9}, {0.5, 1}};
  const Interval part = MeanScoreInterval(forty, 0.95, 0.25);
  EXPECT_NEAR(part.low, MeanScoreInterval(ten, 0.95).low, 1e-9);
  EXPECT_NEAR(part.high, MeanScoreInterval(ten, 0.95).high, 1e-9);
}

// Scores of 1 of which one in fifty is 0, which an interval around what was seen misses often; 95% of 400 are
// 380, and three standard errors fewer 367.
TEST(MeanScoreInterval, HoldsForRareCrashes) {
  int holds = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SplitMix64 random(trial, 7);
    std::uint64_t crashes = 0;
    for (int i = 0; i < 60; ++i) crashes += random.Below(50) == 0;
    const Interval interval =
        MeanScoreInterval(std::vector<CountedScore>{{1, 60 - crashes}, {0, crashes}}, 0.95);
    holds += interval.low <= 0.98 && 0.98 <= interval.high;
  }
  EXPECT_GE(holds, 367);
}

}  // namespace
}  // namespace leafscore::internal
