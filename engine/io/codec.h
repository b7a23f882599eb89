// engine/io/codec.h: gzip and zstd as streams, behind one pair of interfaces. A codec holds the state of one
// stream; it owns no files and no input.
#ifndef LEAFSCORE_ENGINE_IO_CODEC_H_
#define LEAFSCORE_ENGINE_IO_CODEC_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace leafscore::internal {

class Decoder {
 public:
  struct Step {
    std::size_t consumed = 0;      // bytes of `in`
    std::size_t produced = 0;      // bytes of `out`
    std::string problem = {};      // why the stream ends here; empty if it does not
    bool damaged = true;           // false if the problem is that it needs more memory than allowed
    std::size_t looked_ahead = 0;  // how many of the consumed bytes come after the problem
  };

  virtual ~Decoder() = default;

  // Decodes part of `in` into `out`. If it neither consumes nor produces anything, `in` is too short; 128 KiB
  // are always enough. The output of all calls together, and the place of a problem, do not depend on the
  // sizes of `in` and `out`.
  // REQUIRES: out is not empty; no call after a problem.
  virtual Step Decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // Tells the decoder that the frames before the next one were decoded elsewhere. REQUIRES: it is between
  // frames.
  virtual void PassFrames() {}

  // Returns whether the stream may end here: after a whole gzip member or zstd frame.
  virtual bool may_end() const = 0;
};

class Encoder {
 public:
  virtual ~Encoder() = default;

  // Encodes `in`, and appends the bytes that are ready to `out`; `last` ends the stream. The bytes also
  // depend on how the input is cut into pieces, so pass pieces of a fixed size.
  virtual void Encode(std::string_view in, bool last, std::string& out) = 0;
};

// Gzip (RFC 1952). The CRC-32 and the length of every member are verified. Zeros after a member are skipped,
// because tapes and some tools pad files with them. Any other bytes after the last member are a problem.
std::unique_ptr<Decoder> MakeGzipDecoder();
std::unique_ptr<Encoder> MakeGzipEncoder();

// Zstd (RFC 8878). Checksums are verified. Skippable frames are skipped. A frame that needs a larger window
// than the limit is a problem, so that an input cannot exhaust memory. The limit is max_window_bytes, rounded
// down to a power of two, but at most kMaxZstdWindow.
inline constexpr std::uint64_t kMaxZstdWindow = 128 << 20;
std::unique_ptr<Decoder> MakeZstdDecoder(std::uint64_t max_window_bytes = kMaxZstdWindow);
std::unique_ptr<Encoder> MakeZstdEncoder();

// Tell from its first bytes whether a stream is gzip, or zstd. Four bytes are enough.
bool IsGzip(std::string_view head);
bool IsZstd(std::string_view head);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_CODEC_H_
