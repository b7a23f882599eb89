#include "engine/statistics/typical_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

Interval IntervalOf(const std::vector<Unit>& units, double alpha) {
  return TypicalValuesInterval(units, alpha, SignFlipTest(units));
}

TEST(TypicalValuesInterval, GivesThePublishedVectors) {
  int with_interval = 0;
  for (const rapidjson::Document& vector : VerdictVectors("compare")) {
    const rapidjson::Value& want = vector["want"];
    if (!want.HasMember("interval")) continue;
    SCOPED_TRACE(vector["id"].GetString());
    ++with_interval;
    const Interval interval = IntervalOf(UnitsOfVector(vector), vector["options"]["alpha"].GetDouble());
    EXPECT_NEAR(interval.low, want["interval"][0].GetDouble(), want["interval_tolerance"].GetDouble());
    EXPECT_NEAR(interval.high, want["interval"][1].GetDouble(), want["interval_tolerance"].GetDouble());
  }
  EXPECT_EQ(with_interval, 46);
}

std::vector<Unit> DrawUnits(SplitMix64& random, std::size_t size, double drop) {
  std::vector<Unit> units;
  for (std::size_t i = 0; i < size; ++i) {
    const auto count = static_cast<double>(1 + random.Below(3));
    units.push_back({count * ((static_cast<double>(random.Below(2001)) - 1000) / 4000 - drop), count});
  }
  return units;
}

// Looks at the means of all subsets, one by one.
TEST(TypicalValuesInterval, OfFewUnitsLooksAtAllSubsets) {
  SplitMix64 random(1, 0);
  for (std::size_t size = 6; size <= 13; ++size) {
    const std::vector<Unit> units = DrawUnits(random, size, 0.1);
    std::vector<double> means;
    for (std::uint32_t subset = 1; subset < 1u << size; ++subset) {
      Unit total{0, 0};
      for (std::size_t i = 0; i < size; ++i) {
        if ((subset >> i & 1) == 0) continue;
        total.sum += units[i].sum;
        total.count += units[i].count;
      }
      means.push_back(total.sum / total.count);
    }
    std::ranges::sort(means);
    const double alpha = 0.1;
    const auto place = static_cast<std::size_t>(std::ceil(std::ldexp(alpha, static_cast<int>(size)) / 2)) - 1;
    const Interval interval = IntervalOf(units, alpha);
    const bool significant = SignFlipTest(units).p < alpha;
    const double low = means[place - 1];
    const double high = means[means.size() - place];
    EXPECT_NEAR(interval.low, significant ? low : std::min(low, 0.0), 1e-12) << size;
    if (!significant || high < 0) {
      EXPECT_NEAR(interval.high, significant ? high : std::max(high, 0.0), 1e-12);
    }
  }
}

// A shift is in the interval if the test of what is left keeps it. Random subsets move the ends a little.
TEST(TypicalValuesInterval, IsTheTestTurnedRound) {
  SplitMix64 random(2, 0);
  for (const std::size_t size : {12, 13, 14, 30, 100}) {
    const std::vector<Unit> units = DrawUnits(random, size, 0.05);
    const Interval interval = IntervalOf(units, 0.05);
    const auto p_of_shift = [&](double shift) {
      std::vector<Unit> shifted = units;
      for (Unit& unit : shifted) unit.sum -= shift * unit.count;
      return SignFlipTest(shifted).p;
    };
    const double width = interval.high - interval.low;
    for (const double end : {interval.low, interval.high}) {
      if (end == 0) continue;  // held there by p
      const double outwards = end == interval.low ? -1 : 1;
      EXPECT_LT(p_of_shift(end + outwards * 0.05 * width), 0.05) << size;
      EXPECT_GE(p_of_shift(end - outwards * 0.05 * width), 0.05) << size;
    }
  }
}

TEST(TypicalValuesInterval, NeverContradictsP) {
  SplitMix64 random(3, 0);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<Unit> units =
        DrawUnits(random, 5 + random.Below(40), static_cast<double>(trial % 7) / 30 - 0.1);
    if (trial % 3 == 0) {  // verdicts, whose means of subsets have many ties
      for (Unit& unit : units) unit.sum = std::round(2 * unit.sum / unit.count) * unit.count;
    }
    for (const double alpha : {0.01, 0.05}) {
      const SignFlipResult test = SignFlipTest(units);
      const Interval interval = TypicalValuesInterval(units, alpha, test);
      if (test.p >= alpha) {
        EXPECT_LE(interval.low, 0);
        EXPECT_GE(interval.high, 0);
      } else {
        EXPECT_TRUE(test.difference < 0 ? interval.high < 0 : interval.low > 0);
      }
      EXPECT_LE(interval.low, test.difference);
      EXPECT_GE(interval.high, test.difference);
    }
  }
}

TEST(TypicalValuesInterval, DependsNeitherOnTheOrderOfUnitsNorOnWhichRunIsFirst) {
  SplitMix64 random(4, 0);
  for (const std::size_t size : {1, 9, 13, 40, 4096}) {
    std::vector<Unit> units = DrawUnits(random, size, 0.02);
    const Interval interval = IntervalOf(units, 0.05);
    std::ranges::reverse(units);
    EXPECT_EQ(IntervalOf(units, 0.05).low, interval.low);
    EXPECT_EQ(IntervalOf(units, 0.05).high, interval.high);
    for (Unit& unit : units) unit.sum = -unit.sum;
    const Interval mirrored = IntervalOf(units, 0.05);
    // Sorted the other way round, other units share a word.
    const double tolerance = size <= 13 ? 1e-15 : 0.05 * (interval.high - interval.low);
    EXPECT_NEAR(mirrored.low, -interval.high, tolerance);
    EXPECT_NEAR(mirrored.high, -interval.low, tolerance);
  }
}

TEST(TypicalValuesInterval, OfTooFewUnitsIsEverything) {
  for (std::size_t size = 0; size <= 5; ++size) {
    const Interval interval = IntervalOf(std::vector<Unit>(size, Unit{-1, 1}), 0.05);
    EXPECT_EQ(interval.low, -1);
    EXPECT_EQ(interval.high, 1);
  }
}

TEST(TypicalValuesInterval, OfManyUnitsIsThatOfBlocks) {
  SplitMix64 random(5, 0);
  const std::vector<Unit> units = DrawUnits(random, 10000, 0.001);
  const SignFlipResult test = SignFlipTest(units);
  const Interval interval = TypicalValuesInterval(units, 0.05, test);
  const Interval of_blocks = TypicalValuesInterval(BlocksOf(units), 0.05, test);
  EXPECT_EQ(interval.low, of_blocks.low);
  EXPECT_EQ(interval.high, of_blocks.high);
  // 10,000 units, weighted 1 to 3, with a standard deviation of 0.1443 each: 1.96 errors are 0.0031.
  EXPECT_NEAR(interval.high - interval.low, 2 * 0.0031, 0.0004);
}

}  // namespace
}  // namespace leafscore::internal
