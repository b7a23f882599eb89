#include "engine/io/zstd_frames.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <system_error>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::uint32_t kFrameMagic = 0xfd2fb528;
constexpr std::uint32_t kSkippableMagic = 0x184d2a50;  // and the 15 above it
constexpr std::uint32_t kSkippableMask = 0xfffffff0;

std::uint32_t MagicOf(std::span<const std::byte> begin) {
  std::uint32_t magic = 0;
  for (std::size_t i = 4; i-- != 0;) magic = magic << 8 | std::to_integer<std::uint32_t>(begin[i]);
  return magic;
}

}  // namespace

// RFC 8878, 3.1.1.1.
std::optional<ZstdFrameHeader> ReadZstdHeader(std::span<const std::byte> begin) {
  if (begin.size() < 6) return std::nullopt;
  if ((MagicOf(begin) & kSkippableMask) == kSkippableMagic) return ZstdFrameHeader{};
  if (MagicOf(begin) != kFrameMagic) return std::nullopt;
  const std::uint64_t content = ZSTD_getFrameContentSize(begin.data(), begin.size());
  if (content == ZSTD_CONTENTSIZE_UNKNOWN || content == ZSTD_CONTENTSIZE_ERROR) return std::nullopt;
  const auto descriptor = std::to_integer<unsigned>(begin[4]);
  const bool is_single_segment = (descriptor >> 5 & 1) != 0;
  if (is_single_segment) return ZstdFrameHeader{content, content};
  const auto window = std::to_integer<unsigned>(begin[5]);
  const std::uint64_t base = std::uint64_t{1} << (10 + (window >> 3));
  return ZstdFrameHeader{base + base / 8 * (window & 7), content};
}

std::optional<std::size_t> ZstdFrameSize(std::span<const std::byte> begin) {
  const std::size_t size = ZSTD_findFrameCompressedSize(begin.data(), begin.size());
  if (!ZSTD_isError(size)) return size;
  return ZSTD_getErrorCode(size) == ZSTD_error_srcSize_wrong ? std::optional<std::size_t>(0) : std::nullopt;
}

ZstdFrames::~ZstdFrames() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

bool ZstdFrames::Start(std::vector<std::byte> packed, std::uint64_t content_bytes) {
  try {
    if (threads_.size() < max_threads_ && threads_.size() <= frames_.size()) {
      threads_.emplace_back([this, times = StageScope::Times()] { Work(times); });
    }
  } catch (const std::system_error&) {
    if (threads_.empty()) return false;
  }
  auto frame = std::make_unique<Frame>();
  frame->packed = std::move(packed);
  frame->content.resize(content_bytes);
  held_bytes_ += frame->packed.size() + content_bytes;
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
  held_bytes_ -= frame->packed.size() + frame->content.size();
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
      // Without memory for it, no frame is whole. A skippable one has no content.
      frame.is_whole = context != nullptr &&
                       ZSTD_decompressDCtx(context.get(), frame.content.data(), frame.content.size(),
                                           frame.packed.data(), frame.packed.size()) == frame.content.size();
    }
    lock.lock();
    frame.is_done = true;
    changed_.notify_all();
  }
}

}  // namespace leafscore::internal
