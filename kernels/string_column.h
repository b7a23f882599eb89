// kernels/string_column.h: a column of strings, the input of every string kernel. String i is
// bytes[offsets[i], offsets[i + 1]), UTF-8. The column is a view: the caller owns the memory.
#ifndef LEAFSCORE_KERNELS_STRING_COLUMN_H_
#define LEAFSCORE_KERNELS_STRING_COLUMN_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/host_device.h"

namespace leafscore::internal {

// Readable bytes that a column keeps before its first and after its last string, so that kernels may load
// whole vectors without masks.
inline constexpr std::size_t kStringPadding = 64;

struct StringColumn {
  const std::uint8_t* bytes = nullptr;
  const std::uint32_t* offsets = nullptr;  // size + 1 offsets, not decreasing; offsets[0] >= kStringPadding
  std::size_t size = 0;

  LEAFSCORE_HOST_DEVICE const std::uint8_t* string(std::size_t i) const { return bytes + offsets[i]; }
  LEAFSCORE_HOST_DEVICE std::uint32_t string_bytes(std::size_t i) const {
    return offsets[i + 1] - offsets[i];
  }
};

// Returns an upper bound for the bytes of the longest string of both columns. It is at most twice as large.
inline std::uint32_t LongestStringBound(const StringColumn& left, const StringColumn& right) {
  std::uint32_t sizes = 0;
  for (const StringColumn* column : {&left, &right}) {
    for (std::size_t i = 0; i < column->size; ++i) sizes |= column->string_bytes(i);
  }
  return sizes;
}

// Returns the bytes of the longest string of both columns.
inline std::uint32_t LongestString(const StringColumn& left, const StringColumn& right) {
  std::int32_t longest = 0;  // signed, as SSE2 cannot compare unsigned numbers
  for (const StringColumn* column : {&left, &right}) {
    for (std::size_t i = 0; i < column->size; ++i) {
      longest = std::max(longest, static_cast<std::int32_t>(column->string_bytes(i)));
    }
  }
  return static_cast<std::uint32_t>(longest);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_STRING_COLUMN_H_
