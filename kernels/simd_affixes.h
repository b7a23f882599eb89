// kernels/simd_affixes.h: finds the common ends of pairs of any size, 64 symbols a step.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_SIMD_AFFIXES_H_
#define LEAFSCORE_KERNELS_SIMD_AFFIXES_H_

#include <cstddef>
#include <cstdint>

#include "kernels/affix.h"

namespace leafscore::internal {

template <typename V>
class SimdAffixes {
 public:
  // A pair without the symbols that both strings begin or end with.
  struct Rest {
    BytePair pair;
    std::uint32_t suffix;  // symbols stripped at the back
  };

  template <bool kWide>
  static Rest Strip(const BytePair& pair, std::size_t high_offset) {
    const std::uint32_t shorter = pair.a_size < pair.b_size ? pair.a_size : pair.b_size;
    std::uint32_t prefix = 0;
    for (; prefix < shorter; prefix += 64) {
      const std::uint64_t different = Different<kWide>(pair.a + prefix, pair.b + prefix, high_offset);
      if (different == 0) continue;
      prefix += V::TrailingZeros(different);
      break;
    }
    if (prefix > shorter) prefix = shorter;
    const std::uint8_t* a_end = pair.a + pair.a_size;
    const std::uint8_t* b_end = pair.b + pair.b_size;
    std::uint32_t suffix = 0;
    for (; suffix < shorter - prefix; suffix += 64) {
      const std::uint64_t different = Different<kWide>(a_end - suffix - 64, b_end - suffix - 64, high_offset);
      if (different == 0) continue;
      suffix += V::LeadingZeros(different);
      break;
    }
    if (suffix > shorter - prefix) suffix = shorter - prefix;
    return {.pair = Without(pair, prefix, prefix + suffix), .suffix = suffix};
  }

  // Returns a pair without `affixes` symbols: `prefix` of them in front, the others at the back.
  static BytePair Without(const BytePair& pair, std::uint32_t prefix, std::uint32_t affixes) {
    return {.a = pair.a + prefix,
            .b = pair.b + prefix,
            .a_size = pair.a_size - affixes,
            .b_size = pair.b_size - affixes};
  }

  // Returns the rest of a pair, extended to whole code points where a code point was cut. If bytes differ
  // inside a code point, the cut is inside a code point of both strings, so it is enough to look at the
  // longer one. There are no branches, because they would be unpredictable.
  static BytePair WholeCodePoints(const Rest& rest) {
    const BytePair& pair = rest.pair;
    const std::uint32_t longer = pair.a_size < pair.b_size ? pair.b_size : pair.a_size;
    const std::uint8_t* front = pair.a_size == longer ? pair.a : pair.b;
    const std::uint32_t front_1 = (longer > 0) & IsContinuation(front[0]);
    const std::uint32_t front_2 = front_1 & IsContinuation(*(front - 1));
    const std::uint32_t front_3 = front_2 & IsContinuation(*(front - 2));
    const std::uint8_t* back = front + longer;
    const std::uint32_t back_1 = (rest.suffix > 0) & IsContinuation(back[0]);
    const std::uint32_t back_2 = back_1 & (rest.suffix > 1) & IsContinuation(back[1]);
    const std::uint32_t back_3 = back_2 & (rest.suffix > 2) & IsContinuation(back[2]);
    const std::uint32_t before = front_1 + front_2 + front_3;
    const std::uint32_t added = before + back_1 + back_2 + back_3;
    return {.a = pair.a - before,
            .b = pair.b - before,
            .a_size = pair.a_size + added,
            .b_size = pair.b_size + added};
  }

  static bool IsAscii(const BytePair& pair) {
    return IsAscii(pair.a, pair.a_size) && IsAscii(pair.b, pair.b_size);
  }

 private:
  static bool IsAscii(const std::uint8_t* bytes, std::uint32_t size) {
    for (; size > 128; bytes += 128, size -= 128) {
      if (V::NonAsciiBytes(bytes, bytes + 64) != 0) return false;
    }
    const std::uint32_t front = size < 64 ? size : 64;
    if ((V::NonAsciiBytes(bytes, bytes) & V::LowBits(front)) != 0) return false;
    return size <= 64 || (V::NonAsciiBytes(bytes + 64, bytes + 64) & V::LowBits(size - 64)) == 0;
  }

  // RETURNS: which of 64 symbols differ.
  template <bool kWide>
  static std::uint64_t Different(const std::uint8_t* a, const std::uint8_t* b, std::size_t high_offset) {
    const std::uint64_t low = V::DifferentBytes(a, b);
    return kWide ? low | V::DifferentBytes(a + high_offset, b + high_offset) : low;
  }

  static std::uint32_t IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SIMD_AFFIXES_H_
