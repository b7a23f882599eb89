// kernels/strips_avx2.h: as kernels/strips_avx512.h, in strips of 512 rows: two wavefronts of four words.
#ifndef LEAFSCORE_KERNELS_STRIPS_AVX2_H_
#define LEAFSCORE_KERNELS_STRIPS_AVX2_H_

#include "kernels/word_groups_avx2.h"
#include "kernels/workspace.h"

namespace leafscore::internal {
namespace {

// Delays lane w by w columns, in two stages of 1 and 2.
struct Skew {
  __m256i by_one = _mm256_setzero_si256();
  __m256i by_two[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};

  // `phase` counts the calls, modulo 2.
  Words Next(__m256i words, int phase) {
    const __m256i one = _mm256_blend_epi32(words, by_one, 0xCC);
    by_one = words;
    const __m256i two = _mm256_blend_epi32(one, by_two[phase], 0xF0);
    by_two[phase] = one;
    return Words(two);
  }
};

// Moves every lane up by one; lane 0 takes the last lane of `before`.
inline Words LanesAbove(const Words& lanes, const Words& before) {
  return Words(_mm256_blend_epi32(_mm256_permute4x64_epi64(lanes, 0x90),
                                  _mm256_permute4x64_epi64(before, 0x03), 0x03));
}

// Runs the strip of pattern[0, rows), rows <= 256 * kFronts, over the whole text.
// RETURNS: the sum of the vertical differences of the last column.
template <int kFronts>
std::int64_t RunLongStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                          std::uint32_t text_size, const StripSpace& space) {
  constexpr std::uint32_t kLag = 4 * kFronts - 1;  // columns that the last word is behind the first
  for (std::uint32_t i = 0; i < rows; ++i) space.match[pattern[i]][i / 64] |= std::uint64_t{1} << i % 64;

  WordLanes front[kFronts];
  for (int f = 0; space.vp != nullptr && f < kFronts; ++f) {
    front[f].vp = Words(LoadBytes(space.vp + 4 * f));
    front[f].vn = Words(LoadBytes(space.vn + 4 * f));
  }
  Skew skew[kFronts];
  const __m256i delay = _mm256_set_epi64x(3, 2, 1, 0);
  const auto step = [&](std::uint32_t s, int phase, bool inside) {
    Words above_not_hp(_mm256_set1_epi64x(static_cast<long long>(space.not_hp[s])));
    Words above_hn(_mm256_set1_epi64x(static_cast<long long>(space.hn[s])));
#pragma GCC unroll 2
    for (int f = 0; f < kFronts; ++f) {
      const std::uint32_t column = s - 4 * static_cast<std::uint32_t>(f);
      const __m256i words = inside || column < text_size ? LoadBytes(space.match[text[column]] + 4 * f)
                                                         : _mm256_setzero_si256();
      const Words equal = skew[f].Next(words, phase);
      const WordLanes before = front[f];
      WordStep(equal, LanesAbove(before.not_hp, above_not_hp), LanesAbove(before.hn, above_hn), front[f]);
      above_not_hp = before.not_hp;
      above_hn = before.hn;
      if (!inside) {
        const __m256i delays = _mm256_add_epi64(delay, _mm256_set1_epi64x(4 * f));
        const Words running = Running(s, delays, _mm256_set1_epi64x(text_size));
        front[f].vp = Select(running, front[f].vp, before.vp);
        front[f].vn = Select(running, front[f].vn, before.vn);
      }
    }
    if (inside || s >= kLag) {
      const WordLanes& last = front[kFronts - 1];
      space.not_hp[s - kLag] = static_cast<std::uint64_t>(_mm256_extract_epi64(last.not_hp, 3));
      space.hn[s - kLag] = static_cast<std::uint64_t>(_mm256_extract_epi64(last.hn, 3));
    }
  };
  std::uint32_t s = 0;
  const std::uint32_t steps = text_size + kLag;
  for (; s < 8 && s < steps; ++s) step(s, static_cast<int>(s % 2), false);
  for (; s + 2 <= text_size; s += 2) {
    step(s, 0, true);
    step(s + 1, 1, true);
  }
  for (; s < steps; ++s) step(s, static_cast<int>(s % 2), false);

  for (std::uint32_t i = 0; i < rows; ++i) space.match[pattern[i]][i / 64] = 0;
  for (int f = 0; space.vp != nullptr && f < kFronts; ++f) {
    front[f].vp.store_unaligned(space.vp + 4 * f);
    front[f].vn.store_unaligned(space.vn + 4 * f);
  }
  std::int64_t sum = 0;
  for (std::uint32_t f = 0; f < kFronts && f * 256 < rows; ++f) {
    sum += SumWords(front[f], 0, rows - f * 256 < 256 ? rows - f * 256 : 256);
  }
  return sum;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_STRIPS_AVX2_H_
