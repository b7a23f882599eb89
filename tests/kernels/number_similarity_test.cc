#include "kernels/number_similarity.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace leafscore::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Similarities(const std::vector<double>& expected, const std::vector<double>& actual,
                                 double tolerance) {
  std::vector<double> similarity(expected.size(), -1);
  NumberSimilarityBatch(expected, actual, tolerance, similarity);
  return similarity;
}

// The rule as its header states it, one pair at a time and with branches.
double Reference(double expected, double actual, double tolerance) {
  if (std::abs(expected) <= 1e-12) return std::abs(actual) <= 1e-12 ? 1.0 : 0.0;
  const double difference = std::abs(expected - actual) / std::abs(expected);
  if (std::isnan(difference)) return 0;
  if (difference <= tolerance) return 1;
  return difference < 1 ? 1.0 - difference : 0.0;
}

TEST(NumberSimilarity, KnowsTheRules) {
  EXPECT_EQ(Similarities({}, {}, 0), std::vector<double>{});
  EXPECT_EQ(Similarities({4, 4, 4, -4, 4, 4}, {3, 5, 8, -3, -1, 4}, 0),
            (std::vector<double>{0.75, 0.75, 0, 0.75, 0, 1}));
  EXPECT_EQ(Similarities({4, 4, 4, -4, 4}, {3, 5, 2.9, -5, 5.1}, 0.25),  // a tolerance includes its end
            (std::vector<double>{1, 1, 1 - std::abs(4 - 2.9) / 4, 1, 1 - std::abs(4 - 5.1) / 4}));
  EXPECT_EQ(
      Similarities({0, 0, 1e-12, 1e-12, -1e-12, 0, 1.1e-12}, {0, 1, 0, -1e-12, 2e-12, 1e-12, 1.1e-12}, 0.5),
      (std::vector<double>{1, 0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(Similarities({kInfinity, 1, kInfinity, kNan, 1, 0, 0},
                         {1, kInfinity, kInfinity, 1, kNan, kNan, kInfinity}, 9),
            (std::vector<double>{0, 0, 0, 0, 0, 0, 0}));
}

TEST(NumberSimilarity, HasTheBitsOfTheRulesForColumnsOfEverySize) {
  std::mt19937_64 random(1);
  const auto number = [&]() -> double {
    switch (random() % 4) {
      case 0:
        return static_cast<double>(random() % 20) - 10;
      case 1:
        return static_cast<double>(random() % 100'000) / 100;
      case 2:
        return static_cast<double>(random() % 5) * 0.5e-12;
      default:
        return std::bit_cast<double>(static_cast<std::uint64_t>(random()));  // now and then no number
    }
  };
  for (std::size_t size = 0; size < 300; ++size) {
    std::vector<double> expected(size), actual(size), wanted(size);
    const double tolerance = static_cast<double>(random() % 4) / 16;
    for (std::size_t i = 0; i < size; ++i) {
      expected[i] = number();
      actual[i] = random() % 4 == 0 ? expected[i] * 1.03125 : number();
      wanted[i] = Reference(expected[i], actual[i], tolerance);
    }
    ASSERT_EQ(Similarities(expected, actual, tolerance), wanted);
  }
}

}  // namespace
}  // namespace leafscore::internal
