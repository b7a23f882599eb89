#include "engine/statistics/bradley_terry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

void Play(Matches& matches, std::size_t model, std::size_t other, std::uint64_t wins, std::uint64_t losses,
          std::uint64_t ties = 0) {
  matches.Add(model, other, {.wins = wins, .losses = losses, .ties = ties});
}

// The figures are those of tests/statistics/bradley_terry_reference.py.
TEST(BradleyTerry, IsWhatAnotherOptimiserFinds) {
  Matches matches(5);
  Play(matches, 0, 1, 30, 14);
  Play(matches, 0, 2, 12, 3, 1);
  Play(matches, 0, 4, 7, 2);
  Play(matches, 1, 2, 20, 8);
  Play(matches, 1, 3, 9, 4);
  Play(matches, 2, 3, 11, 6, 1);
  Play(matches, 2, 4, 16, 5);
  Play(matches, 3, 4, 9, 10);
  const BradleyTerry fit(matches);
  ASSERT_EQ(fit.groups(), 1u);
  const double strengths[] = {1.156418, 0.487955, -0.11778, -0.705603, -0.82099};
  const double errors[] = {0.2555, 0.2148, 0.1904, 0.2535, 0.2676};
  for (std::size_t model = 0; model < 5; ++model) {
    EXPECT_NEAR(fit.strength(model), strengths[model], 2e-6) << model;
    EXPECT_NEAR(fit.StandardError(model), errors[model], 1e-4) << model;
  }
  EXPECT_NEAR(fit.Difference(0, 1)->low, -0.129, 1e-4);
  EXPECT_NEAR(fit.Difference(0, 1)->high, 1.4659, 1e-4);
  EXPECT_NEAR(fit.Difference(3, 0)->low, -3.1085, 1e-4);
  EXPECT_NEAR(fit.Difference(3, 0)->high, -0.6156, 1e-4);
}

// Of two models, the strength is the logarithm of the odds, and its variance 1/wins + 1/losses.
TEST(BradleyTerry, OfTwoModelsIsTheLogarithmOfTheOdds) {
  Matches matches(2);
  Play(matches, 1, 0, 30, 10, 0);
  const BradleyTerry fit(matches);
  EXPECT_NEAR(fit.strength(1) - fit.strength(0), std::log(3), 1e-12);
  EXPECT_NEAR(fit.strength(1) + fit.strength(0), 0, 1e-12);
  const double reach = 1.959963984540054 * std::sqrt(1. / 30 + 1. / 10);
  EXPECT_NEAR(fit.Difference(1, 0)->low, std::log(3) - reach, 1e-9);
  const std::vector<Interval> ranks = fit.RankIntervals();
  EXPECT_EQ(ranks[1].high, 1);
  EXPECT_EQ(ranks[0].low, 2);
}

TEST(BradleyTerry, CountsATieAsHalfAWinForEach) {
  Matches ties(2);
  Play(ties, 0, 1, 20, 10, 10);
  Matches halves(2);
  Play(halves, 0, 1, 25, 15);
  EXPECT_EQ(BradleyTerry(ties).strength(0), BradleyTerry(halves).strength(0));
}

// Who wins all has no strength that is a number; whether it is surely better is another question.
TEST(BradleyTerry, EstimatesNothingBetweenModelsThatDoNotWinAgainstEachOther) {
  Matches matches(4);
  Play(matches, 0, 1, 12, 0);
  Play(matches, 1, 2, 30, 20);
  Play(matches, 2, 3, 3, 0);
  const BradleyTerry fit(matches);
  ASSERT_EQ(fit.groups(), 3u);
  EXPECT_EQ(fit.group(0), 0u);
  EXPECT_EQ(fit.group(1), 1u);
  EXPECT_EQ(fit.group(2), 1u);
  EXPECT_EQ(fit.group(3), 2u);
  EXPECT_FALSE(fit.Difference(0, 1).has_value());
  EXPECT_FALSE(fit.Difference(3, 2).has_value());
  EXPECT_NEAR(fit.strength(1) - fit.strength(2), std::log(1.5), 1e-12);  // as if these were alone
  EXPECT_EQ(fit.strength(0), 0);
  EXPECT_EQ(fit.StandardError(0), 0);
  const std::vector<Interval> ranks = fit.RankIntervals();
  // 2^-12 is less than 0.05 / 12, 2^-3 is not.
  EXPECT_EQ(ranks[0].low, 1);
  EXPECT_EQ(ranks[0].high, 3);
  EXPECT_EQ(ranks[1].low, 2);
  EXPECT_EQ(ranks[1].high, 4);
  EXPECT_EQ(ranks[3].low, 1);
  EXPECT_EQ(ranks[3].high, 4);
}

TEST(BradleyTerry, HasNoDifferenceWithoutMatches) {
  Matches matches(4);
  Play(matches, 0, 1, 5, 5);
  Play(matches, 2, 3, 9, 3);
  const BradleyTerry fit(matches);
  EXPECT_EQ(fit.groups(), 2u);
  EXPECT_FALSE(fit.Difference(0, 2).has_value());
  for (const Interval& rank : fit.RankIntervals()) {
    EXPECT_EQ(rank.low, 1);
    EXPECT_EQ(rank.high, 4);
  }
}

TEST(BradleyTerry, FitsManyModelsThatAreFarApart) {
  constexpr std::size_t kModels = 40;
  Matches matches(kModels);
  for (std::size_t model = 0; model + 1 < kModels; ++model) Play(matches, model, model + 1, 1'000'000, 1);
  const BradleyTerry fit(matches);
  ASSERT_EQ(fit.groups(), 1u);
  for (std::size_t model = 0; model + 1 < kModels; ++model)
    EXPECT_NEAR(fit.strength(model) - fit.strength(model + 1), std::log(1e6), 1e-6);
  EXPECT_EQ(fit.RankIntervals()[0].high, 1);
}

// All differences lie in their intervals, and all ranks in theirs, in at least 95% of runs. With 2,000 runs,
// 94% is two standard errors less. Ties that are as likely for any two models draw strengths together, so
// that only the ranks remain true.
TEST(BradleyTerry, HoldsWhatItsIntervalsPromise) {
  constexpr int kRuns = 2000;
  constexpr std::size_t kModels = 5;
  constexpr double kStrengths[kModels] = {0.9, 0.5, 0.4, 0, -0.6};
  constexpr double kTies = 0.15;
  SplitMix64 random(2026, 0);
  const auto uniform = [&] { return static_cast<double>(random.Next() >> 11) * 0x1p-53; };
  for (const bool star : {true, false}) {  // all against the last, or all against all
    for (const double ties : {0.0, kTies}) {
      int held = 0;
      int ranked = 0;
      for (int run = 0; run < kRuns; ++run) {
        Matches matches(kModels);
        for (std::size_t i = 0; i < kModels; ++i) {
          for (std::size_t j = star ? kModels - 1 : i + 1; j < kModels && j != i; ++j) {
            VersusFigures counts;
            for (int match = 0; match < 60; ++match) {
              const bool is_tie = uniform() < ties;
              const bool wins = uniform() < 1 / (1 + std::exp(kStrengths[j] - kStrengths[i]));
              ++(is_tie ? counts.ties : wins ? counts.wins : counts.losses);
            }
            matches.Add(i, j, counts);
          }
        }
        const BradleyTerry fit(matches);
        bool all = true;
        for (std::size_t i = 0; i < kModels; ++i) {
          for (std::size_t j = i + 1; j < kModels; ++j) {
            const std::optional<Interval> difference = fit.Difference(i, j);
            const double truth = kStrengths[i] - kStrengths[j];
            all &= !difference || (difference->low <= truth && truth <= difference->high);
          }
        }
        held += all;
        bool all_ranks = true;
        const std::vector<Interval> ranks = fit.RankIntervals();
        for (std::size_t i = 0; i < kModels; ++i) {
          const auto rank = static_cast<double>(i + 1);
          all_ranks &= ranks[i].low <= rank && rank <= ranks[i].high;
        }
        ranked += all_ranks;
      }
      EXPECT_GE(ranked, kRuns * 94 / 100) << star << ties;
      if (ties == 0) {
        EXPECT_GE(held, kRuns * 94 / 100) << star;
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal
