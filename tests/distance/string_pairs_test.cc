#include "engine/distance/string_pairs.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/utf8.h"
#include "tests/distance/run_sequentially.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

TEST(CountCodePoints, Literals) {
  EXPECT_EQ(CountCodePoints(""), 0u);
  EXPECT_EQ(CountCodePoints("abc"), 3u);
  EXPECT_EQ(CountCodePoints("aé€😀"), 4u);
  EXPECT_EQ(CountCodePoints("e\xcc\x81"), 2u);
}

TEST(StringPairs, DistancesAndSimilarities) {
  StringPairs pairs;
  EXPECT_EQ(pairs.size(), 0u);
  pairs.ComputeDistances(kNoLimit, RunSequentially);  // of nothing
  EXPECT_EQ(pairs.Append("kitten", "sitting", 0), 0u);
  EXPECT_EQ(pairs.Append("", "", 0), 1u);
  EXPECT_EQ(pairs.Append("é", "€", 0), 2u);
  EXPECT_EQ(pairs.Append("", "東京", 0), 3u);
  EXPECT_EQ(pairs.Append("Größe", "Grösse", 0), 4u);
  pairs.ComputeDistances(kNoLimit, RunSequentially);
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

TEST(StringPairs, CountsTheBytesOfBothSides) {
  StringPairs pairs;
  EXPECT_EQ(pairs.bytes(), 0u);
  pairs.Append("abc", "", 0);
  pairs.Append("\xC3\xA9", "12345", 1);
  EXPECT_EQ(pairs.bytes(), 10u);
  pairs.Truncate(1);
  EXPECT_EQ(pairs.bytes(), 3u);
  pairs.Clear();
  EXPECT_EQ(pairs.bytes(), 0u);
}

TEST(StringPairs, IsUsedAgainAfterClear) {
  StringPairs pairs;
  for (const std::uint32_t count : {500u, 3u, 2000u}) {
    pairs.Clear();
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(pairs.Append(std::string(i, 'a') + "x", std::string(i, 'a'), i / 2), i);
    }
    pairs.ComputeDistances(kNoLimit, RunSequentially);
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(pairs.distance(i), 1u);
      ASSERT_EQ(pairs.max_length(i), i + 1);
      ASSERT_EQ(pairs.record(i), i / 2);
    }
  }
}

TEST(StringPairs, RangesOverTheLimit) {
  StringPairs pairs;
  pairs.Append("abcd", "dcba", 0);
  pairs.Append("kitten", "sitting", 1);  // over it as well, but bounds that meet need no table
  pairs.Append("abcdefgh", "hgfedcba", 1);
  pairs.ComputeDistances(15, RunSequentially);
  EXPECT_EQ(std::vector(pairs.inexact().begin(), pairs.inexact().end()), (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(pairs.distance(0), 4u);
  EXPECT_EQ(pairs.distance(1), 3u);
  EXPECT_EQ(pairs.distance(2), 8u);
  EXPECT_EQ(pairs.expected(2), "abcdefgh");
  EXPECT_EQ(pairs.actual(2), "hgfedcba");
  pairs.TakeLeastDistances();
  EXPECT_EQ(pairs.distance(0), 0u);
  EXPECT_EQ(pairs.distance(1), 3u);
  EXPECT_EQ(pairs.distance(2), 0u);
}

TEST(StringPairs, LongPairsAreTables) {
  // Two blocks, exchanged: the counts say nothing, and no alignment is cheaper than replacing all.
  const std::string left = std::string(16'500, 'a') + std::string(16'500, 'b');
  const std::string right = std::string(16'500, 'b') + std::string(16'500, 'a');
  ASSERT_GT(left.size() * right.size(), kTableCells);
  static int tables;
  const auto count_tables = [](LevenshteinTable& table) {
    ++tables;
    RunSequentially(table);
  };
  StringPairs pairs;
  pairs.Append("short", "pair", 0);
  pairs.Append(left, right, 0);
  for (const int difference : {-1, 0, 1}) {
    tables = 0;
    pairs.ComputeDistances(left.size() * right.size() + static_cast<std::size_t>(difference), count_tables);
    EXPECT_EQ(tables, difference < 0 ? 0 : 1);
    EXPECT_EQ(pairs.inexact().size(), difference < 0 ? 1u : 0u);
    EXPECT_EQ(pairs.distance(0), 4u);
    EXPECT_EQ(pairs.distance(1), 33'000u);
  }
}

}  // namespace
}  // namespace leafscore::internal
