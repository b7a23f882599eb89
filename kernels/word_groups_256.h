// kernels/word_groups_256.h: pairs of 65 to 256 rows, kWords words of 64 rows a pair in neighbouring lanes,
// as a wavefront; the counterpart of kernels/word_groups_avx512.h.
#ifndef LEAFSCORE_KERNELS_WORD_GROUPS_256_H_
#define LEAFSCORE_KERNELS_WORD_GROUPS_256_H_

#include "kernels/lanes_256.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {
namespace {

// The state of four words: the vertical differences, and in bit 63 the horizontal differences along the last
// row.
struct WordLanes {
  Words vp = Words(~std::uint64_t{0});
  Words vn = Words(std::uint64_t{0});
  Words not_hp = Words(std::uint64_t{0});
  Words hn = Words(std::uint64_t{0});
};

// Advances four words by one column; bit 63 of above_* has the differences along the rows above them.
[[gnu::always_inline]] inline void WordStep(Words equal, const Words& above_not_hp, const Words& above_hn,
                                            WordLanes& lanes) {
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

// The lanes that run at step s: their column, s minus their delay, is in [0, text size).
inline auto Running(std::uint32_t s, const Words& delay, const Words& text_size) {
  return text_size > Words(std::uint64_t{s}) - delay;  // a negative column is a large number
}

// RETURNS: the sum of the vertical differences of the first `rows` rows from lane `first` on.
inline std::int64_t SumWords(const WordLanes& lanes, std::uint32_t first, std::uint32_t rows) {
  alignas(32) std::uint64_t vp[4];
  alignas(32) std::uint64_t vn[4];
  lanes.vp.store_aligned(vp);
  lanes.vn.store_aligned(vn);
  std::int64_t sum = 0;
  for (std::uint32_t w = 0; w * 64 < rows; ++w) {
    const std::uint64_t mask = LowBits(rows - w * 64 < 64 ? rows - w * 64 : 64);
    sum += SetBits(vp[first + w] & mask) - SetBits(vn[first + w] & mask);
  }
  return sum;
}

// Computes `count` pairs, at most 4 / kWords, of at most 64 * kWords rows each.
template <int kWords>
void RunWideGroup(const WordPair* pairs, std::uint32_t count, std::size_t high_offset,
                  std::uint32_t* distance) {
  alignas(32) std::uint64_t text_size[4] = {};
  alignas(32) std::uint64_t word[4],
      has_above[4];  // the index of each lane in its pair; all ones unless the index is 0
  std::uint32_t shortest = count < 4 / kWords ? 0 : ~0u;
  std::uint32_t longest = 0;
  for (std::uint32_t q = 0; q < count; ++q) {
    for (std::uint32_t w = 0; w < kWords; ++w) text_size[q * kWords + w] = pairs[q].text_size;
    if (pairs[q].text_size < shortest) shortest = pairs[q].text_size;
    if (pairs[q].text_size > longest) longest = pairs[q].text_size;
  }
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    word[lane] = lane % kWords;
    has_above[lane] = std::uint64_t{0} - (lane % kWords != 0);
  }
  const Words sizes = Words::load_aligned(text_size);
  const Words delay = Words::load_aligned(word);
  const Words continues = Words::load_aligned(has_above);  // lanes with another word of the pair above

  // The rows of each lane in two halves of 32, as low bytes and as high bytes.
  Bytes rows[2][4][2];
  for (std::uint32_t lane = 0; lane < 4; ++lane) {
    const std::uint32_t q = lane / kWords, row = lane % kWords * 64;
    const bool has_rows = q < count && row < pairs[q].pattern_size;
    for (int byte = 0; byte < 2; ++byte) {
      for (std::uint32_t half = 0; half < 2; ++half) {
        const std::size_t offset = (byte == 0 ? 0 : high_offset) + row + 32 * half;
        rows[byte][lane][half] = has_rows ? Load<Bytes>(pairs[q].pattern + offset) : Bytes(std::uint8_t{0});
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
      const std::uint32_t j = column < pairs[q].text_size ? column : 0;  // beyond the end, any index will do
      const auto equal_rows = [&](std::uint32_t half) {
        const std::uint8_t* character = pairs[q].text + j;
        const auto equal_bytes = [&](int byte, std::uint8_t value) {
          return EqualBytes(rows[byte][lane][half], Bytes(value));
        };
        return equal_bytes(0, character[0]) & equal_bytes(1, character[high_offset]);
      };
      match[(column + w) % kRing][lane] = Bits(equal_rows(0), equal_rows(1));
    }
  };
  for (std::uint32_t j = 0; j < kAhead; ++j) find_matches(j);

  const std::uint32_t steps = longest + kWords - 1;
  WordLanes lanes;
  for (std::uint32_t j = 0; j < steps; ++j) {
    find_matches(j + kAhead);
    const Words equal = Words::load_aligned(match[j % kRing]);
    const Words above_not_hp = LanesAbove(lanes.not_hp) & continues;
    const Words above_hn = LanesAbove(lanes.hn) & continues;
    if (j >= kWords - 1 && j < shortest) {
      WordStep(equal, above_not_hp, above_hn, lanes);
    } else {
      const WordLanes before = lanes;
      WordStep(equal, above_not_hp, above_hn, lanes);
      const auto running = Running(j, delay, sizes);
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

#endif  // LEAFSCORE_KERNELS_WORD_GROUPS_256_H_
