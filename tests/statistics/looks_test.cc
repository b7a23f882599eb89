#include "engine/statistics/looks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

TEST(SpentAlpha, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("spending");
  EXPECT_EQ(vectors.size(), 2u);
  for (const rapidjson::Document& vector : vectors) {
    const rapidjson::Value& want = vector["want"];
    const double tolerance = want["tolerance"].GetDouble();
    const std::vector<double> shares = NumbersOf(vector["shares"]);
    double before = 0;
    for (std::size_t look = 0; look < shares.size(); ++look) {
      const double spent = SpentAlpha(shares[look], vector["alpha"].GetDouble());
      EXPECT_NEAR(spent, NumbersOf(want["spent"])[look], tolerance);
      EXPECT_NEAR(spent - before, NumbersOf(want["levels"])[look], tolerance);
      before = spent;
    }
  }
}

TEST(SpentAlpha, IsAllOfAlphaFromTheEndOn) {
  for (const double alpha : {0.01, 0.05}) {
    EXPECT_NEAR(SpentAlpha(1, alpha), alpha, 1e-12);
    EXPECT_EQ(SpentAlpha(1.5, alpha), SpentAlpha(1, alpha));
    EXPECT_LT(SpentAlpha(0.01, alpha), 1e-20);
  }
}

TEST(AnytimeP, GivesThePublishedVectors) {
  for (const rapidjson::Document& vector : VerdictVectors("compare")) {
    const double want = vector["want"]["anytime_p"].GetDouble();
    EXPECT_NEAR(AnytimeP(UnitsOfVector(vector)), want,
                want * vector["want"]["anytime_p_relative_tolerance"].GetDouble())
        << vector["id"].GetString();
  }
}

TEST(AnytimeP, IsTheMeanOfProducts) {
  const std::vector<double> differences = {0.5, -0.25, 0.75, 0, 0.5};
  double e = 0;
  for (int j = -4; j <= 14; ++j) {
    for (const double sign : {-1.0, 1.0}) {
      double product = 1;
      for (const double d : differences) {
        const double theta = sign * std::pow(2, j / 2.0);
        product *= std::exp(theta * d) / std::cosh(theta * d);
      }
      e += product / 38;
    }
  }
  std::vector<Unit> units;
  for (const double d : differences) units.push_back({2 * d, 2});
  EXPECT_NEAR(AnytimeP(units), std::min(1.0, 1 / e), 1e-12);
  EXPECT_EQ(AnytimeP({}), 1);
}

// Looked at after each record, one run in twenty of a model that did not change may ever fall below 0.05; of
// 400 that is 20, and three standard errors more are 33.
TEST(AnytimeP, HoldsAtEveryLook) {
  int alarms = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SplitMix64 random(trial, 0);
    std::vector<Unit> units;
    bool alarm = false;
    for (int record = 0; record < 150 && !alarm; ++record) {
      const double turned = random.Below(10) < 3 ? 1 : 0;
      units.push_back({random.Below(2) == 0 ? turned : -turned, 1});
      if (record % 3 == 0) alarm = AnytimeP(units) <= 0.05;
    }
    alarms += alarm;
  }
  EXPECT_LE(alarms, 33);
  EXPECT_GE(alarms, 1);
}

TEST(LeastAnytimeP, IsThatOfUnitsThatAllFellFrom1To0) {
  for (const std::size_t units : {0u, 1u, 5u, 10u, 300u}) {
    const std::vector<Unit> fallen(units, Unit{-1, 1});
    EXPECT_NEAR(LeastAnytimeP(units), AnytimeP(fallen), 1e-12 * AnytimeP(fallen)) << units;
    if (units == 0) continue;
    std::vector<Unit> less = fallen;
    less.front().sum = -0.5;
    EXPECT_GE(AnytimeP(less), LeastAnytimeP(units)) << units;
  }
  EXPECT_LT(LeastAnytimeP(300), 1e-80);
}

TEST(AnytimeP, DependsNeitherOnTheOrderOfUnitsNorOnWhichRunIsFirst) {
  SplitMix64 random(1, 1);
  std::vector<Unit> units;
  for (int i = 0; i < 300; ++i) units.push_back({(static_cast<double>(random.Below(201)) - 110) / 70, 1});
  const double p = AnytimeP(units);
  EXPECT_LT(p, 1);
  std::ranges::reverse(units);
  EXPECT_EQ(AnytimeP(units), p);
  for (Unit& unit : units) unit.sum = -unit.sum;
  EXPECT_NEAR(AnytimeP(units), p, 1e-12 * p);
}

}  // namespace
}  // namespace leafscore::internal
