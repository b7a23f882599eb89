// kernels/lane_table.h: converts eight pairs of strings to the input of kernels/pair_lanes.h: a table of
// match words of the patterns, and for each symbol of the texts, the offset of its row in the table.
//
// The table is built from bit planes: bit i of plane b is bit b of the symbol in row i. A symbol's match word
// is the AND of eight planes, each as it is or complemented. The 256 symbols are built in eighths of 32, with
// a tree of 62 ANDs for each. Four eighths are ASCII, and most texts use only some of them; the match words
// of unused eighths stay zero.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_LANE_TABLE_H_
#define LEAFSCORE_KERNELS_LANE_TABLE_H_

#include <cstdint>

#include "kernels/lane_band.h"
#include "kernels/lane_space.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {

template <typename V>
class LaneTable {
 public:
  static constexpr std::uint32_t kLanes = LaneSpace::kLanes;

  // Sets the match words of words 2u and 2u + 1 of all patterns.
  [[gnu::noinline]] static void BuildUnit(const WordPair* pairs, std::uint32_t count, std::uint32_t u,
                                          LaneSpace& space) {
    for (std::uint32_t half = 0; half < 2; ++half) {
      // A slot without rows repeats another slot, so that it adds no eighth; its match words are not used.
      const std::uint8_t* rows[kLanes];
      const std::uint8_t* some_rows = nullptr;
      for (std::uint32_t i = 0; i < kLanes; ++i) {
        const std::uint32_t q = V::kLaneOfSlot[(half * kLanes + i) / 2];
        const std::uint32_t row = 64 * (2 * u + i % 2);
        rows[i] = q < count && row < pairs[q].pattern_size ? pairs[q].pattern + row : nullptr;
        if (rows[i] != nullptr) some_rows = rows[i];
      }
      if (some_rows == nullptr) continue;
      for (const std::uint8_t*& slot : rows) slot = slot == nullptr ? some_rows : slot;

      Part planes[V::kParts][8];
      V::LoadPlanes(rows, planes);
      std::uint64_t* matches = space.table[u][0][half * kLanes / 2];
      bool* has_rows = space.has_rows[u][half];
      BuildHalf<0>(planes, matches, has_rows);
      BuildHalf<1>(planes, matches, has_rows);
    }
  }

  // Finds the symbols of 64 columns from `column` on, a multiple of 64.
  [[gnu::noinline]] static void FindSymbols(const WordPair* pairs, const LaneBand<V>& band,
                                            std::uint32_t column, LaneSpace& space) {
    const std::uint8_t* text[kLanes];
    std::uint32_t missing[kLanes];  // for each lane, how many of the columns come before its text
    for (std::uint32_t q = 0; q < kLanes; ++q) {
      const bool has_begun = q < band.count() && band.start(q) < column + 64;
      const std::uint8_t* begin = pairs[q < band.count() ? q : 0].text;
      missing[q] = !has_begun ? 64 : band.start(q) > column ? band.start(q) - column : 0;
      text[q] = has_begun ? begin + column - band.start(q) : begin;
    }
    V::StoreSymbolOffsets(text, missing, space.symbol_offsets + column % LaneSpace::kColumns);
  }

 private:
  static constexpr std::uint32_t kRowWords = sizeof(LaneSpace::MatchRow) / sizeof(std::uint64_t);
  using Part = typename V::Part;

  // Sets the match words of the 128 symbols whose bit 7 is kHalf.
  template <std::uint32_t kHalf>
  [[gnu::noinline]] static void BuildHalf(const Part (&planes)[V::kParts][8], std::uint64_t* matches,
                                          bool* has_rows) {
    Part root[V::kParts];
    bool is_empty = true;
    for (std::uint32_t p = 0; p < V::kParts; ++p) {
      root[p] = With<kHalf != 0>(V::Ones(), planes[p][7]);
      is_empty = is_empty && V::IsZero(root[p]);
    }
    bool* const has = has_rows + 4 * kHalf;
    if (is_empty && !(has[0] | has[1] | has[2] | has[3])) return;
    BuildEighth<4 * kHalf>(root, planes, matches, has_rows);
    BuildEighth<4 * kHalf + 1>(root, planes, matches, has_rows);
    BuildEighth<4 * kHalf + 2>(root, planes, matches, has_rows);
    BuildEighth<4 * kHalf + 3>(root, planes, matches, has_rows);
  }

  // Sets the match words of the 32 symbols from 32 * kEighth on. `half` already covers their bit 7.
  template <std::uint32_t kEighth>
  static void BuildEighth(const Part (&half)[V::kParts], const Part (&planes)[V::kParts][8],
                          std::uint64_t* matches, bool* has_rows) {
    Part root[V::kParts];
    bool is_empty = true;
    for (std::uint32_t p = 0; p < V::kParts; ++p) {
      root[p] = With<(kEighth >> 1 & 1) != 0>(half[p], planes[p][6]);
      root[p] = With<(kEighth & 1) != 0>(root[p], planes[p][5]);
      is_empty = is_empty && V::IsZero(root[p]);
    }
    const bool was_empty = !has_rows[kEighth];
    has_rows[kEighth] = !is_empty;
    if (is_empty && was_empty) return;
    for (std::uint32_t p = 0; p < V::kParts; ++p) {
      Branch<4>(root[p], planes[p], matches + 32 * kEighth * kRowWords + p * (kLanes / V::kParts));
    }
  }

  // Sets the match words of 2 << kBit symbols; `matches` already covers their higher bits.
  template <int kBit>
  [[gnu::always_inline]] static void Branch(Part matches, const Part (&planes)[8], std::uint64_t* row) {
    if constexpr (kBit < 0) {
      V::Store(row, matches);
    } else {
      Branch<kBit - 1>(With<false>(matches, planes[kBit]), planes, row);
      Branch<kBit - 1>(With<true>(matches, planes[kBit]), planes, row + (kRowWords << kBit));
    }
  }

  template <bool kIsSet>
  static Part With(Part matches, Part plane) {
    return kIsSet ? V::And(matches, plane) : V::AndNot(matches, plane);
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANE_TABLE_H_
