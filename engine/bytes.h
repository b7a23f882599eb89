// engine/bytes.h: comparing spans of bytes. Nothing here reads outside the given spans.
#ifndef LEAFSCORE_ENGINE_BYTES_H_
#define LEAFSCORE_ENGINE_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace leafscore {

inline std::uint64_t LoadWord64(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

inline std::uint32_t LoadWord32(const char* bytes) {
  std::uint32_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Compares n bytes; two overlapping loads serve the short spans that keys and answers mostly are.
inline bool EqualBytes(const char* a, const char* b, std::size_t n) {
  if (n > 16) return std::memcmp(a, b, n) == 0;
  if (n >= 8) {
    return ((LoadWord64(a) ^ LoadWord64(b)) | (LoadWord64(a + n - 8) ^ LoadWord64(b + n - 8))) == 0;
  }
  if (n >= 4) {
    return ((LoadWord32(a) ^ LoadWord32(b)) | (LoadWord32(a + n - 4) ^ LoadWord32(b + n - 4))) == 0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// Returns the length of the common prefix of a[0, n) and b[0, n).
inline std::size_t CommonPrefix(const char* a, const char* b, std::size_t n) {
  static_assert(std::endian::native == std::endian::little, "the first byte must be the lowest");
  std::size_t i = 0;
  for (; i + 8 <= n; i += 8) {
    const std::uint64_t difference = LoadWord64(a + i) ^ LoadWord64(b + i);
    if (difference != 0) return i + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
  }
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

}  // namespace leafscore

#endif  // LEAFSCORE_ENGINE_BYTES_H_
