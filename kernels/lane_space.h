// kernels/lane_space.h: the memory of kernels/pair_lanes.h, which computes eight pairs at once, one in each
// lane of 64 bits. The arrays are in the caller's scratch and have the same layout on every instruction set.
// A row has one number for each lane. One thread at a time.
#ifndef LEAFSCORE_KERNELS_LANE_SPACE_H_
#define LEAFSCORE_KERNELS_LANE_SPACE_H_

#include <cstdint>

namespace leafscore::internal {

struct LaneSpace {
  static constexpr std::uint32_t kLanes = 8;
  static constexpr std::uint32_t kMaxWords = 80;  // words of 64 rows in a pattern
  // Symbols 0 to 254, kNoSymbol, and a row of padding, so that not all rows of a symbol are in the same cache
  // sets.
  static constexpr std::uint32_t kSymbols = 257;
  static constexpr std::uint32_t kNoSymbol = 255;  // before a text begins: it matches no row of a pattern
  static constexpr std::uint32_t kColumns = 2048;  // columns kept at a time; column c is at c % kColumns

  using Row = std::uint64_t[kLanes];

  // Differences along the last row of the words above, in bit 63: it is set in not_hp if the difference is
  // not +1, and in hn if it is -1.
  struct alignas(64) Carry {
    Row not_hp;
    Row hn;
  };

  // The match words for two words of the patterns: bit i of MatchRow[lane's slot][w % 2] says whether row 64w
  // + i of the lane's pattern is the symbol. Each instruction set orders the slots as it needs them.
  using MatchRow = std::uint64_t[kLanes][2];
  alignas(64) MatchRow table[kMaxWords / 2][kSymbols];
  // For each unit, half of the slots and eighth of the symbols: whether any match words are not zero.
  bool has_rows[kMaxWords / 2][2][8];
  // The byte offset of each lane's symbol row in a part of the table.
  alignas(64) std::uint16_t symbol_offsets[kColumns][kLanes];
  Carry carries[kColumns];
  // Vertical differences of each word at its current column: "+1", "-1".
  Row vp[kMaxWords];
  Row vn[kMaxWords];

  // Prepares the memory for the first group of pairs.
  void Clear();
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANE_SPACE_H_
