#include "engine/statistics/sign_flip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/paired_tests.h"
#include "sanitized.h"
#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

// Looks at every choice of signs. Sums count as equally far from 0 if they are at most `nearer` nearer.
double AllFlips(const std::vector<double>& differences, double nearer = 0) {
  double seen = 0;
  double farthest = 0;
  for (const double d : differences) seen += d;
  for (const double d : differences) farthest += std::abs(d);
  double as_far = 0;
  for (std::uint64_t signs = 0; signs < std::uint64_t{1} << differences.size(); ++signs) {
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i) {
      sum += (signs >> i & 1) == 1 ? differences[i] : -differences[i];
    }
    as_far += std::abs(sum) >= std::abs(seen) - nearer - 1e-12 * farthest;
  }
  return as_far / std::ldexp(1, static_cast<int>(differences.size()));
}

// Returns the share of all choices of signs of whole numbers that is as far from 0, by the recursion of the
// specification, step by step and without any shortcut.
double WholeFlips(std::vector<std::int64_t> differences) {
  std::int64_t seen = 0;
  std::int64_t reach = 0;
  for (std::int64_t& d : differences) {
    seen += d;
    d = std::abs(d);
    reach += d;
  }
  std::ranges::sort(differences);
  if (seen == 0) return 1;
  const std::int64_t most = (reach - std::abs(seen)) / 2;
  std::vector<long double> share(static_cast<std::size_t>(most) + 1);
  share[0] = 1;
  for (const std::int64_t k : differences) {
    for (std::int64_t u = most; u >= 0; --u) {
      const long double below = u < k ? 0 : share[static_cast<std::size_t>(u - k)];
      share[static_cast<std::size_t>(u)] = (share[static_cast<std::size_t>(u)] + below) / 2;
    }
  }
  long double p = 0;
  for (const long double s : share) p += 2 * s;
  return std::min(1.0, static_cast<double>(p));
}

const std::map<SignFlipMethod, std::string> kNames = {
    {SignFlipMethod::kNone, "none"}, {SignFlipMethod::kBinomial, "binomial"},
    {SignFlipMethod::kAll, "all"},   {SignFlipMethod::kLattice, "lattice"},
    {SignFlipMethod::kGrid, "grid"}, {SignFlipMethod::kGridAndNormal, "grid and normal"}};

double TestOf(const std::vector<double>& differences) { return SignFlipTest(differences).p; }

TEST(SignFlipTest, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("compare");
  EXPECT_EQ(vectors.size(), 49u);
  for (const rapidjson::Document& vector : vectors) {
    SCOPED_TRACE(vector["id"].GetString());
    const rapidjson::Value& want = vector["want"];
    const SignFlipResult result = SignFlipTest(UnitsOfVector(vector));
    EXPECT_EQ(kNames.at(result.method), want["method"].GetString());
    EXPECT_NEAR(result.difference, want["difference"].GetDouble(), 1e-12);
    EXPECT_NEAR(result.p, want["p"].GetDouble(),
                want["p"].GetDouble() * want["p_relative_tolerance"].GetDouble());
    EXPECT_EQ(result.least_p, want["least_p"].GetDouble());
  }
}

// The heights of Darwin's 15 pairs of maize plants, in eighths of an inch. Fisher, who looked at all 32,768
// choices, found 863 with a sum of at least 314 (The Design of Experiments, section 21); as many have -314 at
// most. scipy 1.17, stats.permutation_test with permutation_type="samples", says 0.05267333984375 as well.
TEST(SignFlipTest, FindsWhatFisherFound) {
  const std::vector<double> darwin = {49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48};
  EXPECT_EQ(TestOf(darwin), 2.0 * 863 / 32768);
}

TEST(SignFlipTest, OfFewDifferencesLooksAtAllSigns) {
  SplitMix64 random(1, 1);
  for (std::size_t count = 1; count <= 16; ++count) {
    for (int trial = 0; trial < (count <= 12 ? 20 : 1); ++trial) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < count; ++i) {
        // Tenths, whose sums depend on the order in which they are added.
        differences.push_back(static_cast<double>(random.Below(20) + 1) / 10 - 0.75);
      }
      EXPECT_EQ(TestOf(differences), AllFlips(differences)) << count;
    }
  }
}

// One difference is as large as 400 others together, of which one rises: only the 401 choices of their signs
// that are at least as far from 0 count, twice. The variance, which is mostly that of the large one, makes
// them look common.
TEST(SignFlipTest, LeavesOutNothingWhereTheSmallDifferencesDecide) {
  std::vector<double> differences(401, -1);
  differences[0] = 1;
  differences[400] = -400;
  const SignFlipResult result = SignFlipTest(differences);
  EXPECT_EQ(result.method, SignFlipMethod::kLattice);
  EXPECT_EQ(result.p, std::ldexp(401, -400));
}

TEST(SignFlipTest, OnALatticeIsTheRecursion) {
  SplitMix64 random(2, 1);
  for (const std::size_t count : {17, 30, 100, 700}) {
    for (const std::int64_t bias : {0, 1, 4}) {
      std::vector<std::int64_t> whole;
      std::vector<double> differences;
      for (std::size_t i = 0; i < count; ++i) {
        whole.push_back(static_cast<std::int64_t>(random.Below(41)) - 20 - bias);
        differences.push_back(static_cast<double>(whole.back()) / 20);
      }
      const SignFlipResult result = SignFlipTest(differences);
      EXPECT_EQ(result.method, SignFlipMethod::kLattice);
      const double want = std::max(result.least_p, WholeFlips(whole));
      EXPECT_NEAR(result.p, want, 1e-12 * want) << count << ' ' << bias;
    }
  }
}

// Many steps of which some are as large as all others together: choices that seem rare by their variance
// alone are what counts, and nothing may be left out of them.
TEST(SignFlipTest, OnALatticeWithAFewLargeDifferencesIsTheRecursion) {
  for (const std::int64_t large : {100, 1000}) {
    for (const std::size_t rises : {0u, 40u, 150u, 280u, 300u}) {
      std::vector<std::int64_t> whole = {-large, -large - 1, large - 3};
      for (std::size_t i = 0; i < 300; ++i) whole.push_back(i < rises ? 1 : -1);
      const std::vector<double> differences(whole.begin(), whole.end());
      const SignFlipResult result = SignFlipTest(differences);
      EXPECT_EQ(result.method, SignFlipMethod::kLattice);
      const double want = std::max(result.least_p, WholeFlips(whole));
      EXPECT_NEAR(result.p, want, 1e-12 * want) << large << ' ' << rises;
    }
  }
}

// Far less than a normal distribution has in its tails: choices of small steps that seem too rare to matter
// are all that count, because no large step may be chosen.
TEST(SignFlipTest, OnALatticeFarBelowNormalTailsIsTheRecursion) {
  for (const std::size_t rises : {0u, 20u, 40u, 100u}) {
    std::vector<std::int64_t> whole(40, -1000);
    for (std::size_t i = 0; i < 300; ++i) whole.push_back(i < rises ? 1 : -1);
    const std::vector<double> differences(whole.begin(), whole.end());
    const SignFlipResult result = SignFlipTest(differences);
    EXPECT_EQ(result.method, SignFlipMethod::kLattice);
    const double want = std::max(result.least_p, WholeFlips(whole));
    EXPECT_NEAR(result.p, want, 1e-12 * want) << rises;
  }
}

// The grid is on the safe side, by little: against a lattice too fine to be used.
TEST(SignFlipTest, OnTheGridIsNeverTooSmallAndAtMost2PercentTooLarge) {
  SplitMix64 random(3, 1);
  for (const std::size_t count : {20, 60, 300}) {
    for (int trial = 0; trial < 4; ++trial) {
      std::vector<std::int64_t> whole;
      std::vector<double> differences;
      for (std::size_t i = 0; i < count; ++i) {
        whole.push_back(static_cast<std::int64_t>(random.Below(2001)) - 1000 - 50 * trial);
        differences.push_back(static_cast<double>(whole.back()) / 1009);
      }
      const SignFlipResult result = SignFlipTest(differences);
      EXPECT_EQ(result.method, SignFlipMethod::kGrid);
      const double want = WholeFlips(whole);
      EXPECT_GE(result.p, want * (1 - 1e-9));
      EXPECT_LE(result.p, want * 1.02);
    }
  }
}

// Sizes that are points of the grid, whose sum is 2^17 of them. The slack of 20 units is 2 * 3 points.
TEST(SignFlipTest, OnTheGridCountsSumsThatAreSlightlyNearer) {
  for (const std::int64_t away : {2, 6, 8, 10, 1000}) {
    SplitMix64 random(8, 1);
    std::vector<std::int64_t> points;
    std::int64_t sum = 0;
    std::int64_t reach = 0;
    for (int i = 0; i < 18; ++i) {
      const auto size = static_cast<std::int64_t>(4000 + random.Below(2000));
      points.push_back(i % 2 == 0 ? size : -size);
      sum += points.back();
      reach += size;
    }
    points.push_back(((1 << 17) - reach + away - sum) / 2);
    points.push_back(away - sum - points.back());
    ASSERT_LT(points.back(), 0);
    std::vector<double> differences;
    for (const std::int64_t point : points)
      differences.push_back(std::ldexp(static_cast<double>(point), -20));
    const SignFlipResult result = SignFlipTest(differences);
    EXPECT_EQ(result.method, SignFlipMethod::kGrid);
    EXPECT_NEAR(result.p, AllFlips(differences, std::ldexp(6, -20)), 1e-12) << away;
  }
}

TEST(SignFlipTest, EqualScoresTellNothing) {
  EXPECT_EQ(TestOf({}), 1);
  EXPECT_EQ(SignFlipTest(std::vector<double>{}).least_p, 1);
  EXPECT_EQ(TestOf(std::vector<double>(1000, 0)), 1);
  // Five wins and no loss are 2 of 32 choices: 0.0625, however many records are equal. Six are 2 of 64.
  std::vector<double> wins(5, 1);
  wins.resize(1000);
  EXPECT_EQ(TestOf(wins), 0.0625);
  wins[999] = 1;
  EXPECT_EQ(TestOf(wins), 0.03125);
  // Differences that rounding made are none, and as many of them may be as a cluster has records.
  EXPECT_EQ(SignFlipTest(std::vector<double>{1e-12, 0.3, 0.3}).differing(), 2u);
  EXPECT_EQ(SignFlipTest(std::vector<Unit>{{5e-12, 5}, {5e-12, 4}, {0.3, 5}}).differing(), 2u);
}

// scipy 1.17: 2 * stats.binom.sf(25, 40, 0.5) = 0.0806904678, of 26 wins in 40.
TEST(SignFlipTest, OfVerdictsIsMcNemarsTest) {
  const auto verdicts = [](std::size_t wins, std::size_t losses, double size) {
    std::vector<double> differences(wins, size);
    differences.resize(wins + losses, -size);
    differences.resize(wins + losses + 100);
    return TestOf(differences);
  };
  EXPECT_NEAR(verdicts(26, 14, 1), 0.0806904677519924, 1e-12);
  for (const double size : {1.0, 0.3}) {
    for (const std::size_t wins : {0u, 3u, 12u, 40u, 900u, 300000u}) {
      for (const std::size_t losses : {0u, 5u, 50u, 1000u, 299000u}) {
        EXPECT_EQ(verdicts(wins, losses, size),
                  std::max(McNemarTest(wins, losses), LeastSignFlipP(wins + losses)));
      }
    }
  }
}

// Returns differences for each of the ways to count.
std::vector<std::vector<double>> OfAllKinds() {
  SplitMix64 random(4, 1);
  std::vector<std::vector<double>> kinds;
  for (const std::size_t count : {1, 12, 16, 17, 40, 500, 513, 2048, 2049, kSanitized ? 5000 : 30000}) {
    for (const double parts : {1.0, 10.0, 70.0, 1e9}) {
      std::vector<double> differences;
      for (std::size_t i = 0; i < count; ++i) {
        const double u = static_cast<double>(random.Below(2 * static_cast<std::uint64_t>(parts) + 1));
        differences.push_back((u - parts) / parts - (i % 9 == 0 ? 1 / parts : 0));
      }
      kinds.push_back(differences);
    }
  }
  return kinds;
}

TEST(SignFlipTest, DependsNeitherOnTheOrderOfUnitsNorOnWhichRunIsFirst) {
  SplitMix64 random(5, 1);
  for (std::vector<double> differences : OfAllKinds()) {
    const SignFlipResult first = SignFlipTest(differences);
    for (std::size_t i = differences.size(); i > 1; --i) {
      std::swap(differences[i - 1], differences[random.Below(i)]);
    }
    const SignFlipResult shuffled = SignFlipTest(differences);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(shuffled.p), std::bit_cast<std::uint64_t>(first.p));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(shuffled.difference),
              std::bit_cast<std::uint64_t>(first.difference));
    for (double& d : differences) d = -d;
    EXPECT_EQ(SignFlipTest(differences).p, first.p);
  }
}

TEST(SignFlipTest, IsNeverBelowTheLeastP) {
  for (std::vector<double> differences : OfAllKinds()) {
    for (double& d : differences) d = std::abs(d);
    const SignFlipResult result = SignFlipTest(differences);
    EXPECT_GE(result.p, result.least_p);
    if (differences.size() <= 2048 && result.method != SignFlipMethod::kGrid) {
      EXPECT_NEAR(result.p, result.least_p, 1e-9 * result.least_p);
    }
  }
}

TEST(SignFlipTest, DoesNotDependOnTheScaleOfScores) {
  for (std::vector<double> differences : OfAllKinds()) {
    const SignFlipResult result = SignFlipTest(differences);
    for (double& d : differences) d *= 0.25;
    const SignFlipResult scaled = SignFlipTest(differences);
    // A lattice may be too fine once scaled, and then the grid is a little on the safe side.
    EXPECT_NEAR(scaled.p, result.p, (scaled.method == result.method ? 1e-9 : 0.02) * result.p);
    EXPECT_EQ(scaled.least_p, result.least_p);
  }
}

// 5 crashes beside 3,000 small changes; 40,000 random choices of signs had a share of 0.0028, whose standard
// error is 0.00026.
TEST(SignFlipTest, OfManyUnitsTakesTheSmallOnesForNormal) {
  SplitMix64 random(6, 1);
  std::vector<double> differences(5, -0.99);
  double small = 0;
  for (int i = 0; i < 3000; ++i) {
    differences.push_back((static_cast<double>(random.Below(20001)) - 10000) / 1e6);
    small += differences.back();
  }
  const SignFlipResult result = SignFlipTest(differences);
  EXPECT_EQ(result.method, SignFlipMethod::kGridAndNormal);
  double as_far = 0;
  constexpr int kDraws = 4000;
  for (int draw = 0; draw < kDraws; ++draw) {
    double sum = 0;
    for (const double d : differences) sum += (random.Next() & 1) != 0 ? d : -d;
    as_far += std::abs(sum) >= std::abs(small - 5 * 0.99);
  }
  EXPECT_NEAR(result.p, as_far / kDraws, 4 * std::sqrt(result.p / kDraws));
}

// 23,171 units of at least one step each are too much work for a lattice. None is tried then, even if some
// differences are too small for a step.
TEST(SignFlipTest, OfMoreUnitsThanALatticeHasIsOnNone) {
  for (const std::size_t count : {23'170, 23'171}) {
    std::vector<double> differences(count, 1);
    differences[0] = differences[1] = 1e-10;
    EXPECT_EQ(SignFlipTest(differences).method,
              count == 23'170 ? SignFlipMethod::kLattice : SignFlipMethod::kGridAndNormal);
  }
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
    told += SignFlipTest(differences).p <= 0.05;
  }
  EXPECT_LE(told, 33);
  EXPECT_GE(told, 5);  // the test does tell
}

}  // namespace
}  // namespace leafscore::internal
