#include "kernels/jaro_winkler.h"

#include <gtest/gtest.h>

#include "tests/kernels/random_text.h"
#include "tests/kernels/similarity_testing.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

template <Isa kIsa>
void RunOn(const StringColumn& left, const StringColumn& right, std::span<double> similarity,
           std::span<std::byte> scratch) noexcept {
  JaroWinklerBatch(left, right, similarity, scratch, kIsa);
}

// By Isa.
constexpr SimilarityKernel kKernels[] = {{JaroWinklerScratchBytes, RunOn<Isa::kPortable>},
                                         {JaroWinklerScratchBytes, RunOn<Isa::kNeon>},
                                         {JaroWinklerScratchBytes, RunOn<Isa::kAvx2>},
                                         {JaroWinklerScratchBytes, RunOn<Isa::kAvx512>}};
constexpr SimilarityKernel kKernel = kKernels[0];

const SimilarityKernel& KernelOn(Isa isa) { return kKernels[static_cast<std::size_t>(isa)]; }

TEST(JaroWinkler, KnowsThePublishedAnswers) {
  const std::vector<TextPair> pairs = {
      {U"MARTHA", U"MARHTA"}, {U"DWAYNE", U"DUANE"},        {U"DIXON", U"DICKSONX"},
      {U"JONES", U"JOHNSON"}, {U"ABROMS", U"ABRAMS"},       {U"HARDIN", U"MARTINEZ"},
      {U"ITMAN", U"SMITH"},   {U"JERALDINE", U"GERALDINE"}, {U"MICHELLE", U"MICHAEL"},
  };
  // To three places; Winkler 1990, table 1, but for the weights of long strings, which he later added.
  const double published[] = {0.961, 0.84, 0.813, 0.832, 0.922, 0.722, 0.467, 0.926, 0.921};
  const std::vector<double> similarities = kKernel(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_NEAR(similarities[i], published[i], 0.0005) << i;
}

TEST(JaroWinkler, KnowsTheEdgesOfItsDefinition) {
  const std::vector<TextPair> pairs = {
      {U"", U""},              // nothing differs
      {U"", U"a"},             // nothing matches
      {U"a", U"a"},            // windows of 0
      {U"ab", U"ba"},          // too far apart for a window of 0
      {U"abcd", U"badc"},      // a window of 1: two transpositions
      {U"東京都", U"東京"},    // code points, not bytes: m = 2, prefix 2
      {U"abcdef", U"bcaefd"},  // three out of order and three more: t = 3
      {U"abcxyz", U"bcaxyz"},  // three out of order: t = 1, rounded down
      {U"abcd", U"abxx"},      // jaro 2/3 is below 0.7: no boost
  };
  const double jaro_cut = (2 / 3. + 1 + 1) / 3;
  const double expected[] = {1,
                             0,
                             1,
                             0,
                             (1 + 1 + 2 / 4.) / 3,
                             jaro_cut + 2 * 0.1 * (1 - jaro_cut),
                             (1 + 1 + 3 / 6.) / 3,
                             (1 + 1 + 5 / 6.) / 3,
                             (2 / 4. + 2 / 4. + 1) / 3};
  const std::vector<double> similarities = kKernel(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) EXPECT_DOUBLE_EQ(similarities[i], expected[i]) << i;
}

TEST(JaroWinkler, HasTheBitsOfTheDefinitionBothWays) {
  ExpectBitsOfDefinition(kKernel, reference::JaroWinkler, 1);
  const std::vector<TextPair> pairs = VariedPairs(1);
  const std::vector<double> similarities = kKernel(pairs);
  for (const Isa isa : AvailableIsas()) EXPECT_EQ(KernelOn(isa)(pairs), similarities) << IsaName(isa);
}

// Eight pairs of one length go together; some of these are empty, long or not ASCII.
TEST(JaroWinkler, PairsTogetherAreWhatTheyAreAlone) {
  RandomText random(4);
  std::vector<TextPair> pairs;
  for (int i = 0; i < 6000; ++i) {
    const Alphabet alphabet = random.Below(30) == 0 ? Alphabet{"latin", 1, 256} : Alphabet{"few", U'a', 6};
    std::u32string text = random.String(alphabet, random.Below(i % 600 < 300 ? 20 : 80));
    std::u32string other = text;
    for (std::uint32_t edits = random.Below(12); edits > 0; --edits) random.Edit(alphabet, other);
    pairs.emplace_back(text, other);
  }
  for (const Isa isa : AvailableIsas()) {
    const std::vector<double> similarities = KernelOn(isa)(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(similarities[i], reference::JaroWinkler(pairs[i].first, pairs[i].second)) << IsaName(isa);
    }
  }
}

// Of one word of bits, of two, and of none.
TEST(JaroWinkler, HasTheBitsOfTheDefinitionAroundItsWords) {
  RandomText random(2);
  std::vector<TextPair> pairs;
  for (const Alphabet& alphabet : {Alphabet{"two", U'a', 2}, Alphabet{"ascii", U' ', 95}}) {
    for (std::size_t a = 0; a <= 132; a += 3) {
      for (std::size_t b = 0; b <= 132; b += 4) {
        pairs.emplace_back(random.String(alphabet, a), random.String(alphabet, b));
      }
      std::u32string near = pairs.back().first;
      for (std::size_t edits = 0; edits < a / 5; ++edits) random.Edit(alphabet, near);
      pairs.emplace_back(pairs.back().first, near);
    }
  }
  for (const Isa isa : AvailableIsas()) {
    const std::vector<double> similarities = KernelOn(isa)(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(similarities[i], reference::JaroWinkler(pairs[i].first, pairs[i].second))
          << IsaName(isa) << "\n"
          << ToUtf8(pairs[i].first) << "\n"
          << ToUtf8(pairs[i].second);
    }
  }
}

// One by one, this would be 10^12 comparisons.
TEST(JaroWinkler, IsLinear) {
  const std::u32string left(2'000'000, U'я'), right(2'000'000, U'ж');
  const std::u32string halves = left.substr(0, 1'000'000) + right.substr(0, 1'000'000);
  const std::vector<double> similarities = kKernel({{left, right}, {left, left}, {left, halves}});
  EXPECT_EQ(similarities[0], 0);
  EXPECT_EQ(similarities[1], 1);
  EXPECT_DOUBLE_EQ(similarities[2], (0.5 + 0.5 + 1) / 3);
}

}  // namespace
}  // namespace leafscore::internal
