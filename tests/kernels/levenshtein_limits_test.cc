// Ranges of pairs over a cap of cells, distances up to a cutoff, and tables in tiles: on every instruction
// set, against two rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/levenshtein.h"
#include "kernels/levenshtein_table.h"
#include "tests/kernels/guarded_column.h"
#include "tests/kernels/guarded_scratch.h"
#include "tests/kernels/random_text.h"
#include "tests/kernels/string_reference.h"
#include "tests/sanitized.h"

namespace leafscore::internal {
namespace {

using reference::TwoRowDistance;

constexpr Alphabet kLetters = {"letters", U'a', 26};
constexpr Alphabet kAlphabets[] = {{"two", U'a', 2},           kLetters,
                                   {"cyrillic", 0x430, 32},    {"latin", 1, 256},
                                   {"latin_and_more", 1, 400}, {"cjk", 0x4E00, 3000}};

using TextPair = std::pair<std::u32string, std::u32string>;
using TextPairs = std::vector<TextPair>;

struct Ranges {
  std::size_t inexact;
  std::vector<std::uint32_t> lower, upper;

  bool operator==(const Ranges&) const = default;
};

std::vector<std::string> Side(const TextPairs& pairs, std::u32string TextPair::*side) {
  std::vector<std::string> strings;
  for (const TextPair& pair : pairs) strings.push_back(ToUtf8(pair.*side));
  return strings;
}

// Two columns with guard pages behind their padding, and the scratch that they need.
struct Columns {
  explicit Columns(const TextPairs& pairs, const LevenshteinLimits& limits = {})
      : left(Side(pairs, &TextPair::first), GuardedEdge::kBack),
        right(Side(pairs, &TextPair::second), GuardedEdge::kBack),
        scratch(LevenshteinScratchBytes(left.column(), right.column(), limits)) {}

  Ranges Compute(const LevenshteinLimits& limits, Isa isa) const {
    Ranges ranges{0, std::vector(left.column().size, ~0u), std::vector(left.column().size, ~0u)};
    ranges.inexact = LevenshteinBatch(left.column(), right.column(), limits, ranges.lower, ranges.upper,
                                      scratch.span(), isa);
    return ranges;
  }

  GuardedColumn left, right;
  GuardedScratch scratch;
};

// Computes the ranges of all pairs, checks that all instruction sets agree, and returns them.
Ranges ComputeRanges(const TextPairs& pairs, const LevenshteinLimits& limits) {
  const Columns columns(pairs);
  const Ranges ranges = columns.Compute(limits, Isa::kPortable);
  for (const Isa isa : AvailableIsas()) EXPECT_EQ(columns.Compute(limits, isa), ranges) << IsaName(isa);
  std::size_t inexact = 0;
  for (std::size_t i = 0; i < pairs.size(); ++i) inexact += ranges.lower[i] != ranges.upper[i];
  EXPECT_EQ(ranges.inexact, inexact);
  return ranges;
}

// Returns pairs that are alike in every way that bounds might stumble upon.
TextPairs PairsOfAllKinds(const Alphabet& alphabet, std::size_t size, std::uint32_t seed) {
  RandomText random(seed);
  const std::u32string base = random.String(alphabet, size);
  std::u32string near = base;
  for (std::size_t edits = 0; edits < size / 10; ++edits) random.Edit(alphabet, near);
  const std::u32string shift = random.String(alphabet, size / 5);
  TextPairs pairs = {
      {base, base},
      {base, near},
      {base, random.String(alphabet, size)},
      {base, random.String(alphabet, size / 3)},
      {base, random.String({"other", 0x10000, 50}, size)},
      {base, shift + base},
      {base, shift + base.substr(0, size - size / 5) + U"!"},
      {base, base.substr(size / 2) + base.substr(0, size / 2)},
      {base, U"!" + base.substr(1)},
      {base, base.substr(0, size - 1) + U"!"},
      {base, U"!" + base + U"!"},
      {base, U""},
  };
  const std::size_t count = pairs.size();
  for (std::size_t i = 0; i < count; ++i) pairs.push_back({pairs[i].second, pairs[i].first});
  return pairs;
}

TEST(LevenshteinRangeTest, HoldsTheDistance) {
  for (const Alphabet& alphabet : kAlphabets) {
    for (const std::size_t size : {1, 3, 10, 64, 255, 256, 257, 600, 1500}) {
      const TextPairs pairs = PairsOfAllKinds(alphabet, size, 11);
      const Ranges ranges = ComputeRanges(pairs, {.max_cells = 0, .cutoff = ~0u});
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::uint32_t distance = TwoRowDistance(pairs[i].first, pairs[i].second);
        EXPECT_LE(ranges.lower[i], distance) << alphabet.name << ", " << size << ", pair " << i;
        EXPECT_GE(ranges.upper[i], distance) << alphabet.name << ", " << size << ", pair " << i;
      }
    }
  }
}

TEST(LevenshteinRangeTest, IsOneNumberForEqualStringsAndOneEditAnywhere) {
  RandomText random(12);
  const std::u32string base = random.String(kLetters, 700);
  TextPairs pairs = {{U"", U""}, {base, base}, {U"", base}};
  std::vector<std::uint32_t> distances = {0, 0, 700};
  for (std::size_t at = 0; at < base.size(); at += 50) {
    std::u32string inserted = base, deleted = base, replaced = base;
    inserted.insert(at, 1, U'!');
    deleted.erase(at, 1);
    replaced[at] = U'!';
    for (const std::u32string& other : {inserted, deleted, replaced}) pairs.push_back({base, other});
    distances.insert(distances.end(), {1, 1, 1});
  }
  const Ranges ranges = ComputeRanges(pairs, {.max_cells = 0, .cutoff = ~0u});
  EXPECT_EQ(ranges.lower, distances);
  EXPECT_EQ(ranges.upper, distances);
}

// From below counts each character as often as it occurs on both sides.
TEST(LevenshteinRangeTest, CountsEachCharacterOnceFromBelow) {
  const std::u32string many(2000, U'a'), less(999, U'b'), one_of_it = less + U"a" + less + U"b";
  const Ranges ranges =
      ComputeRanges({{many, one_of_it}, {one_of_it, many}}, {.max_cells = 0, .cutoff = ~0u});
  EXPECT_EQ(ranges.lower, (std::vector<std::uint32_t>{1999, 1999}));
}

// Returns the distances of a pattern to the first 0, 1, 2, ... symbols of a text.
std::vector<std::uint32_t> DistancesToPrefixes(std::u32string_view pattern, std::u32string_view text) {
  std::vector<std::uint32_t> row(text.size() + 1);
  std::iota(row.begin(), row.end(), 0u);
  for (const char32_t symbol : pattern) {
    std::uint32_t diagonal = std::exchange(row[0], row[0] + 1);
    for (std::size_t j = 1; j < row.size(); ++j) {
      const std::uint32_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (symbol != text[j - 1])});
      diagonal = above;
    }
  }
  return row;
}

// Returns the upper bound by its definition (kernels/long_pair.h). A rest of less than a window is compared
// with the end of the other rest.
std::uint32_t GreedyDistance(std::u32string_view a, std::u32string_view b) {
  const auto prefix = [&] { return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()); };
  const auto skip = [&](std::size_t of_a, std::size_t of_b) {
    a.remove_prefix(of_a);
    b.remove_prefix(of_b);
  };
  skip(prefix(), prefix());
  while (!a.empty() && !b.empty() && a.back() == b.back()) a.remove_suffix(1), b.remove_suffix(1);
  if (a.size() > b.size()) std::swap(a, b);
  const std::size_t longer = b.size();
  std::size_t cost = 0;
  for (;;) {
    const std::size_t same = prefix();
    skip(same, same);
    if (a.size() < 256 || b.empty()) break;
    const std::vector<std::uint32_t> distances = DistancesToPrefixes(a.substr(0, 256), b.substr(0, 512));
    std::size_t best = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t j = 0; j < distances.size(); ++j) {
      const std::int64_t surplus =
          static_cast<std::int64_t>(b.size() - j) - static_cast<std::int64_t>(a.size() - 256);
      const std::int64_t estimate = 4 * std::int64_t{distances[j]} + std::abs(surplus);
      if (estimate < least) least = estimate, best = j;
    }
    cost += distances[best];
    skip(256, best);
  }
  const std::size_t inserted = b.size() - std::min<std::size_t>(b.size(), kTileColumns);
  skip(0, inserted);
  cost += inserted + DistancesToPrefixes(a, b).back();
  return static_cast<std::uint32_t>(std::min(cost, longer));
}

// Returns the lower bound by its definition: only symbols that both strings have can cost nothing.
std::uint32_t DistanceByCounts(std::u32string a, std::u32string b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::u32string common;
  std::ranges::set_intersection(a, b, std::back_inserter(common));
  return static_cast<std::uint32_t>(std::max(a.size(), b.size()) - common.size());
}

TEST(LevenshteinRangeTest, IsTheGreedyDistanceFromAboveAndThatByCountsFromBelow) {
  EXPECT_EQ(GreedyDistance(U"kitten", U"sitting"), 3u);
  EXPECT_EQ(GreedyDistance(U"", U"abc"), 3u);
  for (const Alphabet& alphabet : {kAlphabets[0], kLetters, kAlphabets[5]}) {
    RandomText random(17);
    TextPairs pairs;
    for (const std::size_t size : {255, 256, 257, 600, 1500}) {
      const TextPairs kinds = PairsOfAllKinds(alphabet, size, 18);
      pairs.insert(pairs.end(), kinds.begin(), kinds.end());
    }
    // One window exactly, and texts of more than a tile.
    for (const std::size_t size : {256, 300, 9000}) {
      for (int i = 0; i < 6; ++i) {
        pairs.push_back({U"<" + random.String(alphabet, 254) + U">", random.String(alphabet, size)});
      }
      pairs.push_back({U"<" + random.String(alphabet, 98) + U">", random.String(alphabet, size)});
    }
    // The text is used up long before the pattern: it has something ahead of each window.
    std::u32string pattern, text;
    for (int window = 0; window < 3; ++window) {
      const std::u32string same = random.String(alphabet, 256);
      pattern += same;
      text += random.String({"other", 0x10000, 50}, 100) + same;
    }
    pairs.push_back({pattern + random.String({"third", 0x20000, 50}, 300), text});
    const Ranges ranges = ComputeRanges(pairs, {.max_cells = 0, .cutoff = ~0u});
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      EXPECT_EQ(ranges.upper[i], GreedyDistance(pairs[i].first, pairs[i].second))
          << alphabet.name << ' ' << i;
      EXPECT_EQ(ranges.lower[i], DistanceByCounts(pairs[i].first, pairs[i].second))
          << alphabet.name << ' ' << i;
    }
  }
}

// The greedy alignment follows shifts and pays for little more than the edits.
TEST(LevenshteinRangeTest, IsNarrowFromAboveForAlikeTexts) {
  RandomText random(13);
  const std::u32string base = random.String(kLetters, 5000);
  std::u32string near = base;
  for (int edits = 0; edits < 500; ++edits) random.Edit(kLetters, near);
  const TextPairs pairs = {{base, near}, {base, random.String(kLetters, 100) + base.substr(0, 4900) + U"!"}};
  const Ranges ranges = ComputeRanges(pairs, {.max_cells = 0, .cutoff = ~0u});
  EXPECT_LE(ranges.upper[0], 500u);
  EXPECT_LE(ranges.upper[1], 200u);
}

TEST(LevenshteinRangeTest, BeginsAboveTheCap) {
  // Letters in opposite order: the counts say nothing, and 16 cells are in the table whatever is around them.
  const TextPairs pairs = {{U"abcd", U"dcba"},
                           {U"same abcd same", U"same dcba same"},
                           {U"дом абвг дом", U"дом гвба дом"},
                           {U"東京\U0001F600", U"\U0001F600京東山"}};
  const std::uint64_t cells[] = {16, 16, 16, 12};
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Columns columns({pairs[i]});
    EXPECT_EQ(LevenshteinCells(columns.left.column(), columns.right.column()), cells[i]) << i;
    const std::uint32_t distance = TwoRowDistance(pairs[i].first, pairs[i].second);
    for (const int difference : {-1, 0, 1}) {
      const Ranges ranges = ComputeRanges(
          {pairs[i]}, {.max_cells = cells[i] + static_cast<std::uint64_t>(difference), .cutoff = ~0u});
      EXPECT_EQ(ranges.inexact, difference < 0 ? 1u : 0u) << i << ", " << difference;
      EXPECT_EQ(ranges.upper[0], distance);
    }
  }
}

TEST(LevenshteinRangeTest, LeavesTheRestOfTheBatchExact) {
  RandomText random(14);
  TextPairs pairs;
  for (int i = 0; i < 500; ++i) {
    const Alphabet& alphabet = kAlphabets[random.Below(std::size(kAlphabets))];
    std::u32string base = random.String(alphabet, random.Below(70));
    std::u32string other = random.String(alphabet, random.Below(70));
    pairs.push_back({std::move(base), std::move(other)});
  }
  constexpr std::uint64_t kCap = 1000;
  const Ranges ranges = ComputeRanges(pairs, {.max_cells = kCap, .cutoff = ~0u});
  EXPECT_GT(ranges.inexact, 50u);
  EXPECT_LT(ranges.inexact, 450u);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::uint32_t distance = TwoRowDistance(pairs[i].first, pairs[i].second);
    EXPECT_LE(ranges.lower[i], distance);
    EXPECT_GE(ranges.upper[i], distance);
    if (pairs[i].first.size() * pairs[i].second.size() <= kCap) {
      EXPECT_EQ(ranges.lower[i], distance);
    }
  }
}

// 10^14 cells a pair: anything that is not linear would not end.
TEST(LevenshteinRangeTest, TakesLinearTime) {
  constexpr std::size_t kSize = Rounds(10'000'000);
  RandomText random(15);
  const std::u32string base = random.String(kLetters, kSize);
  const std::u32string wide = random.String({"cjk", 0x4E00, 3000}, kSize / 2);
  const auto range = [&](const std::u32string& a, const std::u32string& b) {
    const Ranges ranges =
        Columns({{a, b}}).Compute({.max_cells = 10'000'000'000, .cutoff = ~0u}, ActiveIsa());
    return std::pair(ranges.lower[0], ranges.upper[0]);
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(range(base, base), Range(0, 0));
  EXPECT_EQ(range(base, U"!" + base + U"!"), Range(2, 2));
  EXPECT_EQ(range(base, random.String({"upper", U'A', 26}, kSize)), Range(kSize, kSize));
  const Range shifted = range(base, random.String(kLetters, 100) + base.substr(0, kSize - 100));
  EXPECT_GT(shifted.second, 100u);
  EXPECT_LE(shifted.second, 200u);
  const Range unrelated = range(base, random.String(kLetters, kSize));
  EXPECT_LT(unrelated.first, kSize / 100);
  EXPECT_GT(unrelated.second, kSize / 2);
  EXPECT_LE(unrelated.second, kSize);
  EXPECT_LE(range(wide, wide.substr(7) + wide.substr(0, 7)).second, 14u);
}

// A string of 1 GB asked for 38 GB, most of it for tables that the limits rule out.
TEST(LevenshteinRangeTest, NeedsLittleScratchForLongStringsOverTheCap) {
  constexpr std::size_t kSize = 20'000'000;
  constexpr std::size_t kOfShortStrings = 64u << 20;
  const LevenshteinLimits limits{.max_cells = 1u << 30};
  const std::string long_text(kSize, 'a');
  std::string cjk;
  for (std::size_t i = 0; i < kSize / 3; ++i) cjk += "東";
  const auto scratch_bytes = [&](const std::string& left, const std::string& right) {
    const GuardedColumn left_column({left}, GuardedEdge::kBack);
    const GuardedColumn right_column({right}, GuardedEdge::kBack);
    return LevenshteinScratchBytes(left_column.column(), right_column.column(), limits);
  };
  EXPECT_LE(scratch_bytes(long_text, std::string(kSize, 'b')), kOfShortStrings);
  EXPECT_LE(scratch_bytes(long_text, std::string(50, 'b')), kOfShortStrings);
  EXPECT_LE(scratch_bytes(long_text, long_text), kOfShortStrings);
  EXPECT_LE(scratch_bytes(cjk, std::string(50, 'b')), kOfShortStrings + 4 * kSize / 3);
  EXPECT_LE(scratch_bytes(cjk, std::string(kSize, 'b')), kOfShortStrings + 4 * kSize / 3 + 4 * kSize);
}

// Around the sizes by which scratch is given. The shorter text is what is left of the longer one when the
// others are deleted.
TEST(LevenshteinRangeTest, KeepsWithinTheScratchOfLongStrings) {
  RandomText random(16);
  for (const Alphabet& alphabet : {kLetters, kAlphabets[4], kAlphabets[5]}) {
    const std::u32string base = random.String(alphabet, (1u << 20) + 1000);
    for (const std::size_t size :
         kSanitized ? std::vector<std::size_t>{65} : std::vector<std::size_t>{0, 64, 65, 600}) {
      std::u32string rest;
      for (std::size_t i = 0; i < size; ++i) rest += base[1000 * i + 500];
      const auto distance = static_cast<std::uint32_t>(base.size() - size);
      const std::uint64_t cells = std::uint64_t{base.size()} * size;
      for (const LevenshteinLimits& limits :
           {LevenshteinLimits{.max_cells = cells}, {.max_cells = cells / 2}, {.cutoff = distance}}) {
        const Columns columns({{base, rest}, {rest, base}}, limits);
        for (const Isa isa : AvailableIsas()) {
          const Ranges ranges = columns.Compute(limits, isa);
          for (const std::size_t i : {0, 1}) {
            EXPECT_LE(ranges.lower[i], distance) << alphabet.name << ", " << size << IsaName(isa);
            EXPECT_GE(ranges.upper[i], distance) << alphabet.name << ", " << size << IsaName(isa);
          }
          EXPECT_TRUE(ranges.inexact == 0 || limits.max_cells < cells);
        }
      }
    }
  }
}

// Code points that agree in their low bits, so that a hash table by these bits would search long for each: as
// long as it is full.
TEST(LevenshteinRangeTest, TakesLinearTimeForAnyCodePoints) {
  constexpr std::uint32_t kHalf = 43'500;
  std::u32string different;
  for (const char32_t first : {0x10000u, 0x90000u}) {
    for (std::uint32_t i = 0; i < kHalf; ++i) different += first + i;
  }
  const TextPairs pairs(50, {different, std::u32string(2 * kHalf, different.back())});
  const Ranges ranges = Columns(pairs).Compute({.max_cells = 0, .cutoff = ~0u}, ActiveIsa());
  EXPECT_EQ(ranges.lower, std::vector(pairs.size(), 2 * kHalf - 1));
  EXPECT_EQ(ranges.upper, std::vector(pairs.size(), 2 * kHalf - 1));
}

TEST(LevenshteinCutoffTest, IsExactUpToEveryCutoff) {
  for (const Alphabet& alphabet : kAlphabets) {
    TextPairs pairs;
    for (const std::size_t size : {1, 8, 40, 64, 65, 130}) {
      const TextPairs kinds = PairsOfAllKinds(alphabet, size, 21);
      pairs.insert(pairs.end(), kinds.begin(), kinds.end());
    }
    std::vector<std::uint32_t> distances;
    for (const auto& [a, b] : pairs) distances.push_back(TwoRowDistance(a, b));
    for (std::uint32_t cutoff = 0; cutoff <= 160; ++cutoff) {
      std::vector<std::uint32_t> expected = distances;
      for (std::uint32_t& distance : expected) distance = std::min(distance, cutoff + 1);
      const Ranges ranges = ComputeRanges(pairs, {.max_cells = ~0ull, .cutoff = cutoff});
      ASSERT_EQ(ranges.lower, expected) << alphabet.name << ", " << cutoff;
      ASSERT_EQ(ranges.upper, expected) << alphabet.name << ", " << cutoff;
    }
  }
}

// Long enough for a band.
TEST(LevenshteinCutoffTest, IsExactAroundTheDistanceOfLongPairs) {
  for (const Alphabet& alphabet : kAlphabets) {
    RandomText random(22);
    const std::u32string base = random.String(alphabet, 4000);
    TextPairs pairs;
    for (const int edits : {3, 60, 900}) {
      std::u32string near = base;
      for (int i = 0; i < edits; ++i) random.Edit(alphabet, near);
      pairs.push_back({base, near});
    }
    pairs.push_back({random.String(alphabet, 300) + base, base.substr(0, 3500) + random.String(alphabet, 2)});
    pairs.push_back({base, random.String(alphabet, 3000)});
    for (const TextPair& pair : pairs) {
      const std::uint32_t distance = TwoRowDistance(pair.first, pair.second);
      const Columns columns({pair});
      for (const Isa isa : AvailableIsas()) {
        const auto expect_at = [&](std::uint32_t cutoff) {
          const std::vector expected = {std::min(distance, cutoff + 1)};
          const Ranges ranges = columns.Compute({.max_cells = ~0ull, .cutoff = cutoff}, isa);
          EXPECT_EQ(ranges.lower, expected) << alphabet.name << ", " << IsaName(isa) << ", " << cutoff;
          EXPECT_EQ(ranges.upper, expected) << alphabet.name << ", " << IsaName(isa) << ", " << cutoff;
        };
        for (std::uint32_t cutoff = distance < 5 ? 0 : distance - 5; cutoff <= distance + 5; ++cutoff) {
          expect_at(cutoff);
        }
        for (const std::uint32_t cutoff : {0u, 1u, distance / 2, 2 * distance, 10'000u}) expect_at(cutoff);
      }
    }
  }
}

TEST(LevenshteinCutoffTest, BoundsTheRangesOverTheCap) {
  const TextPairs pairs = {{U"abcd", U"dcba"}};  // from 0 to 4
  const auto range = [&](std::uint32_t cutoff) {
    const Ranges ranges = ComputeRanges(pairs, {.max_cells = 0, .cutoff = cutoff});
    return std::pair(ranges.lower[0], ranges.upper[0]);
  };
  using Range = std::pair<std::uint32_t, std::uint32_t>;
  EXPECT_EQ(range(2), Range(0, 3));
  EXPECT_EQ(range(4), Range(0, 4));
  const TextPairs disjoint = {{U"abcd", U"ABCD"}};
  const Ranges ranges = ComputeRanges(disjoint, {.max_cells = 0, .cutoff = 1});
  EXPECT_EQ(ranges.inexact, 0u);
  EXPECT_EQ(ranges.upper[0], 2u);
}

// Returns the tiles in one of three orders that they may run in: along the rows, along the columns, and along
// the diagonals from below.
std::vector<std::pair<std::uint32_t, std::uint32_t>> TilesInOrder(const LevenshteinTable& table, int order) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tiles;
  for (std::uint32_t r = 0; r < table.tile_rows(); ++r) {
    for (std::uint32_t c = 0; c < table.tile_columns(); ++c) tiles.push_back({r, c});
  }
  std::ranges::stable_sort(tiles, {}, [&](const auto& tile) {
    const auto [row, column] = tile;
    return order == 0   ? std::pair(row, column)
           : order == 1 ? std::pair(column, row)
                        : std::pair(row + column, ~row);
  });
  return tiles;
}

void ExpectExactTables(const TextPair& pair) {
  const Columns columns({pair});
  const GuardedScratch scratch(LevenshteinTable::ScratchBytes(columns.left.column(), columns.right.column()));
  const GuardedScratch tile_scratch(LevenshteinTable::TileScratchBytes());
  const std::uint32_t distance = TwoRowDistance(pair.first, pair.second);
  const auto longer = static_cast<std::uint32_t>(std::max(pair.first.size(), pair.second.size()));
  const auto surplus = longer - static_cast<std::uint32_t>(std::min(pair.first.size(), pair.second.size()));
  for (const Isa isa : AvailableIsas()) {
    const auto compute = [&](std::uint32_t at_most, int order) {
      LevenshteinTable table =
          LevenshteinTable::Of(columns.left.column(), columns.right.column(), at_most, scratch.span(), isa);
      for (const auto& [row, column] : TilesInOrder(table, order))
        table.RunTile(row, column, tile_scratch.span());
      return table.Distance();
    };
    for (const int order : {0, 1, 2}) {
      EXPECT_EQ(compute(longer, order), distance) << IsaName(isa);
      EXPECT_EQ(compute(distance, order), distance) << IsaName(isa);
    }
    for (const std::uint32_t at_most : {surplus, (surplus + distance) / 2}) {
      EXPECT_GE(compute(at_most, 0), distance) << IsaName(isa);
    }
  }
}

TEST(LevenshteinTableTest, IsExactForSmallTables) {
  for (const Alphabet& alphabet : kAlphabets) {
    RandomText random(31);
    for (const std::size_t a : {1, 63, 64, 65, 255, 257, 511, 513, 1023, 1024, 1025, 2049}) {
      for (const std::size_t b : {1, 15, 16, 17, 700}) {
        ExpectExactTables({random.String(alphabet, a) + U"a!", random.String(alphabet, b) + U"b?"});
      }
    }
  }
}

// Numbers of symbols take a byte or more; 0 stands for symbols that only the text has.
TEST(LevenshteinTableTest, IsExactForAsManySymbolsAsAByteHas) {
  for (const std::uint32_t count : {254, 255, 256, 257}) {
    ExpectExactTables(TextsOfSymbols(count));
  }
}

// There is room for the rows of the shorter string alone. Rows of the longer one would fill everything
// behind.
TEST(LevenshteinTableTest, KeepsWithinItsScratchForALetterBesideMillions) {
  ExpectExactTables({U"b", std::u32string(8 * (LevenshteinTable::TileScratchBytes() + 4096), U'a')});
}

TEST(LevenshteinTableTest, IsExactAroundTheEdgesOfTiles) {
  static_assert(kTileRows == 8192 && kTileColumns == 8192);
  for (const Alphabet& alphabet : {kAlphabets[1], kAlphabets[2], kAlphabets[5]}) {
    RandomText random(32);
    for (const auto& [a, b] : {std::pair(8191, 8192), {8193, 8191}, {300, 24'577}, {16'385, 100}}) {
      const std::u32string left = random.String(alphabet, static_cast<std::size_t>(a));
      ExpectExactTables({U"!" + left, random.String(alphabet, static_cast<std::size_t>(b)) + U"?"});
    }
    const std::u32string base = random.String(alphabet, 16'500);
    std::u32string near = base;
    for (int edits = 0; edits < 2000; ++edits) random.Edit(alphabet, near);
    ExpectExactTables({U"!" + base, near + U"?"});
  }
}

}  // namespace
}  // namespace leafscore::internal
