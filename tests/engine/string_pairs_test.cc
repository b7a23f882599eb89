#include "engine/string_pairs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace leafscore {
namespace {

TEST(CountCodePoints, Literals) {
  EXPECT_EQ(CountCodePoints(""), 0u);
  EXPECT_EQ(CountCodePoints("abc"), 3u);
  EXPECT_EQ(CountCodePoints("aé€😀"), 4u);
  EXPECT_EQ(CountCodePoints("e\xcc\x81"), 2u);
}

TEST(StringPairs, DistancesAndSimilarities) {
  StringPairs pairs;
  EXPECT_EQ(pairs.size(), 0u);
  pairs.ComputeDistances();  // of nothing
  EXPECT_EQ(pairs.Append("kitten", "sitting"), 0u);
  EXPECT_EQ(pairs.Append("", ""), 1u);
  EXPECT_EQ(pairs.Append("é", "€"), 2u);
  EXPECT_EQ(pairs.Append("", "東京"), 3u);
  EXPECT_EQ(pairs.Append("Größe", "Grösse"), 4u);
  pairs.ComputeDistances();
  EXPECT_EQ(pairs.size(), 5u);
  const std::uint32_t distances[] = {3, 0, 1, 2, 2};
  const std::uint32_t lengths[] = {7, 0, 1, 2, 6};
  for (std::uint32_t i = 0; i < 5; ++i) {
    EXPECT_EQ(pairs.distance(i), distances[i]) << i;
    EXPECT_EQ(pairs.max_length(i), lengths[i]) << i;
  }
  EXPECT_EQ(pairs.Similarity(0), 1.0 - 3.0 / 7.0);
  EXPECT_EQ(pairs.Similarity(1), 1.0);
  EXPECT_EQ(pairs.Similarity(3), 0.0);
}

TEST(StringPairs, IsUsedAgainAfterClear) {
  StringPairs pairs;
  for (const std::uint32_t count : {500u, 3u, 2000u}) {
    pairs.Clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(pairs.Append(std::string(i, 'a') + "x", std::string(i, 'a')), i);
    }
    pairs.ComputeDistances();
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(pairs.distance(i), 1u);
      ASSERT_EQ(pairs.max_length(i), i + 1);
    }
  }
}

}  // namespace
}  // namespace leafscore
