#include "kernels/long_groups.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/distance_pairs.h"
#include "tests/kernels/random_text.h"
#include "tests/sanitized.h"

namespace leafscore::internal {
namespace {

constexpr Alphabet kLetters = {"letters", U'a', 26};
constexpr Alphabet kAscii = {"ascii", 1, 127};

enum class Likeness { kEqual, kFewEdits, kManyEdits, kUnrelated, kPrefix, kSuffix, kShifted };

// Returns a string of about the size of `base`.
std::u32string Like(const std::u32string& base, const Alphabet& alphabet, Likeness likeness,
                    RandomText& random) {
  std::u32string other = base;
  const auto edit = [&](std::size_t edits) {
    for (; edits > 0; --edits) random.Edit(alphabet, other);
  };
  switch (likeness) {
    case Likeness::kEqual:
      break;
    case Likeness::kFewEdits:
      edit(1 + base.size() / 30);
      break;
    case Likeness::kManyEdits:
      edit(base.size() / 5);
      break;
    case Likeness::kUnrelated:
      other = random.String(alphabet, base.size() + random.Below(5) - 2);
      break;
    case Likeness::kPrefix:
      other.resize(base.size() - random.Below(static_cast<std::uint32_t>(base.size() / 3)));
      break;
    case Likeness::kSuffix:
      other = random.String(alphabet, 1 + base.size() / 9) + base;
      break;
    case Likeness::kShifted:
      other = random.String(alphabet, base.size() / 6) + base.substr(0, base.size() - base.size() / 6) + U'!';
  }
  return other;
}

std::pair<std::u32string, std::u32string> AnyPair(std::size_t size, const Alphabet& alphabet,
                                                  RandomText& random) {
  std::u32string base = random.String(alphabet, size);
  std::u32string other = Like(base, alphabet, static_cast<Likeness>(random.Below(7)), random);
  if (random.Below(2) == 0) std::swap(base, other);
  return {std::move(base), std::move(other)};
}

// Words and tiles.
TEST(LongGroupsTest, AreExactForEveryLength) {
  RandomText random(41);
  DistancePairs pairs;
  for (std::size_t size = 60; size <= 1100; size += kSanitized ? 7 : 1) {
    const auto [a, b] = AnyPair(size, kLetters, random);
    pairs.Add(a, b);
  }
  pairs.ExpectExactOnCpu();
}

// Eight of a kind, so that no other size is in their group; and the first that are too long for one.
TEST(LongGroupsTest, AreExactForFullGroupsOfOneSize) {
  RandomText random(42);
  for (const std::size_t edge : {64, 128, 192, 256, 320, 512, 1024, 5120}) {
    if (kSanitized && edge > 1024) continue;
    for (const std::size_t size : {edge - 1, edge, edge + 1}) {
      for (const Likeness likeness : {Likeness::kFewEdits, Likeness::kManyEdits, Likeness::kUnrelated}) {
        DistancePairs pairs;
        for (int i = 0; i < 8; ++i) {
          const std::u32string base = random.String(kAscii, size);
          pairs.Add(base, Like(base, kAscii, likeness, random));
        }
        pairs.ExpectExactOnCpu();
      }
    }
  }
}

// One to nine pairs, and so many that all groups fill.
TEST(LongGroupsTest, AreExactForAnyNumberOfPairs) {
  for (const std::size_t count : {1, 2, 3, 4, 5, 6, 7, 8, 9, 17, Rounds(3000)}) {
    RandomText random(43);
    DistancePairs pairs;
    for (std::size_t i = 0; i < count; ++i) {
      const auto [a, b] = AnyPair(65 + random.Below(300), kLetters, random);
      pairs.Add(a, b);
    }
    pairs.ExpectExactOnCpu();
  }
}

// The last pairs of a batch share a group whatever their sizes. A short text begins late, and the band is
// only guessed there: the first words have then run further than the band of the others.
TEST(LongGroupsTest, AreExactForTextsOfDifferentSizesInAGroup) {
  RandomText random(50);
  for (int batch = 0; batch < Rounds(300); ++batch) {
    DistancePairs pairs;
    const std::uint32_t size = 150 + random.Below(batch % 2 == 0 ? 130 : 1300);
    for (int i = 0; i < 8; ++i) {
      const auto [a, b] = AnyPair(size - random.Below(100), kLetters, random);
      const bool is_short = random.Below(6) == 0;
      pairs.Add(a, is_short ? b.substr(0, 3 + random.Below(150)) : b);
    }
    pairs.ExpectExactOnCpu();
  }
}

// Alone, a long pair runs in strips; with others of its kind it does not.
TEST(LongGroupsTest, AreExactBesideShortAndVeryLongPairs) {
  RandomText random(44);
  DistancePairs pairs;
  for (const std::size_t size : {1000, 990, 1500, 70, 5, 66, 300, 800, 801, 802, 129, 64, 1023}) {
    const auto [a, b] = AnyPair(size, kLetters, random);
    pairs.Add(a, b);
    pairs.Add(a, b.substr(0, 40));
    pairs.Add(a.substr(0, 70), b);
  }
  pairs.ExpectExactOnCpu();
}

// The first 64 rows promise few edits, and the band is guessed from them. Then come more: as replaced
// symbols, and as a detour of `edits` diagonals.
TEST(LongGroupsTest, AreExactWhereTheBandIsJustWideEnoughOrTooNarrow) {
  for (const std::size_t size : {100, 128, 200, 256, 400, 700}) {
    RandomText random(45);
    DistancePairs pairs;
    const std::u32string base = random.String(kLetters, size);
    for (std::size_t edits = 0; edits < size / 3; ++edits) {
      std::u32string replaced = U"!" + base.substr(1);
      for (std::size_t i = 0; i < edits; ++i) replaced[size - 2 - i] = U'#';
      pairs.Add(base + U"?", replaced + U"*");
      const std::u32string detour =
          U"!" + base.substr(1, 69) + base.substr(70 + edits / 2) + std::u32string(edits / 2, U'#');
      pairs.Add(base + U"?", detour + U"*");
      pairs.Add(detour + U"*", base + U"?");
    }
    pairs.ExpectExactOnCpu();
  }
}

// Only one of the eight is unlike the others, in each lane in turn: given up, whether its text begins first
// or last.
TEST(LongGroupsTest, AreExactWhereOnePairNeedsMoreThanTheOthers) {
  RandomText random(46);
  for (const std::size_t size : {120, 200, 250, 600}) {
    for (const std::size_t odd_size : {size, size / 5}) {
      for (std::size_t odd = 0; odd < 8; ++odd) {
        DistancePairs pairs;
        for (std::size_t i = 0; i < 8; ++i) {
          const std::u32string base = random.String(kLetters, size);
          pairs.Add(base, i == odd ? random.String(kAscii, odd_size)
                                   : Like(base, kLetters, Likeness::kFewEdits, random));
        }
        pairs.ExpectExactOnCpu();
      }
    }
  }
}

// More columns than are kept at a time.
TEST(LongGroupsTest, AreExactForTextsOfAnyLength) {
  RandomText random(47);
  constexpr std::size_t kColumns = LaneSpace::kColumns;
  for (const std::size_t pattern_size : {20, 65, 150, 300, 700}) {
    DistancePairs pairs;
    for (const std::size_t text_size : {kColumns - 65, kColumns - 1, kColumns, kColumns + 1, kColumns + 33,
                                        2 * kColumns + 100, 3 * kColumns, std::size_t{70}}) {
      const std::u32string pattern = random.String(kLetters, pattern_size);
      pairs.Add(pattern, random.String(kLetters, text_size));
      pairs.Add(random.String(kLetters, text_size) + pattern + U"!", pattern);
    }
    pairs.ExpectExactOnCpu();
  }
}

// The first rows promise a narrow band, which the rest of the text makes long.
TEST(LongGroupsTest, AreExactForLongTextsThatBeginLikeThePattern) {
  RandomText random(51);
  for (const std::size_t size : {150, 250, 700}) {
    for (const std::size_t text_size :
         {LaneSpace::kColumns - 1, LaneSpace::kColumns + 1, 3 * LaneSpace::kColumns}) {
      DistancePairs pairs;
      for (int i = 0; i < 8; ++i) {
        const std::u32string pattern = random.String(kLetters, size);
        const std::u32string rest = random.String(kLetters, text_size - size);
        pairs.Add(U"!" + pattern.substr(1) + U"?", pattern + rest);
      }
      pairs.ExpectExactOnCpu();
    }
  }
}

// Symbols that the numbers of a byte stand for, and some more than there are of these.
TEST(LongGroupsTest, AreExactForNumberedSymbols) {
  for (const std::uint32_t symbols : {30, 127, 128, 129, 253, 254, 255, 256, 300}) {
    const Alphabet alphabet = {"astral", 0x20000, symbols};
    RandomText random(48);
    DistancePairs pairs;
    for (int i = 0; i < 30; ++i) {
      const auto [a, b] = AnyPair(100 + random.Below(400), alphabet, random);
      pairs.Add(a, b);
    }
    std::u32string all;
    for (std::uint32_t i = 0; i < symbols; ++i) all += SymbolOf(alphabet, i);
    for (int i = 0; i < 8; ++i) pairs.Add(all, U"x" + all.substr(1) + U"y");
    pairs.ExpectExactOnCpu();
  }
}

// Scripts with ASCII between, for which a byte is enough, and what is next to them, for which it is not.
TEST(LongGroupsTest, AreExactWhereBytesMayNameTheSymbols) {
  struct Script {
    Alphabet alphabet;
    char32_t distance = 0;  // to others that would get the same bytes
  };
  constexpr Script kScripts[] = {
      {{"latin-1", 0x80, 127}},
      {{"latin-1, to its end", 0x80, 128}},
      {{"latin", 0xC0, 128}},
      {{"lower half of a block", 0x400, 127}},
      {{"its end", 0x400, 128}},
      {{"upper half of a block", 0x380, 127}},
      {{"its end", 0x380, 128}},
      {{"two halves", 0x440, 128}},
      {{"two blocks", 0x4F0, 32}},
      {{"punctuation", 0x2010, 32}},
      {{"as ASCII", 0x100, 95}},
      {{"surrogate pairs", 0x1F600, 60}},
      {{"of other blocks", 0x430, 4}, 0x100},
      {{"of Latin-1", 0xB0, 4}, 0x380},
      {{"of other halves", 0x430, 4}, 0x80},
  };
  for (const Script& script : kScripts) {
    RandomText random(50);
    DistancePairs pairs;
    for (int i = 0; i < Rounds(60); ++i) {
      auto [a, b] = AnyPair(40 + random.Below(i % 10 == 0 ? 1200 : 500), kAscii, random);
      const std::uint32_t symbols = 1 + random.Below(random.Below(2) == 0 ? 3 : 200);
      for (std::u32string* text : {&a, &b}) {
        for (std::uint32_t k = 0; k < symbols; ++k) {
          const char32_t symbol = SymbolOf(script.alphabet, random.Below(script.alphabet.size));
          (*text)[random.Below(static_cast<std::uint32_t>(text->size()))] =
              symbol + script.distance * random.Below(2);
        }
      }
      pairs.Add(a, b);
    }
    pairs.ExpectExactOnCpu();
  }
}

TEST(LongGroupsTest, AreExactForRandomPairsInBatchesOfRandomSizes) {
  constexpr Alphabet kAlphabets[] = {{"two", U'a', 2}, {"four", U'a', 4},       kLetters,
                                     kAscii,           {"cyrillic", 0x430, 32}, {"cjk", 0x4E00, 3000}};
  RandomText random(49);
  for (int batch = 0; batch < Rounds(160); ++batch) {
    DistancePairs pairs;
    const Alphabet& alphabet = kAlphabets[random.Below(std::size(kAlphabets))];
    const std::uint32_t longest = random.Below(8) == 0 ? 1200 : 400;
    for (std::uint32_t count = 1 + random.Below(24); count > 0; --count) {
      const auto [a, b] = AnyPair(6 + random.Below(longest), alphabet, random);
      pairs.Add(a, b);
    }
    pairs.ExpectExactOnCpu();
  }
}

}  // namespace
}  // namespace leafscore::internal
