#include "engine/io/packed_input.h"

#include <algorithm>

namespace leafscore::internal {

void PackedInput::PutBack(std::span<const std::byte> passed) {
  std::vector<std::byte> all(passed.begin(), passed.end());
  all.insert(all.end(), bytes().begin(), bytes().end());
  offset_ -= passed.size();
  begin_ = 0;
  end_ = all.size();
  buffer_ = std::move(all);
}

std::optional<std::size_t> PackedInput::ReadMore(ByteSource::Deadline deadline) {
  constexpr std::size_t kLeastRoom = 256 << 10;
  std::ranges::copy(bytes(), buffer_.begin());
  end_ -= std::exchange(begin_, 0);
  const std::size_t room = std::max(end_, kLeastRoom);
  if (buffer_.size() < end_ + room) buffer_.resize(end_ + room);
  const std::optional<std::size_t> read = file_->ReadUntil(std::span(buffer_).subspan(end_, room), deadline);
  end_ += read.value_or(0);
  return read;
}

}  // namespace leafscore::internal
