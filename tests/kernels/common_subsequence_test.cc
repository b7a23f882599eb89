#include "kernels/common_subsequence.h"

#include <gtest/gtest.h>

#include "tests/kernels/similarity_testing.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

constexpr SimilarityKernel kKernel = {CommonSubsequenceScratchBytes, CommonSubsequenceBatch};

TEST(CommonSubsequence, KnowsSmallAnswers) {
  const std::vector<double> similarities = kKernel({
      {U"", U""},
      {U"", U"a"},
      {U"abcd", U"abcd"},
      {U"abcd", U"acbd"},  // abd or acd
      {U"ab", U"ba"},
      {U"Größe", U"Grösse"},  // Gröe
      {U"東京都", U"京都"},
      {U"é", U"è"},  // they share a byte
  });
  EXPECT_EQ(similarities, (std::vector<double>{1, 0, 1, 1 - 2 / 8., 1 - 2 / 4., 1 - 3 / 11., 1 - 1 / 5., 0}));
}

TEST(CommonSubsequence, HasTheBitsOfTheDefinitionBothWays) {
  ExpectBitsOfDefinition(kKernel, reference::CommonSubsequence, 2);
}

TEST(CommonSubsequence, CarriesFromBlockToBlock) {
  for (const std::size_t size : {63u, 64u, 65u, 127u, 128u, 129u, 1000u}) {
    const std::u32string alike(size, U'a');
    const std::u32string other = U"b" + alike + U"c";
    EXPECT_EQ(kKernel({{alike, other}, {other, alike}}),
              (std::vector<double>(2, 1 - 2 / static_cast<double>(2 * size + 2))));
  }
}

}  // namespace
}  // namespace leafscore::internal
