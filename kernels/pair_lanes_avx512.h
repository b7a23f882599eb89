// kernels/pair_lanes_avx512.h: the part of kernels/pair_lanes.h that depends on AVX-512: all eight lanes in
// one register.
#ifndef LEAFSCORE_KERNELS_PAIR_LANES_AVX512_H_
#define LEAFSCORE_KERNELS_PAIR_LANES_AVX512_H_

#include "kernels/lanes_avx512.h"
#include "kernels/pair_lanes.h"

namespace leafscore::internal {
namespace {

struct PairLanesAvx512 {
  using Part = __m512i;
  static constexpr std::uint32_t kParts = 1;
  static constexpr std::uint32_t kTileWords = 4;

  static Part Zero() { return _mm512_setzero_si512(); }
  static Part Ones() { return _mm512_set1_epi8(-1); }
  static Part Load(const std::uint64_t* row) { return _mm512_load_si512(row); }
  static void Store(std::uint64_t* row, Part a) { _mm512_store_si512(row, a); }
  static Part And(Part a, Part b) { return _mm512_and_si512(a, b); }
  static Part AndNot(Part a, Part b) { return _mm512_andnot_si512(b, a); }
  static Part AddOne(Part a) { return _mm512_add_epi64(a, _mm512_set1_epi64(1)); }
  static bool IsZero(Part a) { return _mm512_test_epi64_mask(a, a) == 0; }

  // Advances a word by one column. Bit 63 of `not_hp` and `hn` has the differences along the row above before
  // the call, and along the last row of the word after it.
  template <Above kAbove>
  [[gnu::always_inline]] static void Step(Part equal, Part& vp, Part& vn, Part& not_hp, Part& hn) {
    const Part x = _mm512_or_si512(equal, vn);
    if constexpr (kAbove == Above::kWord) equal = _mm512_or_si512(equal, _mm512_srli_epi64(hn, 63));
    const Part sum = _mm512_add_epi64(_mm512_and_si512(equal, vp), vp);
    const Part d = _mm512_ternarylogic_epi64(sum, vp, equal, 0xBE);      // (sum ^ vp) | equal
    const Part own_not_hp = _mm512_ternarylogic_epi64(vn, d, vp, 0x0E);  // ~vn & (d | vp)
    const Part own_hn = _mm512_and_si512(vp, d);
    const Part not_hp_above = kAbove == Above::kEdge ? _mm512_add_epi64(own_not_hp, own_not_hp)
                                                     : _mm512_shldi_epi64(own_not_hp, not_hp, 1);
    const Part hn_above =
        kAbove == Above::kWord ? _mm512_shldi_epi64(own_hn, hn, 1) : _mm512_add_epi64(own_hn, own_hn);
    vp = _mm512_ternarylogic_epi64(hn_above, x, not_hp_above, 0xF2);  // hn_above | (~x & not_hp_above)
    vn = _mm512_andnot_si512(not_hp_above, x);
    not_hp = own_not_hp;
    hn = own_hn;
  }

  // Two slots share half a register, and the lanes of two registers alternate in the result.
  static constexpr std::uint32_t kLaneOfSlot[8] = {0, 2, 4, 6, 1, 3, 5, 7};

  // Looks up the match words of two words. One load fetches both words for the lane of a slot, and for its
  // neighbour, which is not used. In total, this takes half the loads and operations of gathering each word,
  // and is faster on all but Intel's latest CPUs.
  [[gnu::always_inline]] static void MatchWords(const LaneSpace::MatchRow* rows, const std::uint16_t* offsets,
                                                std::uint32_t, Part (&equal)[2]) {
    const auto row = [&](std::uint32_t slot) {
      const auto* match = reinterpret_cast<const std::uint8_t*>(rows) + offsets[kLaneOfSlot[slot]];
      return _mm256_load_si256(reinterpret_cast<const __m256i*>(match + slot / 2 * 32));
    };
    const auto slots = [&](std::uint32_t slot) { return _mm256_blend_epi32(row(slot), row(slot + 1), 0xF0); };
    const __m512i even = _mm512_inserti64x4(_mm512_castsi256_si512(slots(0)), slots(2), 1);
    const __m512i odd = _mm512_inserti64x4(_mm512_castsi256_si512(slots(4)), slots(6), 1);
    equal[0] = _mm512_unpacklo_epi64(even, odd);
    equal[1] = _mm512_unpackhi_epi64(even, odd);
  }

  static void LoadPlanes(const std::uint8_t* const* rows, Part (&planes)[1][8]) {
    __m512i block[8];
    for (int q = 0; q < 8; ++q) block[q] = _mm512_loadu_si512(rows[q]);
    CharactersToPlanes(block);
    for (int b = 0; b < 8; ++b) planes[0][b] = block[b];
  }

  // Converts 64 symbols of each text to offsets of rows. The first `missing` symbols of a text become
  // kNoSymbol.
  static void StoreSymbolOffsets(const std::uint8_t* const* text, const std::uint32_t* missing,
                                 std::uint16_t (*offsets)[8]) {
    __m512i block[8];
    const __m512i no_symbol = _mm512_set1_epi8(static_cast<char>(LaneSpace::kNoSymbol));
    for (int q = 0; q < 8; ++q) {
      const __mmask64 present = ~_bzhi_u64(~std::uint64_t{0}, missing[q]);
      block[q] = _mm512_mask_loadu_epi8(no_symbol, present, text[q]);
    }
    TransposeRegisters(block);
    for (int z = 0; z < 8; ++z) {
      const __m512i columns = TransposeBytes(block[z]);
      const auto store = [&](int column, __m256i symbols) {
        _mm512_store_si512(offsets[8 * z + column], _mm512_slli_epi16(_mm512_cvtepu8_epi16(symbols), 7));
      };
      store(0, _mm512_castsi512_si256(columns));
      store(4, _mm512_extracti64x4_epi64(columns, 1));
    }
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PAIR_LANES_AVX512_H_
