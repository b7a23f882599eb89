// kernels/word_groups_avx2.h: pairs of 65 to 256 rows, kWords words of 64 rows a pair in neighbouring lanes,
// as a wavefront; the counterpart of kernels/word_groups_avx512.h.
#ifndef LEAFSCORE_KERNELS_WORD_GROUPS_AVX2_H_
#define LEAFSCORE_KERNELS_WORD_GROUPS_AVX2_H_

#include "kernels/lanes_avx2.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

// The state of four words: vertical differences, and the horizontal ones along the last row (bit 63).
struct WordLanes {
  Words vp{_mm256_set1_epi8(-1)};
  Words vn{_mm256_setzero_si256()};
  Words not_hp{_mm256_setzero_si256()};
  Words hn{_mm256_setzero_si256()};
};

// Takes four words one column further; above_* hold in bit 63 the differences along the rows above them.
inline void WordStep(Words equal, const Words& above_not_hp, const Words& above_hn, WordLanes& lanes) {
  const Words carry_not_hp = above_not_hp >> 63;
  const Words carry_hn = above_hn >> 63;
  const Words x = equal | lanes.vn;
  equal = equal | carry_hn;
  const Words d = (((equal & lanes.vp) + lanes.vp) ^ lanes.vp) | equal;
  lanes.not_hp = AndNot(d | lanes.vp, lanes.vn);
  lanes.hn = lanes.vp & d;
  const Words not_hp = (lanes.not_hp + lanes.not_hp) | carry_not_hp;
  const Words hn = (lanes.hn + lanes.hn) | carry_hn;
  lanes.vp = hn | AndNot(not_hp, x);
  lanes.vn = AndNot(x, not_hp);
}

// Moves every lane up by one; lane 0 keeps what it has.
inline Words LanesAbove(const Words& lanes) { return Words(_mm256_permute4x64_epi64(lanes, 0x90)); }

// The lanes that run: those whose column, s minus their delay, lies in [0, text size).
inline Words Running(std::uint32_t s, __m256i delay, __m256i text_size) {
  const __m256i column = _mm256_sub_epi64(_mm256_set1_epi64x(s), delay);
  return Words(_mm256_andnot_si256(_mm256_cmpgt_epi64(_mm256_setzero_si256(), column),
                                   _mm256_cmpgt_epi64(text_size, column)));
}

inline Words Select(const Words& mask, const Words& a, const Words& b) {
  return Words(_mm256_blendv_epi8(b, a, mask));
}

// RETURNS: the sum of the vertical differences of the first `rows` rows from lane `first` on.
inline std::int64_t SumWords(const WordLanes& lanes, std::uint32_t first, std::uint32_t rows) {
  alignas(32) std::uint64_t vp[4];
  alignas(32) std::uint64_t vn[4];
  lanes.vp.store_aligned(vp);
  lanes.vn.store_aligned(vn);
  std::int64_t sum = 0;
  for (std::uint32_t w = 0; w * 64 < rows; ++w) {
    const std::uint64_t mask = _bzhi_u64(~std::uint64_t{0}, rows - w * 64 < 64 ? rows - w * 64 : 64);
    sum += _mm_popcnt_u64(vp[first + w] & mask) - _mm_popcnt_u64(vn[first + w] & mask);
  }
  return sum;
}

// Computes `count` pairs, at most 4 / kWords, of at most 64 * kWords rows each.
template <int kWords>
void RunWideGroup(const WordPair* pairs, std::uint32_t count, std::size_t high_offset,
                  std::uint32_t* distance) {
  alignas(32) std::uint64_t text_size[4] = {};
  std::uint32_t shortest = count < 4 / kWords ? 0 : ~0u;
  std::uint32_t longest = 0;
  for (std::uint32_t q = 0; q < count; ++q) {
    for (std::uint32_t w = 0; w < kWords; ++w) text_size[q * kWords + w] = pairs[q].text_size;
    if (pairs[q].text_size < shortest) shortest = pairs[q].text_size;
    if (pairs[q].text_size > longest) longest = pairs[q].text_size;
  }
  const __m256i sizes = LoadBytes(text_size);
  const __m256i delay = _mm256_and_si256(_mm256_set_epi64x(3, 2, 1, 0), _mm256_set1_epi64x(kWords - 1));
  const Words continues(
      _mm256_cmpgt_epi64(delay, _mm256_setzero_si256()));  // lanes with a word of the pair above

  // The rows of each lane, 32 and 32, as low bytes and as high bytes.
  __m256i rows[2][4][2];
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    const std::uint32_t q = lane / kWords, row = lane % kWords * 64;
    const bool has_rows = q < count && row < pairs[q].pattern_size;
    for (int byte = 0; byte < 2; ++byte) {
      for (std::uint32_t half = 0; half < 2; ++half) {
        const std::size_t offset = (byte == 0 ? 0 : high_offset) + row + 32 * half;
        rows[byte][lane][half] = has_rows ? LoadBytes(pairs[q].pattern + offset) : _mm256_setzero_si256();
      }
    }
  }
  // The match words of step j are in match[j % kRing]; lane w takes column c at step c + w.
  constexpr std::uint32_t kRing = 16;
  static_assert(kRing > kAhead + kWords);
  alignas(32) std::uint64_t match[kRing][4] = {};
  const auto find_matches = [&](std::uint32_t column) {
#pragma GCC unroll 4
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
      const std::uint32_t q = lane / kWords, w = lane % kWords;
      if (q >= count) break;
      const std::uint32_t j = column < pairs[q].text_size ? column : 0;  // beyond the end anything will do
      const auto equal_rows = [&](std::uint32_t half) {
        const std::uint8_t* character = pairs[q].text + j;
        const auto equal_bytes = [&](int byte, std::uint8_t value) {
          return _mm256_cmpeq_epi8(rows[byte][lane][half], _mm256_set1_epi8(static_cast<char>(value)));
        };
        __m256i equal = equal_bytes(0, character[0]);
        equal = _mm256_and_si256(equal, equal_bytes(1, character[high_offset]));
        return static_cast<std::uint32_t>(_mm256_movemask_epi8(equal));
      };
      match[(column + w) % kRing][lane] = equal_rows(0) | std::uint64_t{equal_rows(1)} << 32;
    }
  };
  for (std::uint32_t j = 0; j < kAhead; ++j) find_matches(j);

  const std::uint32_t steps = longest + kWords - 1;
  WordLanes lanes;
  for (std::uint32_t j = 0; j < steps; ++j) {
    find_matches(j + kAhead);
    const Words equal(LoadBytes(match[j % kRing]));
    const Words above_not_hp = LanesAbove(lanes.not_hp) & continues;
    const Words above_hn = LanesAbove(lanes.hn) & continues;
    if (j >= kWords - 1 && j < shortest) {
      WordStep(equal, above_not_hp, above_hn, lanes);
    } else {
      const WordLanes before = lanes;
      WordStep(equal, above_not_hp, above_hn, lanes);
      const Words running = Running(j, delay, sizes);
      lanes.vp = Select(running, lanes.vp, before.vp);
      lanes.vn = Select(running, lanes.vn, before.vn);
    }
  }
  for (std::uint32_t q = 0; q < count; ++q) {
    const std::int64_t sum = SumWords(lanes, q * kWords, pairs[q].pattern_size);
    distance[pairs[q].index] = static_cast<std::uint32_t>(pairs[q].text_size + sum);
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_WORD_GROUPS_AVX2_H_
