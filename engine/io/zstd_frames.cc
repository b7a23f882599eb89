#include "engine/io/zstd_frames.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kFrameMagic = 0xfd2fb528;
constexpr std::uint32_t kSkippableMagic = 0x184d2a50;  // and the 15 values above it
constexpr std::uint32_t kSkippableMask = 0xfffffff0;
constexpr std::size_t kSkippableHeaderBytes = 8;
constexpr std::size_t kChecksumBytes = 4;
constexpr std::size_t kBlockHeaderBytes = 3;
constexpr std::uint64_t kMaxBlockBytes = 128 << 10;

enum class BlockType : std::uint8_t { kRaw, kRepeated, kCompressed, kReserved };

// Reads a number of `bytes` bytes, the lowest first.
std::uint64_t NumberAt(std::span<const std::byte> text, std::size_t at, std::size_t bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes; i-- != 0;) number = number << 8 | std::to_integer<std::uint64_t>(text[at + i]);
  return number;
}

bool IsSkippable(std::span<const std::byte> begin) {
  return (NumberAt(begin, 0, 4) & kSkippableMask) == kSkippableMagic;
}

constexpr unsigned kMaxUnpackers = 16;

}  // namespace

std::optional<ZstdFrameHeader> ReadZstdHeader(std::span<const std::byte> begin) {
  if (begin.size() < kSkippableHeaderBytes) return std::nullopt;
  if (IsSkippable(begin)) return ZstdFrameHeader{};
  if (NumberAt(begin, 0, 4) != kFrameMagic) return std::nullopt;
  const auto descriptor = std::to_integer<unsigned>(begin[4]);
  const bool is_single_segment = (descriptor >> 5 & 1) != 0;
  constexpr std::size_t kIdBytes[] = {0, 1, 2, 4};
  const std::size_t content_bytes_at = 5 + (is_single_segment ? 0 : 1) + kIdBytes[descriptor & 3];
  const std::size_t content_bytes =
      descriptor >> 6 == 0 ? (is_single_segment ? 1 : 0) : 1 << (descriptor >> 6);
  ZstdFrameHeader header{.bytes = content_bytes_at + content_bytes,
                         .has_checksum = (descriptor >> 2 & 1) != 0};
  if (begin.size() < header.bytes) return std::nullopt;
  if (is_single_segment) {
    constexpr std::uint64_t kOffsetOfTwoBytes = 256;
    header.window_bytes =
        NumberAt(begin, content_bytes_at, content_bytes) + (content_bytes == 2 ? kOffsetOfTwoBytes : 0);
  } else {
    const auto window = std::to_integer<unsigned>(begin[5]);
    const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
    header.window_bytes = base + base / 8 * (window & 7);
  }
  const std::uint64_t content = ZSTD_getFrameContentSize(begin.data(), begin.size());
  if (content < ZSTD_CONTENTSIZE_ERROR) header.content_bytes = content;
  return header;
}

ZstdFrameWalk::State ZstdFrameWalk::Walk(std::span<const std::byte> begin) {
  if (header_.bytes == 0 && !has_last_) {
    end_ = kSkippableHeaderBytes + NumberAt(begin, 4, 4);
    has_last_ = true;
  }
  while (!has_last_) {
    if (begin.size() < end_ + kBlockHeaderBytes) return State::kNeedsMore;
    const std::uint64_t block = NumberAt(begin, end_, kBlockHeaderBytes);
    const auto type = static_cast<BlockType>(block >> 1 & 3);
    const std::uint64_t size = block >> 3;
    if (type == BlockType::kReserved || size > kMaxBlockBytes) return State::kDamaged;
    content_bytes_ += type == BlockType::kCompressed ? std::min(header_.window_bytes, kMaxBlockBytes) : size;
    end_ += kBlockHeaderBytes + (type == BlockType::kRepeated ? 1 : size);
    has_last_ = (block & 1) != 0;
    if (has_last_ && header_.has_checksum) end_ += kChecksumBytes;
  }
  return begin.size() < end_ ? State::kNeedsMore : State::kComplete;
}

ZstdFrames::~ZstdFrames() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ZstdFrames::Start(std::span<const std::byte> packed, std::uint64_t most_content_bytes) {
  try {
    if (threads_.size() < max_threads_ && threads_.size() <= frames_.size()) {
      threads_.emplace_back([this, times = StageScope::Times()] { Work(times); });
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) return false;
  }
  std::unique_ptr<Frame> frame = spare_ != nullptr ? std::move(spare_) : std::make_unique<Frame>();
  frame->packed.assign(packed.begin(), packed.end());
  // Not cleared, because it will be overwritten.
  if (frame->content.size() < most_content_bytes) frame->content.resize(most_content_bytes);
  frame->is_done = false;
  frame->held_bytes = frame->packed.size() + most_content_bytes;
  held_bytes_ += frame->held_bytes;
  const std::lock_guard lock(mutex_);
  waiting_.push_back(frame.get());
  frames_.push_back(std::move(frame));
  changed_.notify_all();
  return true;
}

std::unique_ptr<ZstdFrames::Frame> ZstdFrames::Take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return frames_.front()->is_done; });
  std::unique_ptr<Frame> frame = std::move(frames_.front());
  frames_.pop_front();
  held_bytes_ -= frame->held_bytes;
  return frame;
}

void ZstdFrames::Work(StageTimes* times) {
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return is_over_ || !waiting_.empty(); });
    if (is_over_) return;
    Frame& frame = *waiting_.front();
    waiting_.pop_front();
    lock.unlock();
    {
      const StageScope stage(times, Stage::kUnpack, /*is_serial=*/false);
      // If memory runs out, no frame counts as whole. A skippable frame has no content.
      const std::size_t size =
          context == nullptr ? 0
                             : ZSTD_decompressDCtx(context.get(), frame.content.data(), frame.content.size(),
                                                   frame.packed.data(), frame.packed.size());
      frame.is_whole = context != nullptr && !ZSTD_isError(size);
      frame.content_bytes = frame.is_whole ? size : 0;
    }
    lock.lock();
    frame.is_done = true;
    changed_.notify_all();
  }
}

// Frames in progress get half of the memory. The other half is for the frame that is being read, and for a
// spare one.
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

// Takes the next frame. RETURNS: false if there is no frame, or if it is damaged. A damaged frame is put
// back, together with all frames that were started after it.
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

// Begins to decompress the next frame, if the frame qualifies and there is room for it now.
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
  // Check the ratio as if this frame and all frames started before it had unpacked to the most that they may.
  const std::uint64_t started = started_bytes_ + next_->content_bytes();
  if (!IsWithinRatio(started, input_.offset(), max_ratio_)) return false;
  const auto bytes = static_cast<std::size_t>(next_->bytes());
  if (!frames_.Start(input_.bytes().first(bytes), next_->content_bytes())) return false;
  input_.Pass(bytes);
  started_bytes_ = started;
  next_.reset();
  return true;
}

// RETURNS: false if there are no more bytes.
bool ZstdFrameReader::ReadMore() {
  try {
    return *input_.ReadMore(ByteSource::Deadline::max()) != 0;
  } catch (const Error&) {
    return false;  // the stream decoder gets the error again, after the bytes before it
  }
}

}  // namespace leafscore::internal
