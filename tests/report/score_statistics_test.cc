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

#include "engine/statistics/worst_case.h"
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

// All figures, which must not differ in a bit.
std::vector<std::optional<double>> FiguresOf(const ScoreStatistics& statistics) {
  std::vector<std::optional<double>> figures = {statistics.Coverage()};
  for (const Over over : {Over::kAll, Over::kScored}) {
    figures.insert(figures.end(), {statistics.Mean(over), statistics.StandardError(over),
                                   statistics.Min(over), statistics.PassRate(over)});
    for (const unsigned percent : {1u, 5u, 50u, 95u, 100u}) {
      figures.push_back(statistics.PercentileNearestRank(over, percent));
    }
  }
  return figures;
}

// Adds one of many records, of every kind: scored, without a score, and repeated.
void AddSome(std::uint64_t i, bool repeats, ScoreStatistics& statistics) {
  const double score = static_cast<double>(i * 2654435761u % 1000003) / 1000003;
  if (i % 11 == 0) {
    statistics.AddUnscored(i % 2 == 0 ? Outcome::kError : Outcome::kUnreadable);
  } else if (repeats && i % 7 == 0) {
    const std::vector<RecordScore> answers = {
        {.score = score, .passed = 1}, {.outcome = Outcome::kError}, {.score = 0.3, .passed = 0}};
    statistics.AddRepeated(answers);
  } else {
    statistics.AddScored(score, score > 0.5);
  }
}

TEST(ScoreStatistics, PartsInAnyOrderGiveTheSameBits) {
  for (const bool repeats : {false, true}) {
    ScoreStatistics whole;
    std::vector<ScoreStatistics> parts(7);
    for (std::uint64_t i = 0; i < 3000; ++i) {
      AddSome(i, repeats, whole);
      // Some parts are empty or small, and only some have ids whose answers are scored in part.
      AddSome(i, repeats, parts[i % 3 == 0 ? 0 : i % 7 == 0 ? 3 : i < 1000 ? 4 : 5]);
    }
    std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5, 6};
    do {
      ScoreStatistics sum;
      for (const std::size_t part : order) sum += parts[part];
      ASSERT_EQ(FiguresOf(sum), FiguresOf(whole));
      ASSERT_EQ(sum.counts(), whole.counts());
      ASSERT_EQ(sum.Passed(), whole.Passed());
    } while (std::ranges::next_permutation(order).found);
  }
}

// Their squares take more than 128 bits.
TEST(ScoreStatistics, PartsOfManyHighScores) {
  ScoreStatistics part;
  for (int i = 0; i < 4; ++i) part.AddScored(1, std::nullopt);
  part.AddScored(0, std::nullopt);
  ScoreStatistics sum;
  for (int i = 0; i < 10; ++i) sum += part;
  EXPECT_EQ(sum.Mean(Over::kAll), 0.8);
  EXPECT_DOUBLE_EQ(*sum.StandardError(Over::kAll), std::sqrt(8 / 49.0 / 50));
}

TEST(ScoreStatistics, NothingAdded) {
  const ScoreStatistics statistics;
  EXPECT_EQ(statistics.counts().asked(), 0u);
  EXPECT_EQ(statistics.Mean(Over::kScored), std::nullopt);
  EXPECT_EQ(statistics.Mean(Over::kAll), std::nullopt);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kAll, 50), std::nullopt);
  EXPECT_EQ(statistics.Coverage(), std::nullopt);
  EXPECT_EQ(statistics.StandardError(Over::kScored), std::nullopt);
  EXPECT_EQ(statistics.Min(Over::kScored), std::nullopt);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 50), std::nullopt);
  EXPECT_EQ(statistics.PassRate(Over::kScored), std::nullopt);
}

TEST(ScoreStatistics, OneRecord) {
  const ScoreStatistics statistics = Accumulate({0.7});
  EXPECT_EQ(statistics.Mean(Over::kScored), 0.7);
  EXPECT_EQ(statistics.StandardError(Over::kScored), std::nullopt);
  EXPECT_EQ(statistics.Min(Over::kScored), 0.7);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 1), 0.7);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 100), 0.7);
}

TEST(ScoreStatistics, TwoRecords) {
  const ScoreStatistics statistics = Accumulate({1.0, 0.5});
  EXPECT_EQ(statistics.Mean(Over::kScored), 0.75);
  EXPECT_EQ(statistics.StandardError(Over::kScored), 0.25);
  EXPECT_EQ(statistics.Min(Over::kScored), 0.5);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 50), 0.5);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 51), 1.0);
}

TEST(ScoreStatistics, OutcomesAndBothMeans) {
  ScoreStatistics statistics;
  statistics.AddUnscored(Outcome::kUnreadable);
  statistics.AddUnscored(Outcome::kUnanswered);
  EXPECT_EQ(statistics.Mean(Over::kScored), std::nullopt);
  EXPECT_EQ(statistics.Mean(Over::kAll), 0.0);
  EXPECT_EQ(statistics.Min(Over::kAll), 0.0);
  EXPECT_EQ(statistics.Coverage(), 0.0);
  statistics.AddScored(0.5, std::nullopt);
  statistics.AddScored(1.0, std::nullopt);
  statistics.AddUnscored(Outcome::kError);
  statistics.AddScored(1.0, std::nullopt);
  EXPECT_EQ(statistics.counts(), (OutcomeCounts{.scored = 3, .unreadable = 1, .unanswered = 1, .errors = 1}));
  EXPECT_EQ(statistics.counts().asked(), 6u);
  EXPECT_EQ(statistics.Mean(Over::kScored), 2.5 / 3);
  EXPECT_EQ(statistics.Mean(Over::kAll), 2.5 / 6);
  EXPECT_EQ(statistics.Coverage(), 0.5);
}

TEST(ScoreStatistics, PassRateOnlyWithVerdicts) {
  ScoreStatistics statistics;
  statistics.AddScored(0.9, std::nullopt);
  EXPECT_EQ(statistics.PassRate(Over::kAll), std::nullopt);
  statistics.AddScored(0.1, false);
  EXPECT_EQ(statistics.PassRate(Over::kScored), 0.0);
  statistics.AddScored(0.9, true);
  statistics.AddScored(0.9, true);
  for (int i = 0; i < 4; ++i) statistics.AddUnscored(Outcome::kUnanswered);
  EXPECT_EQ(statistics.PassRate(Over::kScored), 0.5);
  EXPECT_EQ(statistics.PassRate(Over::kAll), 0.25);
}

// Answers to one id count one by one, and figures take them as one record.
TEST(ScoreStatistics, RepeatedAnswersAreOneRecordWithTheirMean) {
  const auto scored = [](double score, bool passed) {
    return RecordScore{.score = score, .passed = static_cast<std::int8_t>(passed)};
  };
  const RecordScore missing{.outcome = Outcome::kUnreadable, .reason = RejectReason::kInvalidActualJson};
  ScoreStatistics statistics;
  statistics.AddScored(1, true);
  statistics.AddRepeated(std::vector{scored(1, true), scored(0.5, false)});
  EXPECT_EQ(statistics.Mean(Over::kAll), 0.875);  // of 1 and 0.75
  EXPECT_EQ(statistics.Mean(Over::kScored), 0.875);
  EXPECT_EQ(statistics.PassRate(Over::kAll), 0.75);
  statistics.AddRepeated(std::vector{missing, scored(1, true), missing, missing});
  EXPECT_EQ(statistics.Mean(Over::kAll), 2.0 / 3);  // of 1, 0.75 and 0.25
  EXPECT_EQ(statistics.Mean(Over::kScored), 2.75 / 3);
  EXPECT_EQ(statistics.PassRate(Over::kAll), 1.75 / 3);
  EXPECT_EQ(statistics.PassRate(Over::kScored), 2.5 / 3);
  statistics.AddRepeated(std::vector{missing, missing});
  statistics.AddUnscored(Outcome::kUnanswered);
  statistics.AddScored(1, false);
  EXPECT_EQ(statistics.Mean(Over::kAll), 3.0 / 6);
  EXPECT_EQ(statistics.Mean(Over::kScored), 3.75 / 4);
  EXPECT_EQ(statistics.Min(Over::kAll), 0);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kAll, 50), 0.25);
  EXPECT_EQ(statistics.counts(), (OutcomeCounts{.scored = 5, .unreadable = 5, .unanswered = 1}));
  EXPECT_EQ(statistics.Passed(), 3u);
  EXPECT_EQ(statistics.Coverage(), 3.25 / 6);  // not 5 of 11: many answers to one id cover no other
}

// Figures over all are those of the scores with a zero for each record that has none.
TEST(ScoreStatistics, WhatHasNoScoreIsAZeroOverAll) {
  std::mt19937_64 random(7);
  for (const std::size_t missing : {0u, 1u, 5u, 50u, 949u, 100'000u}) {
    std::vector<double> scores;
    ScoreStatistics statistics;
    for (int i = 0; i < 1000; ++i) {
      scores.push_back(static_cast<double>(random() % 1025) / 1024);
      statistics.AddScored(scores.back(), std::nullopt);
    }
    for (std::size_t i = 0; i < missing; ++i) {
      statistics.AddUnscored(i % 2 == 0 ? Outcome::kUnanswered : Outcome::kError);
      scores.push_back(0);
    }
    SCOPED_TRACE(missing);
    EXPECT_NEAR(*statistics.Mean(Over::kAll), static_cast<double>(OracleMean(scores)), 1.2e-16);
    const auto standard_error = static_cast<double>(OracleStandardError(scores));
    EXPECT_NEAR(*statistics.StandardError(Over::kAll), standard_error,
                standard_error * 1e-14);  // which the oracle rounds
    EXPECT_EQ(*statistics.Min(Over::kAll), *std::min_element(scores.begin(), scores.end()));
    for (const unsigned percent : {1u, 5u, 50u, 95u, 99u, 100u}) {
      EXPECT_EQ(*statistics.PercentileNearestRank(Over::kAll, percent), OraclePercentile(scores, percent));
    }
  }
}

TEST(ScoreStatistics, RejectsScoresOutsideTheUnitInterval) {
  ScoreStatistics statistics;
  for (const double score : {-0x1p-1074, std::nextafter(1.0, 2.0), std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(statistics.AddScored(score, std::nullopt), Error) << score;
  }
  EXPECT_EQ(statistics.counts().asked(), 0u);
}

// A gate at exactly the common score must not fail by a rounding error.
TEST(ScoreStatistics, EqualScoresHaveExactlyTheirMean) {
  for (const double score : {0.1, 0.7, 0.9, 1.0 / 3, 1.0}) {
    for (const std::size_t count : {1u, 3u, 10u, 1'000u, 99'999u}) {
      const ScoreStatistics statistics = Accumulate(std::vector<double>(count, score));
      EXPECT_EQ(statistics.Mean(Over::kScored), score) << count;
      if (count > 1) {
        EXPECT_EQ(statistics.StandardError(Over::kScored), 0.0) << count;
      }
    }
  }
}

// Shards and threads bring records in other orders.
TEST(ScoreStatistics, FiguresDoNotDependOnTheOrder) {
  std::mt19937_64 random(11);
  std::vector<double> scores(1'000);
  for (double& score : scores) score = static_cast<double>(random() >> 11) * 0x1p-53;
  const ScoreStatistics forward = Accumulate(scores);
  std::ranges::reverse(scores);
  const ScoreStatistics backward = Accumulate(scores);
  std::ranges::sort(scores);
  const ScoreStatistics sorted = Accumulate(scores);
  for (const ScoreStatistics& other : {backward, sorted}) {
    EXPECT_EQ(forward.Mean(Over::kAll), other.Mean(Over::kAll));
    EXPECT_EQ(forward.StandardError(Over::kAll), other.StandardError(Over::kAll));
  }
}

// Scores that differ in their last bit, near 1, of which a running variance keeps nothing.
TEST(ScoreStatistics, CloseScoresHaveTheirStandardError) {
  const double below = std::nextafter(1.0, 0.0);
  for (const std::size_t pairs : {1u, 2u, 1'000u}) {
    std::vector<double> scores(pairs, 1.0);
    scores.resize(2 * pairs, below);
    const double n = 2 * static_cast<double>(pairs);
    const double expected = 0x1p-54 / std::sqrt(n - 1);
    EXPECT_NEAR(*Accumulate(scores).StandardError(Over::kScored), expected, expected * 1e-15) << pairs;
  }
}

TEST(ScoreStatistics, TinyScoresDoNotDisturb) {
  const ScoreStatistics statistics = Accumulate({0x1p-1074, 0x1p-62, 0.0});
  EXPECT_NEAR(*statistics.Mean(Over::kScored), 0x1p-62 / 3, 0x1p-62);
  EXPECT_EQ(statistics.Min(Over::kScored), 0.0);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 1), 0.0);
  EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, 100), 0x1p-62);
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
      EXPECT_NEAR(*statistics.Mean(Over::kScored), static_cast<double>(OracleMean(scores)), 1.2e-16);
      const auto standard_error = static_cast<double>(OracleStandardError(scores));
      EXPECT_NEAR(*statistics.StandardError(Over::kScored), standard_error,
                  standard_error * 1e-14);  // which the oracle rounds
      EXPECT_EQ(*statistics.Min(Over::kScored), *std::min_element(scores.begin(), scores.end()));
      for (const unsigned percent : {1u, 5u, 50u, 95u, 99u, 100u}) {
        const double exact = OraclePercentile(scores, percent);
        const double reported = *statistics.PercentileNearestRank(Over::kScored, percent);
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
  EXPECT_EQ(Accumulate({low, high, next}).PercentileNearestRank(Over::kScored, 1), high);
  EXPECT_EQ(Accumulate({low, next}).PercentileNearestRank(Over::kScored, 1), low);
  // 0 and 1 share a bin with nothing, so they are exact in the finest company.
  const double above_0 = 0x1p-1074, below_1 = std::nextafter(1.0, 0.0);
  EXPECT_EQ(Accumulate({0.0, above_0}).PercentileNearestRank(Over::kScored, 50), 0.0);
  EXPECT_EQ(Accumulate({below_1, 1.0}).PercentileNearestRank(Over::kScored, 50), below_1);
}

TEST(ScoreStatistics, EveryBinHoldsItsScore) {
  std::vector<double> scores(4097);
  for (int step = 0; step <= 4096; ++step) scores[step] = step / 4096.0;
  const ScoreStatistics statistics = Accumulate(scores);
  for (unsigned percent = 1; percent <= 100; ++percent) {
    EXPECT_EQ(statistics.PercentileNearestRank(Over::kScored, percent), OraclePercentile(scores, percent))
        << percent;
  }
}

// Of scores that are spread, bins know the largest only; the mean that the interval is around is exact.
TEST(ScoreStatistics, TheIntervalOfTheMeanIsThatOfTheScores) {
  std::mt19937 random(3);
  ScoreStatistics statistics;
  std::vector<CountedScore> scores = {{0, 7}};
  for (int i = 0; i < 3000; ++i) {
    const double score = static_cast<double>(random() % 1'000'000) / 2e6 + 0.5;
    statistics.AddScored(score, std::nullopt);
    scores.push_back({score, 1});
  }
  for (int i = 0; i < 7; ++i) statistics.AddUnscored(Outcome::kUnanswered);
  const Interval want = MeanScoreInterval(scores, 0.95);
  const Interval interval =
      statistics.MeanInterval(Over::kAll, static_cast<double>(statistics.records())).value();
  EXPECT_NEAR(interval.low, want.low, 1e-5);
  EXPECT_NEAR(interval.high, want.high, 1e-5);
  EXPECT_LT(interval.low, statistics.Mean(Over::kAll).value());
  EXPECT_GT(interval.high, statistics.Mean(Over::kAll).value());
  EXPECT_EQ(ScoreStatistics().MeanInterval(Over::kAll, 0).has_value(), false);
}

}  // namespace
}  // namespace leafscore::internal
