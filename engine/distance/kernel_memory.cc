#include "engine/distance/kernel_memory.h"

#include <algorithm>
#include <cstring>
#include <memory>

#include "engine/base/resource_error.h"

namespace leafscore::internal {

void StringColumnBuilder::Clear() {
  offsets_.assign(1, static_cast<std::uint32_t>(kStringPadding));
  if (bytes_.size() < 2 * kStringPadding) bytes_.resize(2 * kStringPadding);
}

void StringColumnBuilder::Append(std::string_view text) {
  const std::size_t begin = offsets_.back();
  const std::size_t end = begin + text.size();
  if (end > max_column_bytes) throw ColumnIsFull();
  if (const std::size_t needed = end + kStringPadding; needed > bytes_.size()) {
    const std::size_t size = std::max(needed, 2 * bytes_.size());
    AllocateFor(size, "the strings of a batch to compare", [&] { bytes_.resize(size); });
  }
  if (!text.empty()) std::memcpy(bytes_.data() + begin, text.data(), text.size());
  offsets_.push_back(static_cast<std::uint32_t>(end));
}

std::span<std::byte> KernelScratch::OfSize(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  if (size_ < bytes + kAlignment) {
    size_ = 0;
    memory_.reset();
    AllocateFor(bytes + kAlignment, "comparing the longest strings of a batch",
                [&] { memory_ = std::make_unique_for_overwrite<std::byte[]>(bytes + kAlignment); });
    size_ = bytes + kAlignment;
  }
  void* aligned = memory_.get();
  std::size_t space = size_;
  std::align(kAlignment, bytes, aligned, space);
  return {static_cast<std::byte*>(aligned), space};
}

}  // namespace leafscore::internal
