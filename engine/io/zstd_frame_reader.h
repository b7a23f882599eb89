// engine/io/zstd_frame_reader.h: the first frames of an input in zstd, unpacked side by side and handed out
// in their order. What it hands out, and where it ends, is what the decoder of a stream (codec.h) would make
// of them. THREADS: one.
#ifndef LEAFSCORE_ENGINE_IO_ZSTD_FRAME_READER_H_
#define LEAFSCORE_ENGINE_IO_ZSTD_FRAME_READER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "engine/io/packed_input.h"
#include "engine/io/zstd_frames.h"

namespace leafscore::internal {

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

#endif  // LEAFSCORE_ENGINE_IO_ZSTD_FRAME_READER_H_
