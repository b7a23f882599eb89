#include "engine/statistics/families.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

TEST(HolmAttainableCorrected, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("family");
  EXPECT_EQ(vectors.size(), 8u);
  for (const rapidjson::Document& vector : vectors) {
    SCOPED_TRACE(vector["id"].GetString());
    const rapidjson::Value& want = vector["want"];
    const double tolerance = want["relative_tolerance"].GetDouble();
    const std::vector<double> least_p = NumbersOf(vector["least_p"]);
    const std::vector<double> corrected = HolmAttainableCorrected(NumbersOf(vector["p"]), least_p);
    const std::vector<double> p_corrected = NumbersOf(want["p_corrected"]);
    for (std::size_t i = 0; i < corrected.size(); ++i) {
      EXPECT_NEAR(corrected[i], p_corrected[i], tolerance * p_corrected[i]) << i;
    }
    if (!want.HasMember("least_p_corrected")) continue;
    const std::vector<double> least_corrected = LeastCorrected(least_p);
    const std::vector<double> wanted = NumbersOf(want["least_p_corrected"]);
    for (std::size_t i = 0; i < least_corrected.size(); ++i) {
      EXPECT_NEAR(least_corrected[i], wanted[i], tolerance * wanted[i]) << i;
    }
  }
}

// The definition, in one loop over the tests that remain.
std::vector<double> ByDefinition(const std::vector<double>& p, const std::vector<double>& least_p) {
  std::vector<std::size_t> remaining(p.size());
  for (std::size_t i = 0; i < p.size(); ++i) remaining[i] = i;
  std::ranges::stable_sort(remaining, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> corrected(p.size());
  double before = 0;
  while (!remaining.empty()) {
    const std::size_t next = remaining.front();
    double attainable = 0;
    for (const std::size_t i : remaining) attainable += least_p[i] <= p[next] * (1 + 1e-9);
    before = std::max(before, std::min(1.0, attainable * p[next]));
    corrected[next] = before;
    remaining.erase(remaining.begin());
  }
  return corrected;
}

TEST(HolmAttainableCorrected, IsItsDefinitionAndNeverAboveHolms) {
  SplitMix64 random(1, 0);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<double> p;
    std::vector<double> least_p;
    for (std::uint64_t tests = random.Below(30); tests > 0; --tests) {
      least_p.push_back(std::ldexp(1.0, -static_cast<int>(random.Below(12))));
      // Multiples of the least p, with ties.
      p.push_back(std::min(1.0, least_p.back() * static_cast<double>(1 + random.Below(8))));
    }
    const std::vector<double> corrected = HolmAttainableCorrected(p, least_p);
    EXPECT_EQ(corrected, ByDefinition(p, least_p));
    const std::vector<double> holm = HolmCorrected(p);
    EXPECT_EQ(HolmAttainableCorrected(p, std::vector<double>(p.size(), 0x1p-60)), holm);
    for (std::size_t i = 0; i < p.size(); ++i) {
      EXPECT_LE(corrected[i], holm[i]);
      EXPECT_GE(corrected[i], p[i]);
    }
  }
}

TEST(CouldFail, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("powerless");
  EXPECT_EQ(vectors.size(), 3u);
  for (const rapidjson::Document& vector : vectors) {
    EXPECT_EQ(CouldFail(vector["records_each"].GetUint64(), vector["groups"].GetUint64(),
                        vector["alpha"].GetDouble()),
              vector["want"]["could_fail"].GetBool())
        << vector["id"].GetString();
  }
}

TEST(CouldFail, NeedsAtLeastTheUnitsThatArePublished) {
  EXPECT_EQ(LeastUnitsToFail(1, 0.05), 6u);
  EXPECT_EQ(LeastUnitsToFail(20, 0.05), 10u);
  EXPECT_EQ(LeastUnitsToFail(50, 0.05), 11u);
  for (const std::uint64_t tests : {1u, 2u, 7u, 1000u}) {
    const std::uint64_t least = LeastUnitsToFail(tests, 0.01);
    EXPECT_TRUE(CouldFail(least, tests, 0.01));
    EXPECT_FALSE(CouldFail(least - 1, tests, 0.01));
    EXPECT_TRUE(CouldFail(least + 1, tests, 0.01));
  }
  EXPECT_FALSE(CouldFail(0, 1, 0.05));
}

// By hand: 4 * 0.01, 4 / 2 * 0.03 and 4 / 3 * 0.04; a smaller p is never the less sure.
TEST(BenjaminiHochbergCorrected, IsTheLeastOverTheLargerOnes) {
  const std::vector<double> corrected =
      BenjaminiHochbergCorrected(std::vector<double>{0.01, 0.04, 0.03, 0.5});
  ASSERT_EQ(corrected.size(), 4u);
  EXPECT_NEAR(corrected[0], 0.04, 1e-15);
  EXPECT_NEAR(corrected[1], 0.16 / 3, 1e-15);
  EXPECT_NEAR(corrected[2], 0.16 / 3, 1e-15);
  EXPECT_EQ(corrected[3], 0.5);
}

TEST(CouldFail, OneUnitMayBeEnough) {
  const auto halves = [](std::uint64_t units) { return std::ldexp(1.0, 1 - static_cast<int>(units)); };
  EXPECT_EQ(LeastUnitsToFail(1, 1.5, halves), 1u);
  EXPECT_EQ(LeastUnitsToFail(1, 0.05, halves), 6u);
  EXPECT_EQ(LeastUnitsToFail(2, 0.05, halves), 7u);
}

}  // namespace
}  // namespace leafscore::internal
