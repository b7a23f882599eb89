// Percentiles of latencies, against all of them sorted.
#include "engine/judge/latencies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

using std::chrono::microseconds;

TEST(LatenciesTest, AreNearTheExactPercentiles) {
  EXPECT_EQ(Latencies().Percentile(0.5), std::nullopt);
  SplitMix64 random(5, 1);
  for (const std::size_t count : {1u, 2u, 10u, 1000u}) {
    Latencies latencies;
    std::vector<double> all;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = static_cast<std::int64_t>(random.Below(1ull << (1 + random.Below(31))));
      latencies.Add(microseconds(value));
      all.push_back(static_cast<double>(value) * 1e-6);
    }
    std::ranges::sort(all);
    for (const double share : {0.01, 0.5, 0.95, 1.0}) {
      const double exact = all[static_cast<std::size_t>(std::ceil(share * static_cast<double>(count))) - 1];
      EXPECT_LE(*latencies.Percentile(share), exact);
      EXPECT_GE(*latencies.Percentile(share), exact * 31 / 32);
    }
  }
}

TEST(LatenciesTest, TakeWhateverAClockSays) {
  Latencies latencies;
  latencies.Add(microseconds(-5));
  latencies.Add(microseconds(std::numeric_limits<std::int64_t>::max()));
  EXPECT_EQ(latencies.Percentile(0.5), 0);
  EXPECT_GT(*latencies.Percentile(1), 8e12);
}

}  // namespace
}  // namespace leafscore::internal
