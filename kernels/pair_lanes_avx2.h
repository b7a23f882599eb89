// kernels/pair_lanes_avx2.h: what kernels/pair_lanes.h needs of AVX2: the eight lanes in two registers, whose
// steps run side by side, as one alone would wait for its own results.
#ifndef LEAFSCORE_KERNELS_PAIR_LANES_AVX2_H_
#define LEAFSCORE_KERNELS_PAIR_LANES_AVX2_H_

#include "kernels/lanes_avx2.h"
#include "kernels/pair_lanes.h"

namespace leafscore::internal {
namespace {

struct PairLanesAvx2 {
  using Part = Words;
  static constexpr std::uint32_t kParts = 2;
  static constexpr std::uint32_t kTileWords = 2;

  static Part Zero() { return Part(_mm256_setzero_si256()); }
  static Part Ones() { return Part(_mm256_set1_epi8(-1)); }
  static Part Load(const std::uint64_t* row) { return Part::load_aligned(row); }
  static void Store(std::uint64_t* row, const Part& a) { a.store_aligned(row); }
  static Part And(const Part& a, const Part& b) { return a & b; }
  static Part AndNot(const Part& a, const Part& b) { return leafscore::internal::AndNot(a, b); }
  static Part AddOne(const Part& a) { return a + Part(_mm256_set1_epi64x(1)); }
  static bool IsZero(const Part& a) { return _mm256_testz_si256(a, a) != 0; }

  // Takes a word one column further. not_hp and hn come with the differences along the row above in bit 63,
  // and go with those of the word.
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

  // Two slots share a register, and two of these alternate in the lanes of the result.
  static constexpr std::uint32_t kLaneOfSlot[8] = {0, 2, 1, 3, 4, 6, 5, 7};

  // Looks up the match words of two words. A load brings both, for the lane of one slot and, of no use, of
  // its neighbour.
  static void MatchWords(const LaneSpace::MatchRow* rows, const std::uint16_t* offsets, std::uint32_t part,
                         Part (&equal)[2]) {
    const auto row = [&](std::uint32_t slot) {
      const auto* match = reinterpret_cast<const std::uint8_t*>(rows) + offsets[kLaneOfSlot[slot]];
      return LoadBytes(match + slot / 2 * 32);
    };
    const auto slots = [&](std::uint32_t slot) { return _mm256_blend_epi32(row(slot), row(slot + 1), 0xF0); };
    const __m256i even = slots(4 * part), odd = slots(4 * part + 2);
    equal[0] = Part(_mm256_unpacklo_epi64(even, odd));
    equal[1] = Part(_mm256_unpackhi_epi64(even, odd));
  }

  static void LoadPlanes(const std::uint8_t* const* rows, Part (&planes)[2][7]) {
    alignas(32) std::uint32_t bits[7][8][2];
    for (int q = 0; q < 8; ++q) {
      for (int half = 0; half < 2; ++half) {
        __m256i symbols = LoadBytes(rows[q] + 32 * half);
        for (int b = 6; b >= 0; --b) {
          symbols = _mm256_add_epi8(symbols, symbols);  // bit b comes to the top
          bits[b][q][half] = static_cast<std::uint32_t>(_mm256_movemask_epi8(symbols));
        }
      }
    }
    for (int b = 0; b < 7; ++b) {
      for (int p = 0; p < 2; ++p) planes[p][b] = Part(LoadBytes(bits[b][4 * p]));
    }
  }

  // Turns 64 symbols of each text, the first `missing` of which are none, into offsets of rows.
  static void StoreSymbolOffsets(const std::uint8_t* const* text, const std::uint32_t* missing,
                                 std::uint16_t (*offsets)[8]) {
    const __m128i places = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    for (int i = 0; i < 64; i += 16) {
      __m128i symbols[8];
      for (int q = 0; q < 8; ++q) {
        const auto* from = reinterpret_cast<const __m128i*>(text[q] + i);
        const int here = static_cast<int>(missing[q]) - i;
        const __m128i count = _mm_set1_epi8(static_cast<char>(here < 0 ? 0 : here));
        const __m128i none = _mm_cmpgt_epi8(count, places);
        const __m128i no_symbol = _mm_set1_epi8(static_cast<char>(LaneSpace::kNoSymbol));
        symbols[q] = _mm_blendv_epi8(_mm_loadu_si128(from), no_symbol, none);
      }
      __m128i low[4], high[4];  // two texts interleaved, 8 columns each
      for (int q = 0; q < 4; ++q) {
        low[q] = _mm_unpacklo_epi8(symbols[2 * q], symbols[2 * q + 1]);
        high[q] = _mm_unpackhi_epi8(symbols[2 * q], symbols[2 * q + 1]);
      }
      StoreColumns(low, offsets + i);
      StoreColumns(high, offsets + i + 8);
    }
  }

 private:
  static void StoreColumns(const __m128i (&pairs)[4], std::uint16_t (*offsets)[8]) {
    const __m128i a = _mm_unpacklo_epi16(pairs[0], pairs[1]), b = _mm_unpackhi_epi16(pairs[0], pairs[1]);
    const __m128i c = _mm_unpacklo_epi16(pairs[2], pairs[3]), d = _mm_unpackhi_epi16(pairs[2], pairs[3]);
    const __m128i columns[4] = {_mm_unpacklo_epi32(a, c), _mm_unpackhi_epi32(a, c), _mm_unpacklo_epi32(b, d),
                                _mm_unpackhi_epi32(b, d)};
    for (int k = 0; k < 4; ++k) {
      const __m256i rows = _mm256_slli_epi16(_mm256_cvtepu8_epi16(columns[k]), 7);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(offsets[2 * k]), rows);
    }
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PAIR_LANES_AVX2_H_
