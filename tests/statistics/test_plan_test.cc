#include "engine/statistics/test_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/paired_tests.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

TEST(VerdictPower, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("power");
  EXPECT_EQ(vectors.size(), 3u);
  for (const rapidjson::Document& vector : vectors) {
    EXPECT_NEAR(VerdictPower(vector["records"].GetUint64(), vector["churn"].GetDouble(),
                             vector["drop"].GetDouble(), vector["alpha"].GetDouble()),
                vector["want"]["power"].GetDouble(), vector["want"]["tolerance"].GetDouble())
        << vector["id"].GetString();
  }
}

// All numbers of rises and falls, one by one.
TEST(VerdictPower, IsTheSumOverAllRisesAndFalls) {
  const auto chance = [](int count, int of, double share) {
    if (share == 0 || share == 1) return count == (share == 0 ? 0 : of) ? 1.0 : 0.0;
    return std::exp(std::lgamma(of + 1) - std::lgamma(count + 1) - std::lgamma(of - count + 1) +
                    count * std::log(share) + (of - count) * std::log1p(-share));
  };
  for (const int records : {4, 6, 30, 90}) {
    for (const double churn : {0.1, 0.5, 1.0}) {
      for (const double drop : {0.0, 0.05, 0.1}) {
        for (const double alpha : {0.05, 0.0025}) {
          double power = 0;
          for (int turned = 1; turned <= records; ++turned) {
            for (int falls = turned / 2 + 1; falls <= turned; ++falls) {
              if (McNemarTest(static_cast<std::uint64_t>(turned - falls),
                              static_cast<std::uint64_t>(falls)) >= alpha) {
                continue;
              }
              power += chance(turned, records, churn) * chance(falls, turned, (churn + drop) / 2 / churn);
            }
          }
          EXPECT_NEAR(VerdictPower(static_cast<std::uint64_t>(records), churn, drop, alpha), power, 1e-9)
              << records << ' ' << churn << ' ' << drop << ' ' << alpha;
        }
      }
    }
  }
}

// Terms are left out where there are many: 160,000 records take steps of several. If all verdicts change,
// there is only one term.
TEST(VerdictPower, OfManyRecordsIsThatOfTheNormalDistribution) {
  for (const double churn : {0.5, 1.0}) {
    for (const double drop : {0.0, 0.002, 0.004}) {
      const double records = 1.6e5;
      const double sd = std::sqrt((churn - drop * drop) / records);
      const boost::math::normal normal;
      const double critical = quantile(complement(normal, 0.025)) * std::sqrt(churn / records);
      EXPECT_NEAR(VerdictPower(160'000, churn, drop, 0.05), cdf(normal, (drop - critical) / sd), 2e-3)
          << churn << ' ' << drop;
    }
  }
}

// Of five units no sign-flip test gives a p below 0.05, and of nine none below a twentieth of it.
TEST(ScorePower, IsNoneWhereTheExactTestCannotTell) {
  for (const ScoreDrop kind : {ScoreDrop::kAllALittle, ScoreDrop::kSomeBreak}) {
    EXPECT_EQ(ScorePower(5, 0.01, 0.05, 0.05, kind), 0);
    EXPECT_EQ(ScorePower(9, 0.01, 0.05, 0.0025, kind), 0);
  }
  EXPECT_GT(ScorePower(6, 0.01, 0.05, 0.05, ScoreDrop::kAllALittle), 0.99);
  EXPECT_GT(ScorePower(10, 0.01, 0.05, 0.0025, ScoreDrop::kAllALittle), 0.99);
}

TEST(RecordsForPower, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("plan");
  EXPECT_EQ(vectors.size(), 4u);
  for (const rapidjson::Document& vector : vectors) {
    const double drop = vector["drop"].GetDouble();
    const double alpha = vector["alpha"].GetDouble();
    const auto power = [&](std::uint64_t records) {
      return vector.HasMember("churn")
                 ? VerdictPower(records, vector["churn"].GetDouble(), drop, alpha)
                 : ScorePower(records, vector["sd"].GetDouble(), drop, alpha, ScoreDrop::kAllALittle);
    };
    EXPECT_EQ(RecordsForPower(power, vector["power"].GetDouble()), vector["want"]["records"].GetUint64())
        << vector["id"].GetString();
  }
}

TEST(RecordsForPower, HasLessPowerWithOneRecordFewer) {
  for (const double drop : {0.02, 0.05, 0.3, 1.0}) {
    for (const ScoreDrop kind : {ScoreDrop::kAllALittle, ScoreDrop::kSomeBreak}) {
      const auto power = [&](std::uint64_t records) { return ScorePower(records, 0.2, drop, 0.05, kind); };
      const std::uint64_t records = RecordsForPower(power, 0.8).value();
      EXPECT_GE(power(records), 0.8) << drop;
      if (records > 3) {
        EXPECT_LT(power(records - 1), 0.8) << drop;
      }
    }
  }
  EXPECT_EQ(RecordsForPower([](std::uint64_t) { return 0.1; }, 0.8), std::nullopt);
}

TEST(ScorePower, OfBrokenAnswersCountsTheirSpread) {
  EXPECT_EQ(ScorePower(300, 0, 0.05, 0.05, ScoreDrop::kAllALittle), 1);
  EXPECT_EQ(ScorePower(300, 0, 0, 0.05, ScoreDrop::kAllALittle), 0);
  EXPECT_EQ(ScorePower(300, 1e-9, 0.05, 0.05, ScoreDrop::kAllALittle), 1);
  EXPECT_NEAR(ScorePower(300, 0.1, 0, 0.05, ScoreDrop::kSomeBreak), 0.05, 1e-9);
  const double sd = std::sqrt(0.1 * 0.1 + 0.05 * 0.95);
  EXPECT_EQ(ScorePower(300, 0.1, 0.05, 0.05, ScoreDrop::kSomeBreak),
            ScorePower(300, sd, 0.05, 0.05, ScoreDrop::kAllALittle));
}

TEST(DropForPower, IsTheDropWithThatPower) {
  for (const std::uint64_t records : {100u, 1000u}) {
    const auto scores = [&](double drop) {
      return ScorePower(records, 0.3, drop, 0.05, ScoreDrop::kAllALittle);
    };
    EXPECT_NEAR(scores(DropForPower(scores, 0.8, 1).value()), 0.8, 1e-3);
    const auto verdicts = [&](double drop) { return VerdictPower(records, 0.2, drop, 0.05); };
    EXPECT_NEAR(verdicts(DropForPower(verdicts, 0.8, 0.2).value()), 0.8, 1e-3);
  }
  // Five records cannot be significant, whatever they do.
  EXPECT_EQ(DropForPower([](double drop) { return VerdictPower(5, 0.5, drop, 0.05); }, 0.8, 0.5),
            std::nullopt);
}

TEST(ConditionalPower, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("conditional_power");
  EXPECT_EQ(vectors.size(), 2u);
  for (const rapidjson::Document& vector : vectors) {
    const Interim interim = {vector["p"].GetDouble(), vector["difference"].GetDouble(),
                             vector["sd"].GetDouble(), vector["units"].GetUint64()};
    EXPECT_NEAR(ConditionalPowerOf(interim, vector["in_all"].GetUint64(), vector["drift"].GetDouble(),
                                   vector["alpha"].GetDouble()),
                vector["want"]["power"].GetDouble(), vector["want"]["tolerance"].GetDouble())
        << vector["id"].GetString();
  }
}

// Draws what comes after 100 units with p = 0.1: the sum of 300 more, normal with their drift.
TEST(ConditionalPower, IsTheShareOfContinuationsThatAreSignificant) {
  SplitMix64 random(1, 0);
  const auto normal = [&] {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>(random.Next() >> 11) * 0x1p-53;
    return sum;
  };
  const double z = 1.6448536269514722;  // p = 0.1, two-sided
  const Interim interim = {0.1, -z * 0.2 / 10, 0.2, 100};
  int significant = 0;
  constexpr int kDraws = 20000;
  for (int draw = 0; draw < kDraws; ++draw) {
    const double sum = 100 * interim.difference + 300 * -0.01 + 0.2 * std::sqrt(300) * normal();
    significant += std::abs(sum) / (0.2 * 20) >= 1.959963984540054;
  }
  EXPECT_NEAR(ConditionalPowerOf(interim, 400, -0.01, 0.05), static_cast<double>(significant) / kDraws,
              4 * std::sqrt(0.25 / kDraws));
}

}  // namespace
}  // namespace leafscore::internal
