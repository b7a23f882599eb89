#include "kernels/levenshtein.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/distance_cases.h"
#include "tests/kernels/distance_pairs.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore::internal {

void PrintTo(const DistanceCase& distance_case, std::ostream* out) { *out << distance_case.name; }

namespace {

using reference::TwoRowDistance;

TEST(TwoRowDistanceTest, KnowsTheTextbookAnswers) {
  EXPECT_EQ(TwoRowDistance(U"", U""), 0u);
  EXPECT_EQ(TwoRowDistance(U"", U"abc"), 3u);
  EXPECT_EQ(TwoRowDistance(U"abc", U""), 3u);
  EXPECT_EQ(TwoRowDistance(U"abc", U"abc"), 0u);
  EXPECT_EQ(TwoRowDistance(U"kitten", U"sitting"), 3u);
  EXPECT_EQ(TwoRowDistance(U"saturday", U"sunday"), 3u);
  EXPECT_EQ(TwoRowDistance(U"intention", U"execution"), 5u);
  EXPECT_EQ(TwoRowDistance(U"ab", U"ba"), 2u);
}

TEST(LevenshteinTest, KnowsTheTextbookAnswers) {
  DistancePairs pairs;
  pairs.Add(U"", U"");
  pairs.Add(U"", U"abc");
  pairs.Add(U"kitten", U"sitting");
  pairs.Add(U"saturday", U"sunday");
  pairs.Add(U"intention", U"execution");
  pairs.Add(U"Москва", U"Москве");
  pairs.Add(U"東京都", U"京都");
  pairs.Add(U"\U0001F600\U0001F601", U"\U0001F601");
  pairs.Add(U"é", U"è");  // one code point each that share their first byte
  for (const Isa isa : AvailableIsas()) {
    EXPECT_EQ(pairs.Distances(isa), (std::vector<std::uint32_t>{0, 3, 3, 3, 5, 1, 1, 1, 1})) << IsaName(isa);
  }
}

// The bytes behind a column's last string look like the middle of a code point, which none of these has
// there.
TEST(LevenshteinTest, CutsCodePointsRightAtTheEdgeOfAColumn) {
  const std::vector<std::pair<std::u32string, std::u32string>> alone = {
      {U"\u0439", U"\u0579"},          // D0 B9, D5 B9
      {U"\u4E39", U"\u4EB9"},          // E4 B8 B9, E4 BA B9
      {U"\u4E39", U"\u5E39"},          // E4 B8 B9, E5 B8 B9
      {U"\U0001F600", U"\U0002F600"},  // F0 9F 98 80, F0 AF 98 80
      {U"\u0439", U"x\u0439"},        {U"\u0439", U"\u0439x"},
  };
  for (const auto& [a, b] : alone) {
    DistancePairs pair;
    pair.Add(a, b);
    pair.ExpectExact();
  }
}

constexpr Alphabet kCyrillic = {"cyrillic", 0x430, 32};
constexpr Alphabet kIdeographs = {"cjk", 0x4E00, 3000};
constexpr Alphabet kEmoji = {"emoji", 0x1F600, 64};
constexpr Alphabet kAsciiLetters = {"ascii", U'a', 26};

// Adds a pair with a few edits, so that its ends stay and most of its symbols match.
void AddEdited(const Alphabet& alphabet, std::size_t size, RandomText& random, DistancePairs& pairs) {
  const std::u32string base = random.String(alphabet, size);
  std::u32string edited = base;
  for (std::size_t i = 0; i <= size / 8; ++i) random.Edit(alphabet, edited);
  pairs.Add(base, edited);
}

// The words of a pattern run behind each other, so the last ones end in the next 64 columns.
TEST(LevenshteinTest, IsExactForTextsThatEndWhereTheirColumnsDo) {
  RandomText random(61);
  for (const Alphabet& alphabet : {kCyrillic, kIdeographs}) {
    for (const std::size_t edge : {64, 128, 192, 256, 448}) {
      for (std::size_t text_size = edge - 2; text_size <= edge + 2; ++text_size) {
        DistancePairs pairs;
        for (const std::size_t pattern_size : {edge - 10, edge, edge + 40, edge + 190}) {
          const std::u32string text = U"<" + random.String(alphabet, text_size - 2) + U">";
          std::u32string pattern = text.substr(1);
          pattern += random.String(alphabet, pattern_size);
          pattern.resize(pattern_size);
          pairs.Add(text, pattern);
        }
        pairs.ExpectExactOnCpu();
      }
    }
  }
}

// What one block of pairs was decides how the next one is looked at first.
TEST(LevenshteinTest, IsExactWhereScriptsChangeFromBlockToBlock) {
  RandomText random(62);
  DistancePairs pairs;
  for (const Alphabet* alphabet : {&kAsciiLetters, &kCyrillic, &kAsciiLetters, &kIdeographs, &kEmoji,
                                   &kIdeographs, &kCyrillic, &kAsciiLetters}) {
    for (int i = 0; i < 600; ++i) AddEdited(*alphabet, 1 + random.Below(i < 300 ? 30 : 90), random, pairs);
  }
  pairs.ExpectExactOnCpu();
}

// Neighbours are decoded together: short and long ones, with code points of any size, beside ASCII.
TEST(LevenshteinTest, IsExactForNeighboursOfAllKinds) {
  RandomText random(63);
  DistancePairs pairs;
  for (int i = 0; i < 700; ++i) {
    const Alphabet* const alphabets[] = {&kAsciiLetters, &kCyrillic, &kIdeographs, &kIdeographs, &kEmoji};
    const std::size_t size = random.Below(40) == 0 ? 700 + random.Below(500) : random.Below(140);
    AddEdited(*alphabets[random.Below(i % 100 < 90 ? 4 : 5)], size, random, pairs);
  }
  pairs.ExpectExactOnCpu();
}

// U+0431 and U+0031 have one low byte, U+00B1 and U+0431 differ in more than one byte can tell.
TEST(LevenshteinTest, KeepsCodePointsApartThatShareALowByte) {
  DistancePairs pairs;
  for (const std::size_t size : {6, 14, 30, 62, 100, 200}) {
    const std::u32string a(size, U'\u0431');
    for (const char32_t other : {U'\u0031', U'\u00B1', U'\u0531', U'\u4E31'}) {
      std::u32string b = a;
      b[size / 2] = other;
      b[0] = b[size - 1] = U'x';
      pairs.Add(a, b);
    }
  }
  pairs.ExpectExactOnCpu();
}

// Numbers of symbols take a byte or more; 0 stands for symbols that only the text has.
TEST(LevenshteinTest, IsExactForAsManySymbolsAsAByteHas) {
  DistancePairs pairs;
  for (const std::uint32_t count : {254, 255, 256, 257}) {
    const auto [a, b] = TextsOfSymbols(count);
    pairs.Add(a, b);
  }
  pairs.ExpectExact();
}

class DistanceCaseTest : public testing::TestWithParam<DistanceCase> {};

INSTANTIATE_TEST_SUITE_P(Cases, DistanceCaseTest, testing::ValuesIn(DistanceCases()),
                         [](const auto& distance_case) { return distance_case.param.name; });

TEST_P(DistanceCaseTest, IsExact) { DistancePairs(GetParam().make()).ExpectExact(); }

TEST(LevenshteinTest, NeedsScratchInProportionToTheLongestPair) {
  const auto scratch_bytes = [](std::size_t count, std::size_t length) {
    const GuardedColumn column(std::vector<std::string>(count, std::string(length, 'x')), GuardedEdge::kBack);
    return LevenshteinScratchBytes(column.column(), column.column());
  };
  EXPECT_EQ(scratch_bytes(100'000, 10), scratch_bytes(10'000, 10));
  EXPECT_LE(scratch_bytes(1, 1'000'000), 64u * 1'000'000);
  // Above the sizes at which the table of code points has all its pages.
  EXPECT_NEAR(static_cast<double>(scratch_bytes(1, 900'000) - scratch_bytes(1, 400'000)) / 500'000, 38, 1);
}

}  // namespace
}  // namespace leafscore::internal
