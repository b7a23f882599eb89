#include "engine/statistics/pass_rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "statistics/verdict_vectors.h"

namespace leafscore::internal {
namespace {

// With z = 1.959964 and z^2 = 3.841459, for 8 of 10: centre 0.8 + 3.841459 / 20 = 0.992073, reach
// z * sqrt(0.8 * 0.2 / 10 + 3.841459 / 400) = 0.313682, both over 1.3841459.
// scipy 1.17, stats.binomtest(8, 10).proportion_ci(method="wilson"): 0.4901624715, 0.9433178485.
TEST(WilsonInterval, IsAsByHand) {
  EXPECT_NEAR(WilsonInterval(0.8, 10).low, 0.4901624715, 1e-10);
  EXPECT_NEAR(WilsonInterval(0.8, 10).high, 0.9433178485, 1e-10);
  // None of 10: from 0 to z^2 / 10 / (1 + z^2 / 10).
  for (int n = 1; n <= 100; ++n) {
    EXPECT_EQ(WilsonInterval(0, n).low, 0) << n;
    EXPECT_EQ(WilsonInterval(1, n).high, 1) << n;
  }
  EXPECT_NEAR(WilsonInterval(0, 10).high, 0.277533, 1e-6);
  EXPECT_NEAR(WilsonInterval(1, 10).low, 0.722467, 1e-6);
}

// Of 5 samples 2 passed. None of 2 passes in C(3, 2) = 3 of C(5, 2) = 10 draws, both in C(2, 2) = 1.
TEST(PassRates, OfFiveSamples) {
  EXPECT_DOUBLE_EQ(PassAtK(5, 2, 1), 0.4);
  EXPECT_DOUBLE_EQ(PassHatK(5, 2, 1), 0.4);
  EXPECT_DOUBLE_EQ(PassAtK(5, 2, 2), 0.7);
  EXPECT_DOUBLE_EQ(PassHatK(5, 2, 2), 0.1);
  EXPECT_EQ(PassAtK(5, 2, 4), 1);  // some of 4 passed, as only 3 did not
  EXPECT_EQ(PassHatK(5, 2, 3), 0);
  EXPECT_EQ(PassHatK(5, 5, 5), 1);
  EXPECT_EQ(PassAtK(5, 0, 5), 0);
}

// Looks at every draw of k from n samples, of which the first c passed.
TEST(PassRates, AreTheSharesOfAllDraws) {
  for (unsigned n = 1; n <= 8; ++n) {
    for (unsigned c = 0; c <= n; ++c) {
      for (unsigned k = 1; k <= n; ++k) {
        double draws = 0;
        double with_pass = 0;
        double all_pass = 0;
        const unsigned passed = (1u << c) - 1;
        for (unsigned draw = 0; draw < 1u << n; ++draw) {
          if (std::popcount(draw) != static_cast<int>(k)) continue;
          ++draws;
          with_pass += (draw & passed) != 0;
          all_pass += (draw & ~passed) == 0;
        }
        EXPECT_NEAR(PassAtK(n, c, k), with_pass / draws, 1e-15) << n << ' ' << c << ' ' << k;
        EXPECT_NEAR(PassHatK(n, c, k), all_pass / draws, 1e-15) << n << ' ' << c << ' ' << k;
      }
    }
  }
}

TEST(PassRates, OfManySamples) {
  // C(1000000, 500) is far beyond a double. 0.999 = 1 - 1 / 1000 of the draws of 1000 lack the one that
  // passed.
  EXPECT_NEAR(PassAtK(1000000, 1, 1000), 0.001, 1e-12);
  EXPECT_NEAR(PassHatK(1000000, 999999, 1000), 0.999, 1e-12);
}

Askings AskingsOf(const rapidjson::Value& passed_and_lines) {
  return {passed_and_lines[0].GetUint64(), passed_and_lines[1].GetUint64()};
}

TEST(TestOfWorse, GivesThePublishedVectors) {
  const std::vector<rapidjson::Document> vectors = VerdictVectors("repeats");
  EXPECT_EQ(vectors.size(), 3u);
  for (const rapidjson::Document& vector : vectors) {
    SCOPED_TRACE(vector["id"].GetString());
    const rapidjson::Value& want = vector["want"];
    const double tolerance = want["tolerance"].GetDouble();
    const Askings base = AskingsOf(vector["base"]);
    const Askings now = AskingsOf(vector["now"]);
    EXPECT_NEAR(TestOfWorse(base, now).p, want["p_worse"].GetDouble(), tolerance);
    EXPECT_NEAR(TestOfWorse(base, now).least_p, want["least_p"].GetDouble(), tolerance);
    EXPECT_NEAR(FlakeRate(base).value(), want["flake_base"].GetDouble(), tolerance);
    EXPECT_NEAR(FlakeRate(now).value(), want["flake_now"].GetDouble(), tolerance);
  }
}

// Looks at every choice of the lines that are of the later run.
TEST(TestOfWorse, IsTheShareOfAllOrders) {
  for (unsigned base_lines = 1; base_lines <= 5; ++base_lines) {
    for (unsigned now_lines = 1; now_lines <= 5; ++now_lines) {
      for (unsigned passed = 0; passed <= base_lines + now_lines; ++passed) {
        std::vector<double> orders(now_lines + 1);  // by how many of the later run passed
        double all = 0;
        for (unsigned now = 0; now < 1u << (base_lines + now_lines); ++now) {
          if (std::popcount(now) != static_cast<int>(now_lines)) continue;
          ++orders[static_cast<std::size_t>(std::popcount(now & ((1u << passed) - 1)))];
          ++all;
        }
        double up_to = 0;
        double least = 0;
        for (unsigned now_passed = 0; now_passed <= std::min(now_lines, passed); ++now_passed) {
          if (passed - now_passed > base_lines) continue;
          up_to += orders[now_passed];
          if (least == 0) least = up_to / all;
          const WorseTest test = TestOfWorse({passed - now_passed, base_lines}, {now_passed, now_lines});
          EXPECT_NEAR(test.p, up_to / all, 1e-12);
          EXPECT_NEAR(test.least_p, least, 1e-12);
        }
      }
    }
  }
  EXPECT_EQ(TestOfWorse({0, 0}, {1, 3}).p, 1);
  EXPECT_NEAR(TestOfWorse({3, 3}, {0, 3}).p, 0.05, 1e-12);
}

// The share of the pairs of lines that disagree.
TEST(FlakeRate, IsTheShareOfPairsThatDisagree) {
  for (std::uint64_t lines = 2; lines <= 8; ++lines) {
    for (std::uint64_t passed = 0; passed <= lines; ++passed) {
      double disagree = 0;
      double pairs = 0;
      for (std::uint64_t a = 0; a < lines; ++a) {
        for (std::uint64_t b = a + 1; b < lines; ++b) {
          disagree += (a < passed) != (b < passed);
          ++pairs;
        }
      }
      EXPECT_NEAR(FlakeRate({passed, lines}).value(), disagree / pairs, 1e-15);
    }
  }
  EXPECT_EQ(FlakeRate({1, 1}), std::nullopt);
}

// 100 tests with a variance of 0.2 in each of 4 lines of both runs: the noise of the mean is 0.1 / 100.
TEST(AskingNoiseShare, IsTheVarianceOfAskingOverAll) {
  const std::vector<RepeatedScores> tests(100, RepeatedScores{0.2, 4, 0.2, 4});
  EXPECT_NEAR(AskingNoiseShare(tests, std::sqrt(0.002)), 0.5, 1e-12);
  EXPECT_EQ(AskingNoiseShare(tests, 0), 0);
}

}  // namespace
}  // namespace leafscore::internal
