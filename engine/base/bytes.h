// engine/base/bytes.h: compares spans of bytes. Nothing here reads outside the given spans.
#ifndef LEAFSCORE_ENGINE_BASE_BYTES_H_
#define LEAFSCORE_ENGINE_BASE_BYTES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace leafscore::internal {

// The number of readable bytes after the end of a text, so that readers may load whole vectors without masks.
inline constexpr std::size_t kTextPadding = 64;

inline std::uint64_t LoadWord64(const char* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

// Returns a word whose n lowest bytes (the first n in memory, on this little-endian host) are ones: all bytes
// for n >= 8, and 0 for n <= 0.
constexpr std::uint64_t FirstBytesMask(std::int64_t n) {
  static_assert(std::endian::native == std::endian::little, "the first byte in memory must be the lowest");
  if (n >= 8) return ~std::uint64_t{0};
  return n <= 0 ? 0 : (std::uint64_t{1} << (8 * n)) - 1;
}

// Tells whether `part` occurs in `text`. COST: linear (two-way string matching in the C library; the search
// of std::string_view is quadratic).
inline bool ContainsText(std::string_view text, std::string_view part) {
  return part.empty() || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr;
}

// Tells whether two texts are equal. `padded` says that at least kEqualLookAhead bytes can be read from the
// start of each text. Short texts are then compared without a branch on their length.
inline constexpr std::size_t kEqualLookAhead = 16;
inline bool EqualTexts(std::string_view a, std::string_view b, bool padded) {
  if (a.size() != b.size()) return false;
  if (a.size() > kEqualLookAhead || !padded) return a == b;
  const auto n = static_cast<std::int64_t>(a.size());
  const std::uint64_t low = (LoadWord64(a.data()) ^ LoadWord64(b.data())) & FirstBytesMask(n);
  const std::uint64_t high = (LoadWord64(a.data() + 8) ^ LoadWord64(b.data() + 8)) & FirstBytesMask(n - 8);
  return (low | high) == 0;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_BYTES_H_
