// engine/io/codec.h: gzip and zstd as streams, behind one pair of interfaces.
// A codec holds the state of one stream; it owns no files and no input.
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
    std::string problem = {};      // not empty: the stream ends here, as it is damaged
    bool damaged = true;           // or else asks for more than it may take
    std::size_t looked_ahead = 0;  // of the bytes consumed so far, those that lie behind the problem
  };

  virtual ~Decoder() = default;

  // Decodes some of `in` into `out`; when nothing is consumed or produced, it needs more input behind that.
  // It does so for at most 128 KiB of it. What all calls together produce, and where a problem lies, does not
  // depend on the sizes of `in` and `out`.
  // REQUIRES: out is not empty; no call after a problem.
  virtual Step Decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // Says that frames before the next one were decoded elsewhere. REQUIRES: it is between two frames.
  virtual void PassFrames() {}

  // Returns true where the stream may end: after a whole gzip member or zstd frame.
  virtual bool may_end() const = 0;
};

class Encoder {
 public:
  virtual ~Encoder() = default;

  // Appends to `out` what becomes ready when `in` is added; `last` ends the stream.
  // RETURNS: bytes that depend only on the pieces handed in, so hand in pieces of a fixed size.
  virtual void Encode(std::string_view in, bool last, std::string& out) = 0;
};

// RFC 1952; every member's CRC-32 and length are verified. Zeros behind a member, with which tapes and some
// tools pad files, are skipped; anything else behind the last one is a problem.
std::unique_ptr<Decoder> MakeGzipDecoder();
std::unique_ptr<Encoder> MakeGzipEncoder();

// RFC 8878; checksums are verified, skippable frames skipped. A frame that needs a window above
// max_window_bytes, of which only whole powers of two and kMaxZstdWindow at most count, is a problem, so that
// an input cannot take the memory.
inline constexpr std::uint64_t kMaxZstdWindow = 128 << 20;
std::unique_ptr<Decoder> MakeZstdDecoder(std::uint64_t max_window_bytes = kMaxZstdWindow);
std::unique_ptr<Encoder> MakeZstdEncoder();

// Return whether a stream begins with these first bytes (four are enough).
bool IsGzip(std::string_view head);
bool IsZstd(std::string_view head);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_CODEC_H_
