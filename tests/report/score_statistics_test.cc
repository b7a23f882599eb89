// Statistics against a slow exact oracle: all scores kept, sorted, two passes in long double.
#include "engine/report/score_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

long double OracleMean(const std::vector<double>& scores) {
  long double sum = 0;
  for (const double score : scores) sum += score;
  return sum / static_cast<long double>(scores.size());
}

long double OracleStandardError(const std::vector<double>& scores) {
  const long double mean = OracleMean(scores);
  long double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  const auto n = static_cast<long double>(scores.size());
  return std::sqrt(squares / (n - 1) / n);
}

// The smallest score that at least percent % of the scores do not exceed.
double OraclePercentile(std::vector<double> scores, unsigned percent) {
  std::sort(scores.begin(), scores.end());
  std::size_t rank = 1;
  while (rank * 100 < scores.size() * percent) ++rank;
  return scores[rank - 1];
}

ScoreStatistics Accumulate(const std::vector<double>& scores) {
  ScoreStatistics statistics;
  for (const double score : scores) statistics.AddScored(score, std::nullopt);
  return statistics;
}

TEST(ScoreStatisticsOracle, KnownAnswers) {
  const std::vector<double> scores = {0.5, 0.25, 1.0, 0.25};
  EXPECT_EQ(OracleMean(scores), 0.5L);
  EXPECT_NEAR(static_cast<double>(OracleStandardError(scores)), std::sqrt(0.375 / 3 / 4), 1e-15);
  EXPECT_EQ(OraclePercentile(scores, 5), 0.25);
  EXPECT_EQ(OraclePercentile(scores, 50), 0.25);
  EXPECT_EQ(OraclePercentile(scores, 51), 0.5);
  EXPECT_EQ(OraclePercentile(scores, 100), 1.0);
}

TEST(ScoreStatistics, NothingAdded) {
  const ScoreStatistics statistics;
  EXPECT_EQ(statistics.counts().records(), 0u);
  EXPECT_EQ(statistics.Mean(), std::nullopt);
  EXPECT_EQ(statistics.MeanUnreadableAsZero(), std::nullopt);
  EXPECT_EQ(statistics.StandardError(), std::nullopt);
  EXPECT_EQ(statistics.Min(), std::nullopt);
  EXPECT_EQ(statistics.PercentileNearestRank(50), std::nullopt);
  EXPECT_EQ(statistics.PassRate(), std::nullopt);
}

TEST(ScoreStatistics, OneRecord) {
  const ScoreStatistics statistics = Accumulate({0.7});
  EXPECT_EQ(statistics.Mean(), 0.7);
  EXPECT_EQ(statistics.StandardError(), std::nullopt);
  EXPECT_EQ(statistics.Min(), 0.7);
  EXPECT_EQ(statistics.PercentileNearestRank(1), 0.7);
  EXPECT_EQ(statistics.PercentileNearestRank(100), 0.7);
}

TEST(ScoreStatistics, TwoRecords) {
  const ScoreStatistics statistics = Accumulate({1.0, 0.5});
  EXPECT_EQ(statistics.Mean(), 0.75);
  EXPECT_EQ(statistics.StandardError(), 0.25);
  EXPECT_EQ(statistics.Min(), 0.5);
  EXPECT_EQ(statistics.PercentileNearestRank(50), 0.5);
  EXPECT_EQ(statistics.PercentileNearestRank(51), 1.0);
}

TEST(ScoreStatistics, OutcomesAndBothMeans) {
  ScoreStatistics statistics;
  statistics.AddUnreadable();
  statistics.AddError();
  EXPECT_EQ(statistics.Mean(), std::nullopt);
  EXPECT_EQ(statistics.MeanUnreadableAsZero(), 0.0);
  statistics.AddScored(0.5, std::nullopt);
  statistics.AddScored(1.0, std::nullopt);
  EXPECT_EQ(statistics.counts(), (OutcomeCounts{.scored = 2, .unreadable = 1, .errors = 1}));
  EXPECT_EQ(statistics.counts().records(), 4u);
  EXPECT_EQ(statistics.Mean(), 0.75);
  EXPECT_EQ(statistics.MeanUnreadableAsZero(), 0.5);
}

TEST(ScoreStatistics, PassRateOnlyWithVerdicts) {
  ScoreStatistics statistics;
  statistics.AddScored(0.9, std::nullopt);
  EXPECT_EQ(statistics.PassRate(), std::nullopt);
  statistics.AddScored(0.1, false);
  EXPECT_EQ(statistics.PassRate(), 0.0);
  statistics.AddScored(0.9, true);
  statistics.AddScored(0.9, true);
  statistics.AddError();
  EXPECT_EQ(statistics.PassRate(), 0.5);
}

TEST(ScoreStatistics, RejectsScoresOutsideTheUnitInterval) {
  ScoreStatistics statistics;
  for (const double score : {-0x1p-1074, std::nextafter(1.0, 2.0), std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(statistics.AddScored(score, std::nullopt), Error) << score;
  }
  EXPECT_EQ(statistics.counts().records(), 0u);
}

// A gate at exactly the common score must not fail by a rounding error.
TEST(ScoreStatistics, EqualScoresHaveExactlyTheirMean) {
  for (const double score : {0.1, 0.7, 0.9, 1.0 / 3, 1.0}) {
    for (const std::size_t count : {1u, 3u, 10u, 1'000u, 99'999u}) {
      const ScoreStatistics statistics = Accumulate(std::vector<double>(count, score));
      EXPECT_EQ(statistics.Mean(), score) << count;
      if (count > 1) {
        EXPECT_EQ(statistics.StandardError(), 0.0) << count;
      }
    }
  }
}

TEST(ScoreStatistics, TinyScoresDoNotDisturb) {
  const ScoreStatistics statistics = Accumulate({0x1p-1074, 0x1p-62, 0.0});
  EXPECT_NEAR(*statistics.Mean(), 0x1p-62 / 3, 0x1p-62);
  EXPECT_EQ(statistics.Min(), 0.0);
  EXPECT_EQ(statistics.PercentileNearestRank(1), 0.0);
  EXPECT_EQ(statistics.PercentileNearestRank(100), 0x1p-62);
}

TEST(ScoreStatistics, AgreesWithTheOracle) {
  std::mt19937_64 random(20240501);
  for (const std::size_t count : {2u, 3u, 19u, 20u, 21u, 100u, 101u, 5'000u, 100'000u}) {
    // 1 to 3: few distinct scores, scores near 1, any scores.
    for (const int shape : {1, 2, 3}) {
      std::vector<double> scores(count);
      for (double& score : scores) {
        const double uniform = static_cast<double>(random() >> 11) * 0x1p-53;
        score = shape == 1   ? std::floor(uniform * 5) / 4
                : shape == 2 ? 1 - uniform * uniform * 1e-3
                             : uniform;
      }
      const ScoreStatistics statistics = Accumulate(scores);
      SCOPED_TRACE(std::to_string(count) + " scores, shape " + std::to_string(shape));
      EXPECT_NEAR(*statistics.Mean(), static_cast<double>(OracleMean(scores)), 1.2e-16);
      const auto standard_error = static_cast<double>(OracleStandardError(scores));
      EXPECT_NEAR(*statistics.StandardError(), standard_error, standard_error * 1e-9);
      EXPECT_EQ(*statistics.Min(), *std::min_element(scores.begin(), scores.end()));
      for (const unsigned percent : {1u, 5u, 50u, 95u, 99u, 100u}) {
        const double exact = OraclePercentile(scores, percent);
        const double reported = *statistics.PercentileNearestRank(percent);
        if (shape == 1) {
          EXPECT_EQ(reported, exact) << percent;
        }
        EXPECT_GE(reported, exact) << percent;
        EXPECT_LT(reported, exact + 1.0 / 4096) << percent;
        EXPECT_NE(std::find(scores.begin(), scores.end(), reported), scores.end()) << percent;
      }
    }
  }
}

TEST(ScoreStatistics, PercentileIsTheLargestOfItsBin) {
  const double low = 0.5, high = 0.5 + 0.9 / 4096, next = 0.5 + 1.0 / 4096;
  EXPECT_EQ(Accumulate({low, high, next}).PercentileNearestRank(1), high);
  EXPECT_EQ(Accumulate({low, next}).PercentileNearestRank(1), low);
  // 0 and 1 share a bin with nothing, so they are exact in the finest company.
  const double above_0 = 0x1p-1074, below_1 = std::nextafter(1.0, 0.0);
  EXPECT_EQ(Accumulate({0.0, above_0}).PercentileNearestRank(50), 0.0);
  EXPECT_EQ(Accumulate({below_1, 1.0}).PercentileNearestRank(50), below_1);
}

TEST(ScoreStatistics, EveryBinHoldsItsScore) {
  std::vector<double> scores(4097);
  for (int step = 0; step <= 4096; ++step) scores[step] = step / 4096.0;
  const ScoreStatistics statistics = Accumulate(scores);
  for (unsigned percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(statistics.PercentileNearestRank(percent), OraclePercentile(scores, percent)) << percent;
  }
}

}  // namespace
}  // namespace leafscore::internal
