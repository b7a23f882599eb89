// kernels/affix.h: the common prefix and suffix of two byte strings, the first step of every distance. Reads
// whole words, and thus up to kStringPadding bytes beyond either end. The values of these bytes do not
// matter.
#ifndef LEAFSCORE_KERNELS_AFFIX_H_
#define LEAFSCORE_KERNELS_AFFIX_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/string_column.h"

namespace leafscore::internal {

static_assert(std::endian::native == std::endian::little, "the word compares below count from the low byte");

// Two byte strings that are to be compared.
struct BytePair {
  const std::uint8_t* a;
  const std::uint8_t* b;
  std::uint32_t a_size;
  std::uint32_t b_size;
};

LEAFSCORE_HOST_DEVICE inline std::uint32_t CommonPrefix(const std::uint8_t* a, const std::uint8_t* b,
                                                        std::uint32_t limit) {
  for (std::uint32_t i = 0; i < limit; i += 8) {
    const std::uint64_t difference = LoadWord(a + i) ^ LoadWord(b + i);
    if (difference != 0) {
      const auto same = i + static_cast<std::uint32_t>(TrailingZeros(difference)) / 8;
      return same < limit ? same : limit;
    }
  }
  return limit;
}

LEAFSCORE_HOST_DEVICE inline std::uint32_t CommonSuffix(const std::uint8_t* a_end, const std::uint8_t* b_end,
                                                        std::uint32_t limit) {
  for (std::uint32_t i = 0; i < limit; i += 8) {
    const std::uint64_t difference = LoadWord(a_end - i - 8) ^ LoadWord(b_end - i - 8);
    if (difference != 0) {
      const auto same = i + static_cast<std::uint32_t>(LeadingZeros(difference)) / 8;
      return same < limit ? same : limit;
    }
  }
  return limit;
}

LEAFSCORE_HOST_DEVICE inline bool IsContinuationByte(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// Returns pair `index` of two columns.
LEAFSCORE_HOST_DEVICE inline BytePair PairAt(const StringColumn& left, const StringColumn& right,
                                             std::size_t index) {
  return {.a = left.string(index),
          .b = right.string(index),
          .a_size = left.string_bytes(index),
          .b_size = right.string_bytes(index)};
}

// Returns the pair without the code points that both strings begin or end with, which cost nothing in an
// optimal alignment. No code point is split. Where the first or last different bytes are inside a code point
// of one string, they are inside a code point of the other, too, so it is enough to look at one string.
LEAFSCORE_HOST_DEVICE inline BytePair StripAffixes(BytePair pair) {
  const std::uint32_t shorter = pair.a_size < pair.b_size ? pair.a_size : pair.b_size;
  std::uint32_t prefix = CommonPrefix(pair.a, pair.b, shorter);
  while (prefix > 0 && prefix < shorter && IsContinuationByte(pair.a[prefix])) --prefix;
  pair.a += prefix;
  pair.b += prefix;
  pair.a_size -= prefix;
  pair.b_size -= prefix;

  std::uint32_t suffix = CommonSuffix(pair.a + pair.a_size, pair.b + pair.b_size, shorter - prefix);
  while (suffix > 0 && IsContinuationByte(pair.a[pair.a_size - suffix])) --suffix;
  pair.a_size -= suffix;
  pair.b_size -= suffix;
  return pair;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_AFFIX_H_
