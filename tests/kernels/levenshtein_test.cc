#include "kernels/levenshtein.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"

namespace leafscore {
namespace {

using reference::TwoRowDistance;

// Pairs to compare, as code points; computed in one batch by Distances().
class Pairs {
 public:
  void Add(std::u32string a, std::u32string b) {
    left_.push_back(std::move(a));
    right_.push_back(std::move(b));
  }
  void AddBothWays(const std::u32string& a, const std::u32string& b) {
    Add(a, b);
    Add(b, a);
  }
  std::size_t size() const { return left_.size(); }

  std::vector<std::uint32_t> Distances(Isa isa, GuardedEdge edge = GuardedEdge::kBack) const {
    const GuardedColumn left(Utf8(left_), edge), right(Utf8(right_), edge);
    std::vector<std::uint32_t> distances(size(), ~0u);
    const GuardedScratch scratch(LevenshteinScratchBytes(left.column(), right.column()));
    LevenshteinBatch(left.column(), right.column(), distances, scratch.span(), isa);
    return distances;
  }

  // Compares every distance with the oracle, on every instruction set, under a guard page at either edge.
  void ExpectExact() const {
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < size(); ++i) expected.push_back(TwoRowDistance(left_[i], right_[i]));
    for (const Isa isa : AvailableIsas()) {
      for (const GuardedEdge edge : {GuardedEdge::kFront, GuardedEdge::kBack}) {
        const std::vector<std::uint32_t> actual = Distances(isa, edge);
        ASSERT_EQ(actual.size(), expected.size());
        for (std::size_t i = 0; i < size(); ++i) {
          ASSERT_EQ(actual[i], expected[i])
              << "on " << IsaName(isa) << ", pair " << i << " of " << size() << ":\n"
              << ToUtf8(left_[i]) << "\n"
              << ToUtf8(right_[i]);
        }
      }
    }
  }

 private:
  static std::vector<std::string> Utf8(const std::vector<std::u32string>& strings) {
    std::vector<std::string> utf8;
    for (const std::u32string& string : strings) utf8.push_back(ToUtf8(string));
    return utf8;
  }

  std::vector<std::u32string> left_, right_;
};

constexpr Alphabet kAlphabets[] = {
    {"one", U'a', 1},          {"two", U'a', 2},
    {"four", U'a', 4},         {"twenty", U'A', 20},
    {"ascii", U' ', 95},       {"latin", 1, 256},
    {"cyrillic", 0x430, 32},   {"cjk", 0x4E00, 3000},
    {"emoji", 0x1F600, 64},    {"mixed_widths", 32, 3000},
    {"large", 0x2000, 20'000}, {"around_surrogates", 0xD7F0, 32},
    {"astral", 0x20000, 200},  {"around_bmp_end", 0xFF00, 1024},
};

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
  Pairs pairs;
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
    Pairs pair;
    pair.Add(a, b);
    pair.ExpectExact();
  }
}

TEST(LevenshteinTest, IsExactForAllShortStringsOverTwoLetters) {
  std::vector<std::u32string> strings = {U""};
  for (std::size_t i = 0; strings[i].size() < 8; ++i) {
    strings.push_back(strings[i] + U'a');
    strings.push_back(strings[i] + U'b');
  }
  ASSERT_EQ(strings.size(), 511u);
  Pairs pairs;
  for (const std::u32string& a : strings) {
    for (const std::u32string& b : strings) pairs.Add(a, b);
  }
  pairs.ExpectExact();
}

class AlphabetTest : public testing::TestWithParam<Alphabet> {};

INSTANTIATE_TEST_SUITE_P(Alphabets, AlphabetTest, testing::ValuesIn(kAlphabets),
                         [](const auto& alphabet) { return std::string(alphabet.param.name); });

TEST_P(AlphabetTest, IsExactForEveryLengthCombinationTo130) {
  RandomText random(1);
  Pairs pairs;
  for (std::size_t a = 0; a <= 130; ++a) {
    for (std::size_t b = 0; b <= 130; ++b) {
      pairs.Add(random.String(GetParam(), a), random.String(GetParam(), b));
    }
  }
  pairs.ExpectExact();
}

TEST_P(AlphabetTest, IsExactAroundWordAndStripEdges) {
  RandomText random(2);
  Pairs pairs;
  for (const std::size_t edge : {256, 512, 1024, 4096}) {
    for (const std::size_t a : {edge - 1, edge, edge + 1}) {
      const std::u32string base = random.String(GetParam(), a);
      pairs.AddBothWays(base, random.String(GetParam(), edge - 1 + random.Below(3)));
      pairs.AddBothWays(base, random.String(GetParam(), 1 + random.Below(70)));
      std::u32string near = base;
      for (std::size_t edits = 0; edits < edge / 10; ++edits) random.Edit(GetParam(), near);
      pairs.AddBothWays(base, near);
    }
  }
  pairs.ExpectExact();
}

TEST_P(AlphabetTest, IsExactForEqualAndOneEditAnywhere) {
  RandomText random(3);
  Pairs pairs;
  for (const std::size_t size : {1, 2, 7, 8, 9, 31, 32, 33, 63, 64, 65, 100, 300}) {
    const std::u32string base = random.String(GetParam(), size);
    pairs.Add(base, base);
    for (std::size_t at = 0; at < size; ++at) {
      std::u32string inserted = base, deleted = base, replaced = base;
      inserted.insert(at, 1, SymbolOf(GetParam(), random.Below(GetParam().size)));
      deleted.erase(at, 1);
      replaced[at] = SymbolOf(GetParam(), random.Below(GetParam().size));
      for (const std::u32string& other : {inserted, deleted, replaced}) pairs.AddBothWays(base, other);
    }
  }
  pairs.ExpectExact();
}

TEST(LevenshteinTest, IsExactForDisjointAlphabets) {
  RandomText random(4);
  Pairs pairs;
  for (const std::size_t a : {1, 8, 40, 64, 65, 130, 300, 600}) {
    for (const std::size_t b : {1, 9, 64, 66, 257, 513}) {
      pairs.AddBothWays(random.String({"lower", U'a', 26}, a), random.String({"upper", U'A', 26}, b));
      pairs.AddBothWays(random.String({"lower", U'a', 26}, a), random.String({"cjk", 0x4E00, 500}, b));
    }
  }
  pairs.ExpectExact();
}

TEST(LevenshteinTest, IsExactForBatchesOfEverySizeWithAllClassesMixed) {
  for (const std::size_t size : {0, 1, 2, 3, 7, 63, 64, 65, 1001, 5003}) {
    RandomText random(5);
    Pairs pairs;
    for (std::size_t i = 0; i < size; ++i) {
      const Alphabet& alphabet = kAlphabets[random.Below(std::size(kAlphabets))];
      // Mostly short, now and then a long one, as in real records.
      const std::size_t length = random.Below(50) == 0 ? random.Below(700) : random.Below(80);
      const std::u32string base = random.String(alphabet, length);
      std::u32string other = base;
      if (random.Below(4) == 0) {
        other = random.String(kAlphabets[random.Below(std::size(kAlphabets))], random.Below(100));
      }
      for (std::uint32_t edits = random.Below(8); edits > 0; --edits) random.Edit(alphabet, other);
      pairs.Add(base, other);
    }
    pairs.ExpectExact();
  }
}

// Long enough for bands: few edits, many, none alike, and edits that only come late or all at once, which
// mislead any guess from the beginning.
TEST(LevenshteinTest, IsExactForLongStringsOfAllDegreesOfLikeness) {
  const Alphabet letters = {"letters", U'a', 26};
  RandomText random(6);
  Pairs pairs;
  for (const std::size_t size : {2047, 2048, 2500, 4097, 6000}) {
    const std::u32string base = random.String(letters, size);
    for (const std::size_t edits : {1u, 40u, 400u, 1500u}) {
      std::u32string near = base;
      for (std::size_t i = 0; i < edits; ++i) random.Edit(letters, near);
      pairs.AddBothWays(base, near);
    }
    pairs.Add(base, random.String(letters, size - random.Below(100)));
    pairs.AddBothWays(base, base.substr(0, size - 700) + random.String(letters, 600));
    pairs.AddBothWays(
        base, random.String(letters, 1) + base.substr(1, 100) + base.substr(900) + random.String(letters, 1));
    pairs.AddBothWays(base,
                      random.String(letters, 900) + base.substr(1, size - 2) + random.String(letters, 2));
    pairs.AddBothWays(base, base.substr(size / 2) + base.substr(0, size / 2));
  }
  pairs.ExpectExact();
}

TEST(LevenshteinTest, IsExactAtFiftyThousandCharacters) {
  RandomText random(7);
  Pairs pairs;
  const Alphabet letters = {"letters", U'a', 26};
  const std::u32string base = random.String(letters, 50'000);
  std::u32string near = base;
  for (int i = 0; i < 6000; ++i) random.Edit(letters, near);
  pairs.Add(base, near);
  pairs.ExpectExact();
}

TEST(LevenshteinTest, NeedsScratchInProportionToTheLongestPair) {
  const auto scratch_bytes = [](std::size_t count, std::size_t length) {
    const GuardedColumn column(std::vector<std::string>(count, std::string(length, 'x')), GuardedEdge::kBack);
    return LevenshteinScratchBytes(column.column(), column.column());
  };
  EXPECT_EQ(scratch_bytes(100'000, 10), scratch_bytes(10'000, 10));
  EXPECT_LE(scratch_bytes(1, 1'000'000), 64u * 1'000'000);
}

}  // namespace
}  // namespace leafscore
