// kernels/strips_256.h: like kernels/strips_avx512.h, but a strip has 512 rows: two wavefronts of four words.
#ifndef LEAFSCORE_KERNELS_STRIPS_256_H_
#define LEAFSCORE_KERNELS_STRIPS_256_H_

#include "kernels/word_groups_256.h"
#include "kernels/workspace.h"

namespace leafscore::internal {
namespace {

// Delays lane w by w columns, in two stages of 1 and 2.
struct Skew {
  Words by_one = Words(std::uint64_t{0});
  Words by_two[2] = {by_one, by_one};

  // `phase` counts the calls, modulo 2.
  Words Next(const Words& words, int phase) {
    const Words one = AlternateLanes(words, by_one);
    by_one = words;
    const Words two = JoinHalves(one, by_two[phase]);
    by_two[phase] = one;
    return two;
  }
};

// Runs the strip of pattern[0, rows), rows <= 256 * kFronts, over the whole text.
// RETURNS: the sum of the vertical differences of the last column.
template <int kFronts>
std::int64_t RunLongStrip(const std::uint8_t* pattern, std::uint32_t rows, const std::uint8_t* text,
                          std::uint32_t text_size, const StripArrays& space) {
  constexpr std::uint32_t kLag = 4 * kFronts - 1;  // columns that the last word is behind the first
  for (std::uint32_t i = 0; i < rows; ++i) space.match[pattern[i]][i / 64] |= std::uint64_t{1} << i % 64;

  WordLanes front[kFronts];
  for (int f = 0; space.vp != nullptr && f < kFronts; ++f) {
    front[f].vp = Load<Words>(space.vp + 4 * f);
    front[f].vn = Load<Words>(space.vn + 4 * f);
  }
  Skew skew[kFronts];
  alignas(32) constexpr std::uint64_t kDelay[4] = {0, 1, 2, 3};
  const Words delay = Words::load_aligned(kDelay);
  const auto step = [&](std::uint32_t s, int phase, bool inside) {
    Words above_not_hp(space.not_hp[s]);
    Words above_hn(space.hn[s]);
#pragma GCC unroll 2
    for (int f = 0; f < kFronts; ++f) {
      const std::uint32_t column = s - 4 * static_cast<std::uint32_t>(f);
      const Words words = inside || column < text_size ? Load<Words>(space.match[text[column]] + 4 * f)
                                                       : Words(std::uint64_t{0});
      const Words equal = skew[f].Next(words, phase);
      const WordLanes before = front[f];
      WordStep(equal, LanesAbove(before.not_hp, above_not_hp), LanesAbove(before.hn, above_hn), front[f]);
      above_not_hp = before.not_hp;
      above_hn = before.hn;
      if (!inside) {
        const auto running =
            Running(s, delay + Words(4 * static_cast<std::uint64_t>(f)), Words(std::uint64_t{text_size}));
        front[f].vp = Select(running, front[f].vp, before.vp);
        front[f].vn = Select(running, front[f].vn, before.vn);
      }
    }
    if (inside || s >= kLag) {
      const WordLanes& last = front[kFronts - 1];
      space.not_hp[s - kLag] = LastLane(last.not_hp);
      space.hn[s - kLag] = LastLane(last.hn);
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

#endif  // LEAFSCORE_KERNELS_STRIPS_256_H_
