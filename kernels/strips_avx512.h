// kernels/strips_avx512.h: long patterns, in strips of 1024 rows: two wavefronts of eight words each. A strip
// runs over the whole text and leaves the horizontal differences along its last row to the next strip. Two
// wavefronts run at once, because one alone would wait for its own results. The second starts from the last
// row of the first.
#ifndef LEAFSCORE_KERNELS_STRIPS_AVX512_H_
#define LEAFSCORE_KERNELS_STRIPS_AVX512_H_

#include "kernels/word_groups_avx512.h"
#include "kernels/workspace.h"

namespace leafscore::internal {
namespace {

// Delays lane w by w columns, so that a register has the match words of columns s, s - 1, ..., s - 7. The
// three stages delay by 1, 2 and 4.
struct Skew {
  __m512i by_one = _mm512_setzero_si512();
  __m512i by_two[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  __m512i by_four[4] = {_mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512(),
                        _mm512_setzero_si512()};

  // `phase` counts the calls, modulo 4.
  __m512i Next(__m512i words, int phase) {
    const __m512i one = _mm512_mask_mov_epi64(words, 0xAA, by_one);
    by_one = words;
    const __m512i two = _mm512_mask_mov_epi64(one, 0xCC, by_two[phase % 2]);
    by_two[phase % 2] = one;
    const __m512i four = _mm512_mask_mov_epi64(two, 0xF0, by_four[phase]);
    by_four[phase] = two;
    return four;
  }
};

// Runs the strip of pattern[0, rows), rows <= 512 * kFronts, over the whole text.
// RETURNS: the sum of the vertical differences of the last column.
template <int kFronts>
std::int64_t RunLongStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                          std::uint32_t text_size, const StripArrays& space) {
  constexpr std::uint32_t kLag = 8 * kFronts - 1;  // columns that the last word is behind the first
  for (std::uint32_t i = 0; i < rows; ++i) space.match[pattern[i]][i / 64] |= std::uint64_t{1} << i % 64;

  WordLanes front[kFronts];
  for (int f = 0; space.vp != nullptr && f < kFronts; ++f) {
    front[f].vp = _mm512_loadu_si512(space.vp + 8 * f);
    front[f].vn = _mm512_loadu_si512(space.vn + 8 * f);
  }
  Skew skew[kFronts];
  const __m512i delay = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
  const auto step = [&](std::uint32_t s, int phase, bool inside) {
    __m512i above_not_hp = _mm512_set1_epi64(static_cast<long long>(space.not_hp[s]));
    __m512i above_hn = _mm512_set1_epi64(static_cast<long long>(space.hn[s]));
#pragma GCC unroll 2
    for (int f = 0; f < kFronts; ++f) {
      const std::uint32_t column = s - 8 * static_cast<std::uint32_t>(f);
      const __m512i words = inside || column < text_size
                                ? _mm512_load_si512(space.match[text[column]] + 8 * f)
                                : _mm512_setzero_si512();
      const __m512i equal = skew[f].Next(words, phase);
      const WordLanes before = front[f];
      WordStep(equal, _mm512_alignr_epi64(before.not_hp, above_not_hp, 7),
               _mm512_alignr_epi64(before.hn, above_hn, 7), front[f]);
      above_not_hp = before.not_hp;
      above_hn = before.hn;
      if (!inside) {
        const __mmask8 running = _mm512_cmplt_epu64_mask(
            _mm512_sub_epi64(_mm512_set1_epi64(static_cast<std::int64_t>(s) - 8 * f), delay),
            _mm512_set1_epi64(text_size));
        front[f].vp = _mm512_mask_mov_epi64(before.vp, running, front[f].vp);
        front[f].vn = _mm512_mask_mov_epi64(before.vn, running, front[f].vn);
      }
    }
    if (inside || s >= kLag) {
      _mm512_mask_storeu_epi64(space.not_hp + (s - kLag) - 7, 0x80, front[kFronts - 1].not_hp);
      _mm512_mask_storeu_epi64(space.hn + (s - kLag) - 7, 0x80, front[kFronts - 1].hn);
    }
  };
  std::uint32_t s = 0;
  const std::uint32_t steps = text_size + kLag;
  for (; s < 16 && s < steps; ++s) step(s, static_cast<int>(s % 4), false);
  for (; s + 4 <= text_size; s += 4) {
    step(s, 0, true);
    step(s + 1, 1, true);
    step(s + 2, 2, true);
    step(s + 3, 3, true);
  }
  for (; s < steps; ++s) step(s, static_cast<int>(s % 4), false);

  for (std::uint32_t i = 0; i < rows; ++i) space.match[pattern[i]][i / 64] = 0;
  for (int f = 0; space.vp != nullptr && f < kFronts; ++f) {
    _mm512_storeu_si512(space.vp + 8 * f, front[f].vp);
    _mm512_storeu_si512(space.vn + 8 * f, front[f].vn);
  }
  std::int64_t sum = 0;
  for (std::uint32_t f = 0; f < kFronts && f * 512 < rows; ++f) {
    sum += SumWords(front[f], 0, rows - f * 512 < 512 ? rows - f * 512 : 512);
  }
  return sum;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_STRIPS_AVX512_H_
