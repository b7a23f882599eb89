// kernels/word_groups_avx512.h: pairs of 65 to 512 rows, kWords words of 64 rows a pair in neighbouring
// lanes. Word w runs one column behind word w - 1, whose last row it continues: a wavefront. So lane w simply
// reads the text w characters earlier, and one bit of each horizontal vector crosses from lane to lane.
#ifndef LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_
#define LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_

#include "kernels/lanes_avx512.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

// The state of eight words: vertical differences, and the horizontal ones along the last row (bit 63).
struct WordLanes {
  __m512i vp = _mm512_set1_epi8(-1);
  __m512i vn = _mm512_setzero_si512();
  __m512i not_hp = _mm512_setzero_si512();
  __m512i hn = _mm512_setzero_si512();
};

// Takes eight words one column further; above_* hold in bit 63 the differences along the rows above them.
inline void WordStep(__m512i equal, __m512i above_not_hp, __m512i above_hn, WordLanes& lanes) {
  const __m512i x = _mm512_or_si512(equal, lanes.vn);
  equal = _mm512_or_si512(equal, _mm512_srli_epi64(above_hn, 63));
  const __m512i sum = _mm512_add_epi64(_mm512_and_si512(equal, lanes.vp), lanes.vp);
  const __m512i d = _mm512_ternarylogic_epi64(sum, lanes.vp, equal, 0xBE);  // (sum ^ vp) | equal
  lanes.not_hp = _mm512_ternarylogic_epi64(lanes.vn, d, lanes.vp, 0x0E);    // ~vn & (d | vp)
  lanes.hn = _mm512_and_si512(lanes.vp, d);
  const __m512i not_hp = _mm512_shldi_epi64(lanes.not_hp, above_not_hp, 1);
  const __m512i hn = _mm512_shldi_epi64(lanes.hn, above_hn, 1);
  lanes.vp = _mm512_ternarylogic_epi64(hn, x, not_hp, 0xF2);  // hn | (~x & not_hp)
  lanes.vn = _mm512_andnot_si512(not_hp, x);
}

// RETURNS: the sum of the vertical differences of the first `rows` rows from lane `first` on.
inline std::int64_t SumWords(const WordLanes& lanes, int first, std::uint32_t rows) {
  alignas(64) std::uint64_t vp[8];
  alignas(64) std::uint64_t vn[8];
  _mm512_store_si512(vp, lanes.vp);
  _mm512_store_si512(vn, lanes.vn);
  std::int64_t sum = 0;
  for (std::uint32_t w = 0; w * 64 < rows; ++w) {
    const std::uint64_t mask = _bzhi_u64(~std::uint64_t{0}, rows - w * 64 < 64 ? rows - w * 64 : 64);
    sum += _mm_popcnt_u64(vp[first + w] & mask) - _mm_popcnt_u64(vn[first + w] & mask);
  }
  return sum;
}

// Loads 64 text characters into each of eight lanes, from column `base - w` on for word w of a pair.
template <int kWords>
inline void LoadTexts(const WordPair* pairs, std::uint32_t count, std::uint32_t base, std::size_t offset,
                      __m512i rows[8]) {
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const std::uint32_t q = lane / kWords, w = lane % kWords;
    const bool runs = q < count && base < pairs[q].text_size + w;
    rows[lane] = runs ? _mm512_loadu_si512(pairs[q].text + offset + base - w) : _mm512_setzero_si512();
  }
}

template <int kWords>
inline void LoadPatterns(const WordPair* pairs, std::uint32_t count, std::size_t offset, __m512i planes[8]) {
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const std::uint32_t q = lane / kWords, row = lane % kWords * 64;
    const bool has_rows = q < count && row < pairs[q].pattern_size;
    planes[lane] = has_rows ? _mm512_loadu_si512(pairs[q].pattern + offset + row) : _mm512_setzero_si512();
  }
}

// Computes `count` pairs, at most 8 / kWords, of at most 64 * kWords rows each.
template <int kWords>
void RunWideGroup(const WordPair* pairs, std::uint32_t count, std::size_t high_offset,
                  std::uint32_t* distance) {
  alignas(64) std::uint64_t text_size[8] = {};
  std::uint32_t shortest = count < 8 / kWords ? 0 : ~0u;
  std::uint32_t longest = 0;
  for (std::uint32_t q = 0; q < count; ++q) {
    for (std::uint32_t w = 0; w < kWords; ++w) text_size[q * kWords + w] = pairs[q].text_size;
    if (pairs[q].text_size < shortest) shortest = pairs[q].text_size;
    if (pairs[q].text_size > longest) longest = pairs[q].text_size;
  }
  PatternPlanes planes;
  LoadPatterns<kWords>(pairs, count, 0, planes.low);
  CharactersToPlanes(planes.low);
  DifferentBits different(pairs[0].pattern[high_offset]);
  LoadPatterns<kWords>(pairs, count, high_offset, planes.high);
  different.Add(planes.high);
  CharactersToPlanes(planes.high);

  const __m512i sizes = _mm512_load_si512(text_size);
  const __m512i delay =
      _mm512_and_si512(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64(kWords - 1));
  const __mmask8 continues =
      _mm512_test_epi64_mask(delay, delay);  // lanes with another word of the pair above
  const std::uint32_t steps = longest + kWords - 1;
  WordLanes lanes;
  TextRows rows;
  const auto run_columns = [&]<Planes kPlanes>(std::uint32_t begin, std::uint32_t end) {
    __m512i chunk = ChunkIndex<64>(0);
    for (std::uint32_t j = begin; j < end; ++j) {
      const __m512i equal = MatchWords<kPlanes>(planes, rows, chunk, j);
      const __m512i above_not_hp = _mm512_maskz_alignr_epi64(continues, lanes.not_hp, lanes.not_hp, 7);
      const __m512i above_hn = _mm512_maskz_alignr_epi64(continues, lanes.hn, lanes.hn, 7);
      if (j >= kWords - 1 && j < shortest) {
        WordStep(equal, above_not_hp, above_hn, lanes);
      } else {
        WordLanes next = lanes;
        WordStep(equal, above_not_hp, above_hn, next);
        const __m512i column = _mm512_sub_epi64(_mm512_set1_epi64(j), delay);
        const __mmask8 running = _mm512_cmplt_epu64_mask(column, sizes);
        next.vp = _mm512_mask_mov_epi64(lanes.vp, running, next.vp);
        next.vn = _mm512_mask_mov_epi64(lanes.vn, running, next.vn);
        lanes = next;
      }
      if (j % 8 == 7) chunk = _mm512_add_epi8(chunk, _mm512_set1_epi8(1));
    }
  };
  for (std::uint32_t begin = 0; begin < steps; begin += 64) {
    const std::uint32_t end = steps - begin < 64 ? steps : begin + 64;
    LoadTexts<kWords>(pairs, count, begin, 0, rows.low);
    TransposeQuadwords(rows.low);
    LoadTexts<kWords>(pairs, count, begin, high_offset, rows.high);
    different.Add(rows.high);
    TransposeQuadwords(rows.high);
    const std::uint32_t bits = different.Bits();
    if ((bits & (bits - 1)) == 0) {
      planes.one_high = bits == 0 ? 0 : _tzcnt_u32(bits);
      run_columns.template operator()<Planes::kWideOneHigh>(begin, end);
    } else {
      run_columns.template operator()<Planes::kWideAllHigh>(begin, end);
    }
  }
  for (std::uint32_t q = 0; q < count; ++q) {
    const std::int64_t sum = SumWords(lanes, static_cast<int>(q * kWords), pairs[q].pattern_size);
    distance[pairs[q].index] = static_cast<std::uint32_t>(pairs[q].text_size + sum);
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_
