#include "engine/statistics/letter_display.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
using Letters = std::vector<std::string>;

TEST(CompactLetters, Literals) {
  EXPECT_EQ(CompactLetters(0, {}), Letters{});
  EXPECT_EQ(CompactLetters(3, {}), (Letters{"a", "a", "a"}));
  EXPECT_EQ(CompactLetters(2, Pairs{{0, 1}}), (Letters{"a", "b"}));
  // The second cannot be told from its neighbours, which can be told apart.
  EXPECT_EQ(CompactLetters(3, Pairs{{0, 2}}), (Letters{"a", "ab", "b"}));
  EXPECT_EQ(CompactLetters(3, Pairs{{0, 1}}), (Letters{"a", "b", "ab"}));
  EXPECT_EQ(CompactLetters(4, Pairs{{0, 2}, {0, 3}, {1, 3}}), (Letters{"a", "ab", "bc", "c"}));
}

TEST(CompactLetters, OfMoreThan26SetsAreNumbers) {
  const auto all_different = [](std::size_t count) {
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) pairs.emplace_back(i, j);
    }
    return *CompactLetters(count, pairs);
  };
  EXPECT_EQ(all_different(26).back(), "z");
  EXPECT_EQ(all_different(27).front(), "1");
  EXPECT_EQ(all_different(27).back(), "27");
  Pairs all_but_one;  // the last cannot be told from any
  for (std::size_t i = 0; i < 27; ++i) {
    for (std::size_t j = i + 1; j < 27; ++j) all_but_one.emplace_back(i, j);
  }
  EXPECT_TRUE(CompactLetters(28, all_but_one)->back().starts_with("1,2,3,"));
}

// Pairs (0, 1), (2, 3), ... that can be told apart, and nothing else: each choice of one of each is a set.
TEST(CompactLetters, GivesUpOnMoreThan1000Sets) {
  Pairs pairs;
  for (std::size_t i = 0; i < 9; ++i) pairs.emplace_back(2 * i, 2 * i + 1);
  EXPECT_TRUE(CompactLetters(18, pairs).has_value());  // 512
  pairs.emplace_back(18, 19);
  EXPECT_EQ(CompactLetters(20, pairs), std::nullopt);
}

// The reference looks at every set of things: those that hold no different pair and cannot grow are the
// letters.
TEST(CompactLetters, AreTheLargestSetsWithoutADifferentPair) {
  SplitMix64 random(2004, 0);
  for (int round = 0; round < 300; ++round) {
    const std::size_t count = 1 + random.Below(7);
    Pairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i + 1; j < count; ++j) {
        if (random.Below(3) == 0) pairs.emplace_back(i, j);
      }
    }
    const auto fits = [&](std::uint32_t set) {
      for (const auto& [i, j] : pairs) {
        if ((set >> i & 1) != 0 && (set >> j & 1) != 0) return false;
      }
      return true;
    };
    std::set<std::uint32_t> wanted;
    for (std::uint32_t set = 1; set < 1u << count; ++set) {
      bool largest = fits(set);
      for (std::size_t i = 0; i < count; ++i) largest &= (set >> i & 1) != 0 || !fits(set | 1u << i);
      if (largest) wanted.insert(set);
    }
    const Letters letters = *CompactLetters(count, pairs);
    std::vector<std::uint32_t> sets;
    for (std::size_t i = 0; i < count; ++i) {
      for (const char letter : letters[i]) {
        const auto number = static_cast<std::size_t>(letter - 'a');
        if (number >= sets.size()) sets.resize(number + 1);
        sets[number] |= 1u << i;
      }
    }
    EXPECT_EQ(std::set<std::uint32_t>(sets.begin(), sets.end()), wanted);
    EXPECT_EQ(sets.size(), wanted.size());
  }
}

}  // namespace
}  // namespace leafscore::internal
