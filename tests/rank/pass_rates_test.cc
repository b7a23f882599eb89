#include "engine/rank/pass_rates.h"

#include <gtest/gtest.h>

#include <bit>

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

}  // namespace
}  // namespace leafscore::internal
