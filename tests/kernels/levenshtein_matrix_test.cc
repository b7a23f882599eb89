#include "kernels/levenshtein_matrix.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {
namespace {

using Texts = std::vector<std::u32string>;

std::vector<std::string> Utf8Of(const Texts& texts) {
  std::vector<std::string> encoded;
  for (const std::u32string& text : texts) encoded.push_back(ToUtf8(text));
  return encoded;
}

// Checks all distances on all instruction sets, which may read nothing beyond the padding of the columns.
void ExpectDistances(const Texts& texts, const Texts& patterns) {
  std::vector<std::uint32_t> expected;
  for (const std::u32string& text : texts) {
    for (const std::u32string& pattern : patterns) {
      expected.push_back(reference::TwoRowDistance(text, pattern));
    }
  }
  for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
    const GuardedColumn left(Utf8Of(texts), edge), right(Utf8Of(patterns), edge);
    for (const Isa isa : AvailableIsas()) {
      const GuardedScratch scratch(LevenshteinMatrixScratchBytes(left.column(), right.column()));
      std::vector<std::uint32_t> distance(expected.size(), 0xABABABABu);
      LevenshteinMatrix(left.column(), right.column(), distance, scratch.span(), isa);
      ASSERT_EQ(distance, expected) << IsaName(isa);
    }
  }
}

TEST(LevenshteinMatrix, HasTheDistancesOfTheDefinition) {
  constexpr Alphabet kAlphabets[] = {{"one", U'a', 1},          {"two", U'a', 2},
                                     {"ascii", 0, 128},         {"cyrillic", 0x430, 32},
                                     {"large", 0x2000, 20'000}, {"everything", 0, 0x110000 - 0x800}};
  RandomText random(1);
  for (const Alphabet& alphabet : kAlphabets) {
    for (const std::uint32_t longest : {1, 15, 16, 17, 32, 33, 64}) {
      // Numbers of patterns that fill no vector, some vectors, and one more.
      for (const std::uint32_t count : {1u, 7u, 16u, 65u, 131u}) {
        Texts texts, patterns;
        for (std::uint32_t i = 0; i < count; ++i) {
          patterns.push_back(random.String(alphabet, i == 0 ? longest : random.Below(longest + 1)));
        }
        for (std::uint32_t i = 0; i < 9; ++i) {
          texts.push_back(random.String(alphabet, random.Below(100)));
          texts.push_back(patterns[random.Below(count)]);
          for (std::uint32_t edits = random.Below(5); edits > 0; --edits) random.Edit(alphabet, texts.back());
        }
        texts.emplace_back();
        ExpectDistances(texts, patterns);
      }
    }
  }
}

TEST(LevenshteinMatrix, CountsUpToItsLongestText) {
  const Texts patterns = {U"", U"a", U"aaaaaaaaaaaaaaaa", U"ab"};
  ExpectDistances({std::u32string(kMaxMatrixText, U'a'), std::u32string(kMaxMatrixText, U'b')}, patterns);
}

TEST(LevenshteinMatrix, OfAnEmptySideIsEmpty) {
  ExpectDistances({}, {});
  ExpectDistances({}, {U"a"});
  ExpectDistances({U"a"}, {});
}

}  // namespace
}  // namespace leafscore::internal
