// kernels/pair_lanes_256.h: the part of kernels/pair_lanes.h that depends on 256 bits: the eight lanes are in
// two parts. The steps of the parts alternate, because one part alone would wait for its own results.
#ifndef LEAFSCORE_KERNELS_PAIR_LANES_256_H_
#define LEAFSCORE_KERNELS_PAIR_LANES_256_H_

#include "kernels/lanes_256.h"
#include "kernels/pair_lanes.h"

namespace leafscore::internal {
namespace {

struct PairLanes256 {
  using Part = Words;
  static constexpr std::uint32_t kParts = 2;
  static constexpr std::uint32_t kTileWords = 2;

  static Part Zero() { return Part(std::uint64_t{0}); }
  static Part Ones() { return Part(~std::uint64_t{0}); }
  static Part Load(const std::uint64_t* row) { return Part::load_aligned(row); }
  static void Store(std::uint64_t* row, const Part& a) { a.store_aligned(row); }
  static Part And(const Part& a, const Part& b) { return a & b; }
  static Part AndNot(const Part& a, const Part& b) { return leafscore::internal::AndNot(a, b); }
  static Part AddOne(const Part& a) { return a + Part(std::uint64_t{1}); }
  static bool IsZero(const Part& a) { return leafscore::internal::IsZero(a); }

  // Advances a word by one column. Bit 63 of `not_hp` and `hn` has the differences along the row above before
  // the call, and along the last row of the word after it.
  template <Above kAbove>
  static void Step(Part equal, Part& vp, Part& vn, Part& not_hp, Part& hn) {
    const Part x = equal | vn;
    const Part hn_in = hn >> 63;
    if constexpr (kAbove == Above::kWord) equal = equal | hn_in;
    const Part d = (((equal & vp) + vp) ^ vp) | equal;
    const Part own_not_hp = AndNot(d | vp, vn);
    const Part own_hn = vp & d;
    Part not_hp_above = own_not_hp + own_not_hp;
    Part hn_above = own_hn + own_hn;
    if constexpr (kAbove != Above::kEdge) not_hp_above = not_hp_above | not_hp >> 63;
    if constexpr (kAbove == Above::kWord) hn_above = hn_above | hn_in;
    vp = hn_above | AndNot(not_hp_above, x);
    vn = AndNot(x, not_hp_above);
    not_hp = own_not_hp;
    hn = own_hn;
  }

  // Two slots share a register, and the lanes of two registers alternate in the result.
  static constexpr std::uint32_t kLaneOfSlot[8] = {0, 2, 1, 3, 4, 6, 5, 7};

  // Looks up the match words of two words. One load gets both match words of a slot.
  static void MatchWords(const LaneSpace::MatchRow* rows, const std::uint16_t* offsets, std::uint32_t part,
                         Part (&equal)[2]) {
    const auto row = [&](std::uint32_t slot) {
      const auto* match = reinterpret_cast<const std::uint8_t*>(rows) + offsets[kLaneOfSlot[slot]];
      return match + slot / 2 * 32;
    };
    const auto slots = [&](std::uint32_t slot) { return LoadHalves(row(slot), row(slot + 1)); };
    const Words even = slots(4 * part), odd = slots(4 * part + 2);
    equal[0] = InterleaveLow(even, odd);
    equal[1] = InterleaveHigh(even, odd);
  }

  static void LoadPlanes(const std::uint8_t* const* rows, Part (&planes)[2][8]) {
    alignas(32) std::uint64_t bits[8][8];
    for (int q = 0; q < 8; q += 2) {
      Bytes symbols[4];
      for (int i = 0; i < 4; ++i)
        symbols[i] = leafscore::internal::Load<Bytes>(rows[q + i / 2] + 32 * (i % 2));
      for (int b = 7; b >= 0; --b) {
        StoreHighBits(symbols, bits[b] + q);
        for (Bytes& some : symbols) some = some + some;  // moves the next bit to the top
      }
    }
    for (int b = 0; b < 8; ++b) {
      for (int p = 0; p < 2; ++p) planes[p][b] = Part::load_aligned(bits[b] + 4 * p);
    }
  }

  // Converts 64 symbols of each text to offsets of rows. The first `missing` symbols of a text become
  // kNoSymbol.
  static void StoreSymbolOffsets(const std::uint8_t* const* text, const std::uint32_t* missing,
                                 std::uint16_t (*offsets)[8]) {
    for (int i = 0; i < 64; i += 16) {
      Block symbols[8];
      for (int q = 0; q < 8; ++q) {
        const int here = static_cast<int>(missing[q]) - i;
        symbols[q] = LoadSymbols(text[q] + i, here < 0 ? 0 : here, LaneSpace::kNoSymbol);
      }
      Block low[4], high[4];  // two texts interleaved, 8 columns each
      for (int q = 0; q < 4; ++q) Interleave8(symbols[2 * q], symbols[2 * q + 1], low[q], high[q]);
      StoreColumns(low, offsets + i);
      StoreColumns(high, offsets + i + 8);
    }
  }

 private:
  static void StoreColumns(const Block (&pairs)[4], std::uint16_t (*offsets)[8]) {
    Block a, b, c, d, columns[4];
    Interleave16(pairs[0], pairs[1], a, b);
    Interleave16(pairs[2], pairs[3], c, d);
    Interleave32(a, c, columns[0], columns[1]);
    Interleave32(b, d, columns[2], columns[3]);
    for (int k = 0; k < 4; ++k) StoreTimes128(columns[k], offsets[2 * k]);
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PAIR_LANES_256_H_
