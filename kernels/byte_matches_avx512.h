// kernels/byte_matches_avx512.h: match words of eight lanes of 64 rows by comparing bytes. One comparison
// gives 64 rows in a mask register, which is stored some columns before the steps read it. The comparisons
// use one port of the CPU; the steps mostly use the other.
#ifndef LEAFSCORE_KERNELS_BYTE_MATCHES_AVX512_H_
#define LEAFSCORE_KERNELS_BYTE_MATCHES_AVX512_H_

#include "kernels/lanes_avx512.h"

namespace leafscore::internal {
namespace {

// Match words are computed this number of columns ahead of the steps, so that they are in memory in time.
constexpr std::uint32_t kAhead = 8;

// How the symbols of a group are compared: by one byte, or by a low and a high one.
enum class Symbols { kOneByte, kTwoBytes };

// The rows of eight lanes.
struct LaneRows {
  __m512i low[8];
  __m512i high[8];
};

// 64 columns of eight texts, and the last few columns before them. A character is stored four times, so that
// one instruction can load it and spread it over a register.
struct SpreadTexts {
  static constexpr std::uint32_t kBefore = 16;  // columns; the words of a pair use 7

  alignas(64) std::uint32_t low[8][kBefore + 64];
  alignas(64) std::uint32_t high[8][kBefore + 64];

  // Writes 64 characters after the last ones.
  [[gnu::always_inline]] static void Spread(__m512i characters, std::uint32_t (&to)[kBefore + 64]) {
    _mm512_store_si512(to, _mm512_load_si512(to + 64));
    __m512i places = FourTimes();
    for (int quarter = 0; quarter < 4; ++quarter) {
      _mm512_store_si512(to + kBefore + 16 * quarter, _mm512_permutexvar_epi8(places, characters));
      places = _mm512_add_epi8(places, _mm512_set1_epi8(16));
    }
  }

 private:
  static __m512i FourTimes() {
    alignas(64) std::uint8_t places[64];
    for (int i = 0; i < 64; ++i) places[i] = static_cast<std::uint8_t>(i / 4);
    return _mm512_load_si512(places);
  }
};

// Joins low and high bytes if one byte is enough: if all high bytes are equal, or they differ in one bit and
// no low byte has its highest bit set. In the second case, this bit of the high byte becomes the highest bit
// of the joined byte.
class JoinedBytes {
 public:
  void Add(__m512i low, __m512i high, __m512i reference) {
    low_ = _mm512_or_si512(low_, low);
    different_ = _mm512_ternarylogic_epi64(different_, reference, high, 0xF6);  // a | (b ^ c)
  }

  // RETURNS: whether one byte is enough for all symbols that were added.
  bool Suffice() {
    bit_ = AnyByte(different_);
    return bit_ == 0 || ((bit_ & (bit_ - 1)) == 0 && (AnyByte(low_) & 0x80) == 0);
  }

  __m512i Join(__m512i low, __m512i high) const {
    const __mmask64 set = _mm512_test_epi8_mask(high, _mm512_set1_epi8(static_cast<char>(bit_)));
    return _mm512_mask_or_epi64(low, 0xFF, low, _mm512_maskz_set1_epi8(set, static_cast<char>(0x80)));
  }

 private:
  // RETURNS: the bits that are set in any byte.
  static std::uint32_t AnyByte(__m512i bytes) {
    auto bits = static_cast<std::uint64_t>(_mm512_reduce_or_epi64(bytes));
    bits |= bits >> 32;
    bits |= bits >> 16;
    return static_cast<std::uint32_t>(bits | bits >> 8) & 0xFF;
  }

  __m512i low_ = _mm512_setzero_si512();
  __m512i different_ = _mm512_setzero_si512();
  std::uint32_t bit_ = 0;
};

// Calls step<is_full>(equal, j) for each j below `steps`. Lane l of `equal` belongs to text l / kWords, and
// is l % kWords columns behind: its bit i says whether row i equals character j - l % kWords of this text. If
// the text has no such character, the bit is arbitrary. `is_full` may be true only if full_begin <= j <
// full_end. load_texts(base) sets the characters from column `base` on.
template <int kWords, Symbols kSymbols, class LoadTexts, class Step>
[[gnu::always_inline]] inline void ForEachColumn(const LaneRows& rows, const SpreadTexts& texts,
                                                 std::uint32_t steps, std::uint32_t full_begin,
                                                 std::uint32_t full_end, const LoadTexts& load_texts,
                                                 const Step& step) {
  static_assert(kWords <= SpreadTexts::kBefore);
  alignas(64) std::uint64_t match[2 * kAhead][8];
  const auto find_matches = [&](std::uint32_t column, std::uint64_t* to) {
#pragma GCC unroll 8
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      const std::uint32_t q = lane / kWords, w = lane % kWords;
      const std::uint32_t place = SpreadTexts::kBefore + column - w;
      const __m512i low = _mm512_set1_epi32(static_cast<int>(texts.low[q][place]));
      __mmask64 equal = _mm512_cmpeq_epi8_mask(rows.low[lane], low);
      if constexpr (kSymbols == Symbols::kTwoBytes) {
        const __m512i high = _mm512_set1_epi32(static_cast<int>(texts.high[q][place]));
        equal = _mm512_mask_cmpeq_epi8_mask(equal, rows.high[lane], high);
      }
      to[lane] = equal;
    }
  };
  load_texts(0);
  for (std::uint32_t i = 0; i < kAhead; ++i) find_matches(i, match[i]);
  for (std::uint32_t j = 0; j < steps; j += kAhead) {
    const std::uint32_t next = j + kAhead;
    if (next % 64 == 0) load_texts(next);
    const auto* ready = match + j % (2 * kAhead);
    auto* found = match + next % (2 * kAhead);
    if (j >= full_begin && next <= full_end) {
      for (std::uint32_t i = 0; i < kAhead; ++i) {
        find_matches(next % 64 + i, found[i]);
        step.template operator()<true>(_mm512_load_si512(ready[i]), j + i);
      }
    } else {
      for (std::uint32_t i = 0; i < kAhead && j + i < steps; ++i) {
        if (next + i < steps) find_matches(next % 64 + i, found[i]);
        step.template operator()<false>(_mm512_load_si512(ready[i]), j + i);
      }
    }
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BYTE_MATCHES_AVX512_H_
