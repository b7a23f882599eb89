#include "engine/io/zstd_frame_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr unsigned kMaxUnpackers = 16;

}  // namespace

// Half of the memory is for the frame that is being read, and a spare one.
ZstdFrameReader::ZstdFrameReader(PackedInput& input, unsigned threads, std::uint64_t max_window_bytes,
                                 std::uint64_t max_ratio)
    : input_(input),
      max_window_bytes_(std::bit_floor(max_window_bytes)),
      max_ratio_(max_ratio),
      frames_(std::min(threads, kMaxUnpackers), max_window_bytes / 2) {}

std::size_t ZstdFrameReader::Read(std::span<std::byte> out) {
  while (frame_ == nullptr || taken_ == frame_->content_bytes) {
    if (!TakeFrame()) return 0;
  }
  const std::size_t n = std::min(out.size(), frame_->content_bytes - taken_);
  std::memcpy(out.data(), frame_->content.data() + taken_, n);
  taken_ += n;
  return n;
}

// Takes the next frame. RETURNS: false when there is none, or it is damaged: then it is put back with all
// that were started behind it.
bool ZstdFrameReader::TakeFrame() {
  if (frame_ != nullptr) frames_.TakeBack(std::move(frame_));
  while (StartFrame()) continue;
  if (frames_.empty()) return false;
  frame_ = frames_.Take();
  taken_ = 0;
  if (frame_->is_whole) return true;
  std::vector<std::byte> packed = std::move(frame_->packed);
  while (!frames_.empty()) {
    const std::unique_ptr<ZstdFrames::Frame> behind = frames_.Take();
    packed.insert(packed.end(), behind->packed.begin(), behind->packed.end());
  }
  input_.PutBack(packed);
  return false;
}

// Begins to unpack the next frame, if it is one that may be, and there is room for it now.
bool ZstdFrameReader::StartFrame() {
  if (!next_) {
    while (input_.bytes().size() < kZstdHeaderBytes && ReadMore()) continue;
    const std::optional<ZstdFrameHeader> header = ReadZstdHeader(input_.bytes());
    if (!header || header->window_bytes > max_window_bytes_) return false;
    if (!frames_.MayHold(header->content_bytes.value_or(0))) return false;
    next_.emplace(*header);
  }
  ZstdFrameWalk::State state = next_->Walk(input_.bytes());
  while (state == ZstdFrameWalk::State::kNeedsMore) {
    if (!frames_.MayHold(next_->bytes() + next_->content_bytes()) || !ReadMore()) return false;
    state = next_->Walk(input_.bytes());
  }
  if (state == ZstdFrameWalk::State::kDamaged) return false;
  const ZstdFrameHeader& header = next_->header();
  const std::uint64_t content = header.content_bytes.value_or(next_->content_bytes());
  if (!header.has_checksum && content > header.window_bytes) return false;
  const std::uint64_t held = next_->bytes() + next_->content_bytes();
  if (!frames_.MayHold(held) || !frames_.HasRoom(held)) return false;
  // All that may come of it is within the ratio, as if it came at once.
  const std::uint64_t started = started_bytes_ + next_->content_bytes();
  if (!IsWithinRatio(started, input_.offset(), max_ratio_)) return false;
  const auto bytes = static_cast<std::size_t>(next_->bytes());
  if (!frames_.Start(input_.bytes().first(bytes), next_->content_bytes())) return false;
  input_.Pass(bytes);
  started_bytes_ = started;
  next_.reset();
  return true;
}

// RETURNS: false where there are no more bytes.
bool ZstdFrameReader::ReadMore() {
  try {
    return *input_.ReadMore(ByteSource::Deadline::max()) != 0;
  } catch (const Error&) {
    return false;  // the decoder meets it again, behind what comes before it
  }
}

}  // namespace leafscore::internal
