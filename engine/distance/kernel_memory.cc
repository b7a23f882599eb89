#include "engine/distance/kernel_memory.h"

#include <cstring>
#include <limits>
#include <memory>

#include "leafscore/error.h"

namespace leafscore::internal {

void StringColumnBuilder::Clear() {
  offsets_.assign(1, static_cast<std::uint32_t>(kStringPadding));
  if (bytes_.size() < 2 * kStringPadding) bytes_.resize(2 * kStringPadding);
}

void StringColumnBuilder::Append(std::string_view text) {
  const std::size_t begin = offsets_.back();
  const std::size_t end = begin + text.size();
  if (end > std::numeric_limits<std::uint32_t>::max() - kStringPadding) {
    throw Error(ErrorCode::kInput,
                "one batch holds more than 4 GiB of strings to compare; give a lower --max-line-bytes");
  }
  if (end + kStringPadding > bytes_.size()) bytes_.resize(2 * (end + kStringPadding));
  std::memcpy(bytes_.data() + begin, text.data(), text.size());
  offsets_.push_back(static_cast<std::uint32_t>(end));
}

std::span<std::byte> KernelScratch::OfSize(std::size_t bytes) {
  constexpr std::size_t kAlignment = 64;
  if (size_ < bytes + kAlignment) {
    size_ = bytes + kAlignment;
    memory_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  }
  void* aligned = memory_.get();
  std::size_t space = size_;
  std::align(kAlignment, bytes, aligned, space);
  return {static_cast<std::byte*>(aligned), space};
}

}  // namespace leafscore::internal
