// kernels/word_groups_avx512.h: pairs of 65 to 512 rows, kWords words of 64 rows a pair in neighbouring
// lanes. The words run as a wavefront: word w is one column behind word w - 1 and starts from its last row.
// So lane w reads the text w characters earlier, and one bit of each horizontal vector passes from lane to
// lane.
#ifndef LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_
#define LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_

#include "kernels/byte_matches_avx512.h"
#include "kernels/lanes_avx512.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

// The state of eight words: the vertical differences, and in bit 63 the horizontal differences along the last
// row.
struct WordLanes {
  __m512i vp = _mm512_set1_epi8(-1);
  __m512i vn = _mm512_setzero_si512();
  __m512i not_hp = _mm512_setzero_si512();
  __m512i hn = _mm512_setzero_si512();
};

// Advances eight words by one column; bit 63 of above_* has the differences along the rows above them.
[[gnu::always_inline]] inline void WordStep(__m512i equal, __m512i above_not_hp, __m512i above_hn,
                                            WordLanes& lanes) {
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

// Advances eight words over all columns of their texts. `load_texts` is as in ForEachColumn.
template <int kWords, Symbols kSymbols, class LoadTexts>
[[gnu::always_inline]] inline WordLanes RunWordColumns(const LaneRows& patterns, const SpreadTexts& texts,
                                                       __m512i text_size, std::uint32_t shortest,
                                                       std::uint32_t longest, const LoadTexts& load_texts) {
  const __m512i delay =
      _mm512_and_si512(_mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0), _mm512_set1_epi64(kWords - 1));
  const __mmask8 continues =
      _mm512_test_epi64_mask(delay, delay);  // lanes with another word of the pair above
  WordLanes lanes;
  ForEachColumn<kWords, kSymbols>(
      patterns, texts, longest + kWords - 1, kWords - 1, shortest, load_texts,
      [&]<bool kIsFull>(__m512i equal, std::uint32_t j) {
        const __m512i above_not_hp = _mm512_maskz_alignr_epi64(continues, lanes.not_hp, lanes.not_hp, 7);
        const __m512i above_hn = _mm512_maskz_alignr_epi64(continues, lanes.hn, lanes.hn, 7);
        if (kIsFull) return WordStep(equal, above_not_hp, above_hn, lanes);
        WordLanes next = lanes;
        WordStep(equal, above_not_hp, above_hn, next);
        const __m512i column = _mm512_sub_epi64(_mm512_set1_epi64(j), delay);
        const __mmask8 running = _mm512_cmplt_epu64_mask(column, text_size);
        next.vp = _mm512_mask_mov_epi64(lanes.vp, running, next.vp);
        next.vn = _mm512_mask_mov_epi64(lanes.vn, running, next.vn);
        lanes = next;
      });
  return lanes;
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
  const __m512i sizes = _mm512_load_si512(text_size);
  const __m512i reference = _mm512_set1_epi8(static_cast<char>(pairs[0].pattern[high_offset]));

  // One byte a symbol, if all strings of the group allow it.
  JoinedBytes joined;
  LaneRows patterns;
  for (std::uint32_t lane = 0; lane < 8; ++lane) {
    const std::uint32_t q = lane / kWords, row = lane % kWords * 64;
    const bool has_rows = q < count && row < pairs[q].pattern_size;
    const std::uint8_t* rows = has_rows ? pairs[q].pattern + row : pairs[0].pattern;
    patterns.low[lane] = _mm512_loadu_si512(rows);
    patterns.high[lane] = _mm512_loadu_si512(rows + high_offset);
    joined.Add(patterns.low[lane], patterns.high[lane], reference);
  }
  for (std::uint32_t q = 0; q < count; ++q) {
    for (std::uint32_t column = 0; column < pairs[q].text_size; column += 64) {
      const std::uint8_t* text = pairs[q].text + column;
      joined.Add(_mm512_loadu_si512(text), _mm512_loadu_si512(text + high_offset), reference);
    }
  }
  SpreadTexts texts;
  // Texts are loaded beyond their end, too, since the words after the first one lag behind.
  const auto load = [&](std::uint32_t q, std::uint32_t column, std::size_t offset) {
    return column < pairs[q].text_size ? _mm512_loadu_si512(pairs[q].text + offset + column)
                                       : _mm512_setzero_si512();
  };
  WordLanes lanes;
  if (joined.Suffice()) {
    for (int lane = 0; lane < 8; ++lane) {
      patterns.low[lane] = joined.Join(patterns.low[lane], patterns.high[lane]);
    }
    const auto load_texts = [&](std::uint32_t column) {
      for (std::uint32_t q = 0; q < count; ++q) {
        SpreadTexts::Spread(joined.Join(load(q, column, 0), load(q, column, high_offset)), texts.low[q]);
      }
    };
    lanes = RunWordColumns<kWords, Symbols::kOneByte>(patterns, texts, sizes, shortest, longest, load_texts);
  } else {
    const auto load_texts = [&](std::uint32_t column) {
      for (std::uint32_t q = 0; q < count; ++q) {
        SpreadTexts::Spread(load(q, column, 0), texts.low[q]);
        SpreadTexts::Spread(load(q, column, high_offset), texts.high[q]);
      }
    };
    lanes = RunWordColumns<kWords, Symbols::kTwoBytes>(patterns, texts, sizes, shortest, longest, load_texts);
  }
  for (std::uint32_t q = 0; q < count; ++q) {
    const std::int64_t sum = SumWords(lanes, static_cast<int>(q * kWords), pairs[q].pattern_size);
    distance[pairs[q].index] = static_cast<std::uint32_t>(pairs[q].text_size + sum);
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_WORD_GROUPS_AVX512_H_
