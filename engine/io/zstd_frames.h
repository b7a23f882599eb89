// engine/io/zstd_frames.h: whole zstd frames unpacked side by side, as pzstd, seekable files and files put
// one behind the other have them. A frame qualifies when there is room for all that it may unpack to, and it
// has a checksum or fits its window: else libzstd may unpack as a whole what it refuses in a stream;
// whatever does not, or turns out to be damaged, is for the decoder of a stream (codec.h), whose output and
// errors count. THREADS: one calls.
#ifndef LEAFSCORE_ENGINE_IO_ZSTD_FRAMES_H_
#define LEAFSCORE_ENGINE_IO_ZSTD_FRAMES_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "engine/base/stage_times.h"
#include "engine/io/packed_input.h"

namespace leafscore::internal {

// What the header of a frame tells (RFC 8878, 3.1.1.1).
struct ZstdFrameHeader {
  std::uint64_t window_bytes = 0;                   // that a stream of it takes
  std::optional<std::uint64_t> content_bytes = {};  // where it tells
  std::size_t bytes = 0;                            // of the header; 0 of a frame that is skipped
  bool has_checksum = false;
};
inline constexpr std::size_t kZstdHeaderBytes = 18;  // at most

// RETURNS: nothing of what is no frame.
std::optional<ZstdFrameHeader> ReadZstdHeader(std::span<const std::byte> begin);

// Walks along the blocks of a frame as its bytes come in, to learn how long it is and what it may unpack to.
class ZstdFrameWalk {
 public:
  enum class State : std::uint8_t { kNeedsMore, kComplete, kDamaged };

  explicit ZstdFrameWalk(const ZstdFrameHeader& header) : header_(header), end_(header.bytes) {}

  // Goes on as far as the bytes reach, which begin with the frame and are no fewer than the last time. COST:
  // that of the blocks that are new.
  State Walk(std::span<const std::byte> begin);

  // Of the blocks that were passed: of a complete frame, the size of it, and the most that it unpacks to.
  std::uint64_t bytes() const { return end_; }
  const ZstdFrameHeader& header() const { return header_; }
  std::uint64_t content_bytes() const { return content_bytes_; }

 private:
  ZstdFrameHeader header_;
  std::uint64_t end_;  // of the last block
  std::uint64_t content_bytes_ = 0;
  bool has_last_ = false;  // it was passed, and so is the checksum
};

class ZstdFrames {
 public:
  struct Frame {
    std::vector<std::byte> packed = {};
    std::vector<std::byte> content = {};  // of which as many are of the frame:
    std::size_t content_bytes = 0;
    std::uint64_t held_bytes = 0;
    bool is_whole = false;  // it was unpacked without an error
    bool is_done = false;
  };

  // Works on as many threads, which are started as they are needed. Frames under way hold `max_bytes` at
  // most, packed and unpacked.
  ZstdFrames(unsigned threads, std::uint64_t max_bytes) : max_threads_(threads), max_bytes_(max_bytes) {}
  ~ZstdFrames();
  ZstdFrames(const ZstdFrames&) = delete;
  ZstdFrames& operator=(const ZstdFrames&) = delete;

  // Tells whether a frame of so many bytes may begin now, and whether it ever may.
  bool HasRoom(std::uint64_t packed_and_content) const {
    return held_bytes_ + packed_and_content <= max_bytes_ && frames_.size() < 2 * std::size_t{max_threads_};
  }
  bool MayHold(std::uint64_t packed_and_content) const { return packed_and_content <= max_bytes_ / 2; }

  // RETURNS: false when the system has no thread for it.
  bool Start(std::span<const std::byte> packed, std::uint64_t most_content_bytes);

  bool empty() const { return frames_.empty(); }

  // Waits for the frame that was started first, and takes it. REQUIRES: !empty().
  std::unique_ptr<Frame> Take();

  // Takes back the memory of a frame for the next one.
  void TakeBack(std::unique_ptr<Frame> frame) { spare_ = std::move(frame); }

 private:
  void Work(StageTimes* times);

  unsigned max_threads_;
  std::uint64_t max_bytes_;
  std::uint64_t held_bytes_ = 0;
  std::unique_ptr<Frame> spare_;
  std::deque<std::unique_ptr<Frame>> frames_;  // in their order
  std::mutex mutex_;                           // of what follows, and of is_done
  std::condition_variable changed_;
  std::deque<Frame*> waiting_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;  // last, as they use the others
};

// The first frames of an input in zstd, unpacked side by side and handed out in their order. What it hands
// out, and where it ends, is what the decoder of a stream (codec.h) would make of them. THREADS: one.
class ZstdFrameReader {
 public:
  // Unpacks on as many threads, in max_window_bytes of memory; max_ratio is that of OpenByteSource. REQUIRES:
  // nothing of the input was passed, and its file waits for nobody.
  ZstdFrameReader(PackedInput& input, unsigned threads, std::uint64_t max_window_bytes,
                  std::uint64_t max_ratio);

  // Reads the next bytes of the frames. REQUIRES: out is not empty. RETURNS: how many; 0 when the rest of the
  // input is for the decoder of a stream: nothing may be read here after it.
  std::size_t Read(std::span<std::byte> out);

 private:
  bool TakeFrame();
  bool StartFrame();
  bool ReadMore();

  PackedInput& input_;
  std::uint64_t max_window_bytes_;
  std::uint64_t max_ratio_;
  ZstdFrames frames_;
  std::optional<ZstdFrameWalk> next_;  // the frame with which the input begins, as far as it was looked at
  std::uint64_t started_bytes_ = 0;    // that may come of all that were started
  std::unique_ptr<ZstdFrames::Frame> frame_;  // of which taken_ bytes were read
  std::size_t taken_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_ZSTD_FRAMES_H_
