// tests/kernels/similarity_testing.h: runs a similarity kernel over pairs of strings, under guard pages at
// either edge of the columns, and checks that it stays inside its scratch and that both edges give the same
// bits.
#ifndef LEAFSCORE_TESTS_KERNELS_SIMILARITY_TESTING_H_
#define LEAFSCORE_TESTS_KERNELS_SIMILARITY_TESTING_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"

namespace leafscore::internal {

using TextPair = std::pair<std::u32string, std::u32string>;

struct SimilarityKernel {
  std::size_t (*scratch_bytes)(const StringColumn&, const StringColumn&) noexcept;
  void (*run)(const StringColumn&, const StringColumn&, std::span<double>, std::span<std::byte>) noexcept;

  std::vector<double> operator()(const std::vector<TextPair>& pairs) const {
    std::vector<std::string> lefts, rights;
    for (const auto& [left, right] : pairs) {
      lefts.push_back(ToUtf8(left));
      rights.push_back(ToUtf8(right));
    }
    std::vector<double> results[2];
    for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
      const GuardedColumn left(lefts, edge), right(rights, edge);
      const GuardedScratch scratch(scratch_bytes(left.column(), right.column()));
      std::vector<double>& result = results[edge == GuardedEdge::kBack];
      result.resize(pairs.size(), -1);
      run(left.column(), right.column(), result, scratch.span());
    }
    EXPECT_EQ(results[0], results[1]);
    return results[0];
  }
};

// Returns pairs of all lengths to 40 and some longer ones, alike and not, over small and large alphabets.
inline std::vector<TextPair> VariedPairs(std::uint32_t seed) {
  constexpr Alphabet kAlphabets[] = {{"one", U'a', 1},           {"two", U'a', 2},
                                     {"ascii", U' ', 95},        {"control", 0, 32},
                                     {"latin", 1, 256},          {"cyrillic", 0x430, 32},
                                     {"large", 0x2000, 20'000},  {"around_surrogates", 0xD7F0, 32},
                                     {"astral", 0x1F600, 3000},  {"last_plane", 0x10F000, 4096 - 0x800},
                                     {"mixed_widths", 32, 3000}, {"everything", 0, 0x110000 - 0x800}};
  RandomText random(seed);
  std::vector<TextPair> pairs;
  for (const Alphabet& alphabet : kAlphabets) {
    for (std::size_t a = 0; a <= 40; ++a) {
      for (std::size_t b = 0; b <= 40; ++b) {
        pairs.emplace_back(random.String(alphabet, a), random.String(alphabet, b));
      }
    }
    for (const std::size_t size : {60, 64, 65, 130, 700, 3000}) {
      const std::u32string base = random.String(alphabet, size);
      pairs.emplace_back(base, base);
      pairs.emplace_back(base, random.String({"letters", U'a', 26}, size));
      pairs.emplace_back(base, base.substr(size / 3) + base.substr(0, size / 3));
      std::u32string near = base;
      for (std::size_t edits = 0; edits < size / 5; ++edits) random.Edit(alphabet, near);
      pairs.emplace_back(base, near);
      pairs.emplace_back(near, base);
    }
  }
  return pairs;
}

// Checks that a kernel gives the same bits as its definition for VariedPairs, and is symmetric.
inline void ExpectBitsOfDefinition(const SimilarityKernel& kernel,
                                   double (*definition)(const std::u32string&, const std::u32string&),
                                   std::uint32_t seed) {
  std::vector<TextPair> pairs = VariedPairs(seed);
  const std::vector<double> similarities = kernel(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_EQ(similarities[i], definition(pairs[i].first, pairs[i].second)) << ToUtf8(pairs[i].first) << "\n"
                                                                            << ToUtf8(pairs[i].second);
  }
  for (TextPair& pair : pairs) std::swap(pair.first, pair.second);
  EXPECT_EQ(kernel(pairs), similarities);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_KERNELS_SIMILARITY_TESTING_H_
