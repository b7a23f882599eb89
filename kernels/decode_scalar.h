// kernels/decode_scalar.h: decodes UTF-8 to code points up to U+FFFF, one code point at a time, and stores
// their low and high bytes separately. NEON needs it, because it has no instruction that packs the code
// points of a block.
#ifndef LEAFSCORE_KERNELS_DECODE_SCALAR_H_
#define LEAFSCORE_KERNELS_DECODE_SCALAR_H_

#include <cstdint>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kCannotDecode = ~0u;

// Writes the low and high bytes of the code points.
// REQUIRES: valid UTF-8.
// RETURNS: the number of code points. If one of them is beyond U+FFFF, kCannotDecode; the bytes are then
// meaningless.
inline std::uint32_t DecodeWide(const std::uint8_t* bytes, std::uint32_t size, std::uint8_t* low,
                                std::uint8_t* high) {
  std::uint32_t count = 0;
  bool fits = true;
  for (std::uint32_t i = 0; i < size; ++count) {
    const std::uint32_t lead = bytes[i];
    std::uint32_t code_point = lead;
    if (lead < 0x80) {
      i += 1;
    } else if (lead < 0xE0) {
      code_point = (lead & 0x1F) << 6 | (bytes[i + 1] & 0x3Fu);
      i += 2;
    } else if (lead < 0xF0) {
      code_point = (lead & 0x0F) << 12 | (bytes[i + 1] & 0x3Fu) << 6 | (bytes[i + 2] & 0x3Fu);
      i += 3;
    } else {
      fits = false;
      i += 4;
    }
    low[count] = static_cast<std::uint8_t>(code_point);
    high[count] = static_cast<std::uint8_t>(code_point >> 8);
  }
  return fits ? count : kCannotDecode;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_DECODE_SCALAR_H_
