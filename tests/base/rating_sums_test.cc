// Agreement from sums, against the one from all ratings, which has tests of its own.
#include "engine/base/rating_sums.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "engine/base/random.h"
#include "engine/statistics/krippendorff_alpha.h"

namespace leafscore::internal {
namespace {

RatingSums SumsOf(std::span<const double> ratings, std::size_t raters) {
  RatingSums sums;
  for (std::size_t begin = 0; begin < ratings.size(); begin += raters)
    sums.Add(ratings.subspan(begin, raters));
  return sums;
}

TEST(RatingSums, GiveTheAlphaOfAllRatings) {
  SplitMix64 random(7, 0);
  for (const std::size_t raters : {2, 3, 5}) {
    std::vector<double> ratings;
    for (std::size_t i = 0; i < 300 * raters; ++i) {
      const double quality = static_cast<double>(i / raters % 50) / 100;
      ratings.push_back(quality + static_cast<double>(random.Below(50)) / 100);
    }
    const RatingSums sums = SumsOf(ratings, raters);
    EXPECT_EQ(sums.items(), 300u);
    EXPECT_NEAR(*sums.Alpha(), *KrippendorffAlpha(ratings, raters), 1e-12);
  }
}

TEST(RatingSums, DependOnNoOrderAndAdd) {
  const std::vector<double> ratings = {0.1, 0.3, 1.0 / 3, 0.9, 0.7, 0.7, 1, 0.123456, 0, 0.05};
  const double alpha = *SumsOf(ratings, 2).Alpha();
  const std::vector<double> turned(ratings.rbegin(), ratings.rend());
  EXPECT_EQ(SumsOf(turned, 2).Alpha(), alpha);
  RatingSums parts = SumsOf(std::span(ratings).first(4), 2);
  parts += {};
  parts += SumsOf(std::span(ratings).subspan(4), 2);
  EXPECT_EQ(parts.Alpha(), alpha);
  EXPECT_EQ(parts.items(), 5u);
}

TEST(RatingSums, HaveNoAlphaWhereAllIsEqual) {
  EXPECT_EQ(RatingSums().Alpha(), std::nullopt);
  const std::vector<double> equal(40, 0.9);
  EXPECT_EQ(SumsOf(equal, 4).Alpha(), std::nullopt);
  const std::vector<double> perfect = {0.1, 0.1, 0.9, 0.9};
  EXPECT_EQ(SumsOf(perfect, 2).Alpha(), 1);
}

TEST(RatingSums, ComeBackFromBytes) {
  const std::vector<double> ratings = {0.1, 0.3, 0.2, 0.9};
  std::string bytes;
  PackedWriter out(bytes);
  SumsOf(ratings, 2).Pack(out);
  PackedReader in(bytes);
  const RatingSums back = RatingSums::Unpack(in);
  EXPECT_TRUE(in.done());
  EXPECT_EQ(back.items(), 2u);
  EXPECT_EQ(back.Alpha(), SumsOf(ratings, 2).Alpha());
}

}  // namespace
}  // namespace leafscore::internal
