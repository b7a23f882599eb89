#include "kernels/character_jaccard.h"

#include <gtest/gtest.h>

#include "tests/kernels/similarity_testing.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

constexpr SimilarityKernel kKernel = {CharacterJaccardScratchBytes, CharacterJaccardBatch};

TEST(CharacterJaccard, KnowsSmallAnswers) {
  const std::vector<double> similarities = kKernel({
      {U"", U""},
      {U"", U"a"},
      {U"listen", U"silent"},
      {U"night", U"nacht"},
      {U"aab", U"b"},
      {U"Größe", U"Grösse"},  // G r ö and e in both; ß and s in one
      {U"東京都", U"京都"},
      {U"é", U"è"},  // they share a byte
      {U"abc", U"абв"},
  });
  EXPECT_EQ(similarities, (std::vector<double>{1, 0, 1, 3 / 7., 1 / 2., 4 / 6., 2 / 3., 0, 0}));
}

TEST(CharacterJaccard, HasTheBitsOfTheDefinitionBothWays) {
  ExpectBitsOfDefinition(kKernel, reference::CharacterJaccard, 2);
}

TEST(CharacterJaccard, CountsAllCodePointsThereAre) {
  std::u32string all;
  for (std::uint32_t i = 0; i < 0x110000 - 0x800; ++i) all += SymbolOf({"all", 0, 0x110000}, i);
  const std::u32string half = all.substr(0, all.size() / 2);
  EXPECT_EQ(kKernel({{all, all}, {all, half}, {half, all.substr(all.size() / 2)}}),
            (std::vector<double>{1, 0.5, 0}));
}

}  // namespace
}  // namespace leafscore::internal
