// engine/io/zstd_frames.h: decompresses whole zstd frames in parallel, for files from pzstd, seekable files
// and concatenated files. A frame qualifies if there is room for the most that it may unpack to, and if it
// has a checksum or its content fits its window. libzstd may accept any other frame as a whole, although it
// would refuse the frame as a stream. Frames that do not qualify, or turn out to be damaged, go to the stream
// decoder (codec.h), whose output and errors are authoritative. THREADS: one thread calls.
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

// The header of a frame (RFC 8878, 3.1.1.1).
struct ZstdFrameHeader {
  std::uint64_t window_bytes = 0;                   // needed to decode it as a stream
  std::optional<std::uint64_t> content_bytes = {};  // if the header has it
  std::size_t bytes = 0;                            // size of the header; 0 for a frame that is skipped
  bool has_checksum = false;
};
inline constexpr std::size_t kZstdHeaderBytes = 18;  // at most

// RETURNS: nullopt if this is not a frame.
std::optional<ZstdFrameHeader> ReadZstdHeader(std::span<const std::byte> begin);

// Walks the blocks of a frame as its bytes come in, to find its length and the most that it may unpack to.
class ZstdFrameWalk {
 public:
  enum class State : std::uint8_t { kNeedsMore, kComplete, kDamaged };

  explicit ZstdFrameWalk(const ZstdFrameHeader& header) : header_(header), end_(header.bytes) {}

  // Continues as far as `begin` reaches. It has the first bytes of the frame, at least as many as in the last
  // call.
  // COST: linear in the new blocks.
  State Walk(std::span<const std::byte> begin);

  // bytes() returns the size of the header and of the blocks walked so far; content_bytes() returns the most
  // that these blocks unpack to. If the frame is complete, both are for the whole frame.
  std::uint64_t bytes() const { return end_; }
  const ZstdFrameHeader& header() const { return header_; }
  std::uint64_t content_bytes() const { return content_bytes_; }

 private:
  ZstdFrameHeader header_;
  std::uint64_t end_;  // end of the last block
  std::uint64_t content_bytes_ = 0;
  bool has_last_ = false;  // the last block and the checksum were passed
};

class ZstdFrames {
 public:
  struct Frame {
    std::vector<std::byte> packed = {};
    std::vector<std::byte> content = {};  // its first content_bytes bytes belong to the frame
    std::size_t content_bytes = 0;
    std::uint64_t held_bytes = 0;
    bool is_whole = false;  // it was decompressed without an error
    bool is_done = false;
  };

  // Uses up to `threads` threads, which are started when needed. Frames in progress hold at most `max_bytes`,
  // packed and unpacked.
  ZstdFrames(unsigned threads, std::uint64_t max_bytes) : max_threads_(threads), max_bytes_(max_bytes) {}
  ~ZstdFrames();
  ZstdFrames(const ZstdFrames&) = delete;
  ZstdFrames& operator=(const ZstdFrames&) = delete;

  // HasRoom returns whether a frame of this size may begin now. MayHold returns whether it may ever begin.
  bool HasRoom(std::uint64_t packed_and_content) const {
    return held_bytes_ + packed_and_content <= max_bytes_ && frames_.size() < 2 * std::size_t{max_threads_};
  }
  bool MayHold(std::uint64_t packed_and_content) const { return packed_and_content <= max_bytes_ / 2; }

  // Begins to decompress a frame. RETURNS: false if the system has no thread for it.
  bool Start(std::span<const std::byte> packed, std::uint64_t most_content_bytes);

  bool empty() const { return frames_.empty(); }

  // Waits for the frame that was started first, and takes it. REQUIRES: !empty().
  std::unique_ptr<Frame> Take();

  // Takes back a frame, to reuse its memory for the next one.
  void TakeBack(std::unique_ptr<Frame> frame) { spare_ = std::move(frame); }

 private:
  void Work(StageTimes* times);

  unsigned max_threads_;
  std::uint64_t max_bytes_;
  std::uint64_t held_bytes_ = 0;
  std::unique_ptr<Frame> spare_;
  std::deque<std::unique_ptr<Frame>> frames_;  // in order
  std::mutex mutex_;                           // protects the members below, and is_done
  std::condition_variable changed_;
  std::deque<Frame*> waiting_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;  // last, as they use the others
};

// Decompresses the first frames of a zstd input in parallel, and returns their content in order. The stream
// decoder (codec.h) would return the same bytes. THREADS: one.
class ZstdFrameReader {
 public:
  // Uses up to `threads` threads, and max_window_bytes of memory; max_ratio as in OpenByteSource. REQUIRES:
  // no byte of the input was passed, and reading its file never waits.
  ZstdFrameReader(PackedInput& input, unsigned threads, std::uint64_t max_window_bytes,
                  std::uint64_t max_ratio);

  // Reads the next bytes of the frames. REQUIRES: out is not empty. RETURNS: how many; 0 if the stream
  // decoder must decode the rest of the input. Do not call Read after that.
  std::size_t Read(std::span<std::byte> out);

 private:
  bool TakeFrame();
  bool StartFrame();
  bool ReadMore();

  PackedInput& input_;
  std::uint64_t max_window_bytes_;
  std::uint64_t max_ratio_;
  ZstdFrames frames_;
  std::optional<ZstdFrameWalk> next_;         // the frame at the start of the input, as far as it was walked
  std::uint64_t started_bytes_ = 0;           // the most that all started frames unpack to
  std::unique_ptr<ZstdFrames::Frame> frame_;  // taken_ bytes of it were read
  std::size_t taken_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_ZSTD_FRAMES_H_
