// engine/distance/kernel_memory.h: the memory that kernels read and write, reused from batch to batch.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_DISTANCE_KERNEL_MEMORY_H_
#define LEAFSCORE_ENGINE_DISTANCE_KERNEL_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/string_column.h"

namespace leafscore::internal {

// Thrown if a string does not fit into a column.
struct ColumnIsFull {};

// The most bytes that a column can hold with its 32-bit offsets. Tests lower it before anything is appended.
inline std::size_t max_column_bytes = std::numeric_limits<std::uint32_t>::max() - kStringPadding;

// A StringColumn that can grow. OwnedTexts (engine/run) cannot take its place, because kernels need padding,
// 32-bit offsets and no nulls.
class StringColumnBuilder {
 public:
  StringColumnBuilder() { Clear(); }

  void Clear();

  // Appends a UTF-8 string. ERRORS: throws ColumnIsFull beyond max_column_bytes.
  void Append(std::string_view text);

  // Drops all strings but the first `count`.
  void Truncate(std::size_t count) { offsets_.resize(count + 1); }

  // Returns a view, valid until the next Append or Clear.
  StringColumn column() const { return {bytes_.data(), offsets_.data(), offsets_.size() - 1}; }
  std::string_view text(std::size_t i) const {
    return {reinterpret_cast<const char*>(column().string(i)), column().string_bytes(i)};
  }

 private:
  std::vector<std::uint8_t> bytes_;  // kStringPadding, the strings, spare room and kStringPadding
  std::vector<std::uint32_t> offsets_;
};

class KernelScratch {
 public:
  // Returns at least `bytes` uninitialized bytes, aligned as kernels need them and valid until the next call.
  std::span<std::byte> OfSize(std::size_t bytes);

 private:
  // This is not a vector, because a vector clears all of its memory. Long strings reserve much and use
  // little.
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_KERNEL_MEMORY_H_
