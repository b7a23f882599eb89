// Krippendorff's alpha: his own example, what the package krippendorff of PyPI computes, and the definition.
#include "engine/statistics/krippendorff_alpha.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// The mean squared difference of all pairs of ratings of one item, over that of all pairs of ratings.
double ByDefinition(const std::vector<double>& ratings, std::size_t raters) {
  std::vector<double> pairable;
  double within = 0;
  for (std::size_t begin = 0; begin < ratings.size(); begin += raters) {
    std::vector<double> item;
    for (std::size_t r = begin; r < begin + raters; ++r) {
      if (!std::isnan(ratings[r])) item.push_back(ratings[r]);
    }
    if (item.size() < 2) continue;
    pairable.insert(pairable.end(), item.begin(), item.end());
    for (const double one : item) {
      for (const double other : item)
        within += std::pow(one - other, 2) / static_cast<double>(item.size() - 1);
    }
  }
  double between = 0;
  for (const double one : pairable) {
    for (const double other : pairable) between += std::pow(one - other, 2);
  }
  const auto count = static_cast<double>(pairable.size());
  return 1 - (within / count) / (between / (count * (count - 1)));
}

// Computing Krippendorff's Alpha-Reliability (2011), C: 0.849 for interval data; krippendorff 0.9.0 of PyPI
// has 0.8491071428571428.
TEST(KrippendorffAlpha, IsThatOfItsAuthorsExample) {
  const std::vector<double> ratings = {
      1, 1, 1, kNone, 2, 2, 3, 2, 3, 3, 3, 3, 3, 3, 3, 3,     2, 2, 2,     2,     1, 2,     3,     4,
      4, 4, 4, 4,     1, 1, 2, 1, 2, 2, 2, 2, 5, 5, 5, kNone, 1, 1, kNone, kNone, 3, kNone, kNone, kNone};
  EXPECT_NEAR(*KrippendorffAlpha(ratings, 4), 0.8491071428571428, 1e-12);
}

TEST(KrippendorffAlpha, IsWhatItsDefinitionSays) {
  SplitMix64 random(3, 9);
  for (int round = 0; round < 50; ++round) {
    const std::size_t raters = 2 + random.Below(4);
    std::vector<double> ratings;
    for (std::size_t i = 0; i < raters * 20; ++i) {
      ratings.push_back(random.Below(5) == 0 ? kNone : static_cast<double>(random.Below(101)) / 100);
    }
    EXPECT_NEAR(*KrippendorffAlpha(ratings, raters), ByDefinition(ratings, raters), 1e-12);
  }
}

TEST(KrippendorffAlpha, IsExactFarFromZero) {
  const std::vector<double> near_zero = {0, 0.1, 0.5, 0.4, 1, 0.9};
  std::vector<double> far = near_zero;
  for (double& rating : far) rating += 1e7;
  EXPECT_NEAR(*KrippendorffAlpha(far, 2), *KrippendorffAlpha(near_zero, 2), 1e-6);
}

TEST(KrippendorffAlpha, NeedsRatingsThatCanDiffer) {
  EXPECT_EQ(KrippendorffAlpha({}, 2), std::nullopt);
  EXPECT_EQ(KrippendorffAlpha(std::vector<double>{1, kNone, kNone, 2}, 2), std::nullopt);
  EXPECT_EQ(KrippendorffAlpha(std::vector<double>{1, 1, 1, 1}, 2), std::nullopt);
  EXPECT_EQ(KrippendorffAlpha(std::vector<double>{1, 1, 2, 2}, 2), 1);
}

}  // namespace
}  // namespace leafscore::internal
