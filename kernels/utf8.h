// kernels/utf8.h: the part of UTF-8 (RFC 3629) that the kernels need. The input must be valid, which the
// front ends check; nothing here does.
#ifndef LEAFSCORE_KERNELS_UTF8_H_
#define LEAFSCORE_KERNELS_UTF8_H_

#include <cstdint>
#include <cstring>

#include "kernels/host_device.h"

namespace leafscore::internal {

// RETURNS: whether all bytes are below 0x80.
inline bool IsAscii(const std::uint8_t* bytes, std::uint32_t size) {
  std::uint64_t seen = 0;
  std::uint32_t i = 0;
  for (; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, sizeof word);
    seen |= word;
  }
  for (; i < size; ++i) seen |= bytes[i];
  return (seen & 0x8080808080808080u) == 0;
}

// RETURNS: the number of code points: every byte except continuation bytes begins one.
inline std::uint32_t CountCodePoints(const std::uint8_t* bytes, std::uint32_t size) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size; ++i) count += (bytes[i] & 0xC0) != 0x80;
  return count;
}

// Writes the code points of `bytes`.
// REQUIRES: room for `size` code points.
// RETURNS: the number of code points.
LEAFSCORE_HOST_DEVICE inline std::uint32_t DecodeUtf8(const std::uint8_t* bytes, std::uint32_t size,
                                                      std::uint32_t* code_points) {
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < size;) {
    const std::uint32_t lead = bytes[i];
    const auto low_bits = [&](std::uint32_t k) -> std::uint32_t { return bytes[i + k] & 0x3F; };
    if (lead < 0x80) {
      code_points[count++] = lead;
      i += 1;
    } else if (lead < 0xE0) {
      code_points[count++] = (lead & 0x1F) << 6 | low_bits(1);
      i += 2;
    } else if (lead < 0xF0) {
      code_points[count++] = (lead & 0x0F) << 12 | low_bits(1) << 6 | low_bits(2);
      i += 3;
    } else {
      code_points[count++] = (lead & 0x07) << 18 | low_bits(1) << 12 | low_bits(2) << 6 | low_bits(3);
      i += 4;
    }
  }
  return count;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_UTF8_H_
