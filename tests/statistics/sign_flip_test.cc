#include "engine/statistics/sign_flip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

// Looks at every choice of signs.
double AllFlips(const std::vector<double>& differences) {
  double seen = 0;
  for (const double d : differences) seen += d;
  double as_far = 0;
  for (std::uint64_t signs = 0; signs < std::uint64_t{1} << differences.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += (signs >> i & 1) == 1 ? differences[i] : -differences[i];
    }
    as_far += std::abs(sum) >= std::abs(seen) - 1e-9;
  }
  return as_far / std::ldexp(1, static_cast<int>(differences.size()));
}

// The heights of Darwin's 15 pairs of maize plants, in eighths of an inch. Fisher, who looked at all 32,768
// choices, found 863 with a sum of at least 314 (The Design of Experiments, section 21); as many have -314 at
// most. scipy 1.17, stats.permutation_test with permutation_type="samples", says 0.05267333984375 as well.
TEST(SignFlipTest, FindsWhatFisherFound) {
  const std::vector<double> darwin = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  EXPECT_EQ(SignFlipTest(darwin), 2.0 * 863 / 32768);
}

TEST(SignFlipTest, OfFewDifferencesLooksAtAllSigns) {
  SplitMix64 random(1, 1);
  for (std::size_t count = 1; count <= 16; ++count) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < count; ++i) {
      // Tenths, whose sums depend on the order in which they are added.
      differences.push_back(static_cast<double>(random.Below(20) + 1) / 10 - 0.75);
    }
    EXPECT_EQ(SignFlipTest(differences), AllFlips(differences)) << count;
  }
}

TEST(SignFlipTest, EqualScoresTellNothing) {
  EXPECT_EQ(SignFlipTest({}), 1);
  EXPECT_EQ(SignFlipTest(std::vector<double>(1000, 0)), 1);
  // Five wins and no loss are 2 of 32 choices: 0.0625, however many records are equal. Six are 2 of 64.
  std::vector<double> wins(5, 1);
  wins.resize(1000);
  EXPECT_EQ(SignFlipTest(wins), 0.0625);
  wins[999] = 1;
  EXPECT_EQ(SignFlipTest(wins), 0.03125);
}

// Differences of -1 and 1 alone follow the binomial distribution. scipy 1.17: 2 * stats.binom.sf(25, 40, 0.5)
// = 0.0806905, of 26 wins in 40; 0.0165890 for 28. Four standard errors of 9,999 choices are 0.011 and
// 0.0052.
TEST(SignFlipTest, OfManyDifferencesLooksAtRandomSigns) {
  const auto test = [](std::size_t wins, double win = 1) {
    std::vector<double> differences(40, -win);
    for (std::size_t i = 0; i < wins; ++i) differences[i] = win;
    return SignFlipTest(differences);
  };
  EXPECT_NEAR(test(26), 0.0806905, 0.011);
  EXPECT_NEAR(test(28), 0.0165890, 0.0052);
  EXPECT_EQ(test(28, -1), test(28));  // either model may come first
  EXPECT_EQ(test(40), 0.0001);        // no random choice is as far: 1 of 10,000
  EXPECT_EQ(test(20), 1);
}

// Two models that are one: at most one test in twenty may tell them apart; of 400 that is 20, and three
// standard errors more are 33. Their scores are 0 nine times in ten, else anything.
TEST(SignFlipTest, SeldomTellsAModelFromItself) {
  int told = 0;
  for (std::uint64_t trial = 0; trial < 400; ++trial) {
    SplitMix64 random(7, trial);
    const auto score = [&] {
      return random.Below(10) == 0 ? static_cast<double>(random.Below(101)) / 100 : 0.0;
    };
    std::vector<double> differences;
    for (int id = 0; id < 50; ++id) {
      const double first = score();
      differences.push_back(first - score());
    }
    told += SignFlipTest(differences) <= 0.05;
  }
  EXPECT_LE(told, 33);
  EXPECT_GE(told, 5);  // the test does tell
}

}  // namespace
}  // namespace leafscore::internal
