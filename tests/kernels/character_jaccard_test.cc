#include "kernels/character_jaccard.h"

#include <gtest/gtest.h>

#include "tests/kernels/similarity_testing.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

template <Isa kIsa>
void RunOn(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
           std::span<std::byte> scratch) noexcept {
  CharacterJaccardBatch(left, right, similarity, scratch, kIsa);
}

// By Isa.
constexpr SimilarityKernel kKernels[] = {{CharacterJaccardScratchBytes, RunOn<Isa::kPortable>},
                                         {CharacterJaccardScratchBytes, RunOn<Isa::kNeon>},
                                         {CharacterJaccardScratchBytes, RunOn<Isa::kAvx2>},
                                         {CharacterJaccardScratchBytes, RunOn<Isa::kAvx512>}};
constexpr SimilarityKernel kKernel = kKernels[0];

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
  const std::vector<TextPair> pairs = VariedPairs(2);
  const std::vector<double> similarities = kKernel(pairs);
  for (const Isa isa : AvailableIsas())
    EXPECT_EQ(kKernels[static_cast<std::size_t>(isa)](pairs), similarities) << IsaName(isa);
}

// Eight pairs go together if their strings are about as long; some of these are empty, long or not ASCII, and
// at times all are Cyrillic.
TEST(CharacterJaccard, PairsTogetherAreWhatTheyAreAlone) {
  RandomText random(3);
  std::vector<TextPair> pairs;
  for (int i = 0; i < 4000; ++i) {
    const auto text = [&] {
      const std::uint32_t kind = random.Below(40);
      const Alphabet alphabet = i % 1000 < 100 ? Alphabet{"cyrillic", 0x410, 64}
                                : kind == 0    ? Alphabet{"latin", 1, 256}
                                               : Alphabet{"ascii", 0, 128};
      return random.String(alphabet, kind == 1 ? 300 : random.Below(i % 800 < 400 ? 12 : 70));
    };
    pairs.emplace_back(text(), text());
  }
  for (const Isa isa : AvailableIsas()) {
    const std::vector<double> similarities = kKernels[static_cast<std::size_t>(isa)](pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(similarities[i], reference::CharacterJaccard(pairs[i].first, pairs[i].second))
          << IsaName(isa);
    }
  }
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
