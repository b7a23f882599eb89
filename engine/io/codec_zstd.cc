#include <fmt/format.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <new>

#include "engine/io/codec.h"

namespace leafscore::internal {
namespace {

// The window of a zstd input gets a sixteenth of the memory (engine/threads/memory_plan.h).
constexpr std::uint64_t kMemoryForEveryWindow = 16 * kMaxZstdWindow;

// The library's default: at about 400 MB/s, the serial sink keeps up with the scorers.
constexpr int kZstdLevel = 3;

constexpr std::size_t kMagicBytes = 4;

// Returns whether a frame, skippable or not, may begin with these bytes, however few they are.
bool MayBeginFrame(std::string_view begin) {
  const std::string_view head = begin.substr(0, kMagicBytes);
  const bool may_be_skipped = head.empty() || ((head[0] & 0xf0) == 0x50 &&
                                               std::string_view("\x2a\x4d\x18").starts_with(head.substr(1)));
  return may_be_skipped || std::string_view("\x28\xb5\x2f\xfd").starts_with(head);
}

class ZstdDecoder final : public Decoder {
 public:
  explicit ZstdDecoder(std::uint64_t max_window_bytes)
      : context_(ZSTD_createDCtx()),
        max_window_log_(std::bit_width(std::min(max_window_bytes, kMaxZstdWindow)) - 1) {
    if (!context_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, max_window_log_);
  }

  // When a call fails, the library forgets what it decoded in that call, and how much it consumed. So each
  // call gets at most one piece (a block, or a part of a header), and only after all earlier output was
  // handed out. The output and the place of a problem then do not depend on where `in` and `out` end.
  Step Decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (has_more_) {
      Step step = Call({}, out);
      if (step.produced != 0 || !step.problem.empty()) return step;
    }
    if (between_frames_ && !MayBeginFrame({reinterpret_cast<const char*>(in.data()), in.size()})) {
      return {.problem = "there is other data after the end of the zstd data"};
    }
    const std::size_t piece = std::min<std::size_t>(
        hint_ > kBlockHeaderBytes ? hint_ - kBlockHeaderBytes : hint_, ZSTD_BLOCKSIZE_MAX);
    if (in.size() < piece) return {};
    return Call(in.first(piece), out);
  }

  void PassFrames() override { first_frame_ = false; }

  bool may_end() const override { return between_frames_ && !first_frame_; }

 private:
  static constexpr std::size_t kBlockHeaderBytes = 3;
  static constexpr std::size_t kStartHint = 5 + kBlockHeaderBytes;  // enough of a header to tell its length

  // Calls the library once. The library returns a hint for the size of the next input, which covers a block
  // and the 3-byte header after it.
  Step Call(std::span<const std::byte> in, std::span<std::byte> out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t result = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(result)) {
      return {.problem = Problem(result),
              .damaged = ZSTD_getErrorCode(result) != ZSTD_error_frameParameter_windowTooLarge};
    }
    between_frames_ = result == 0;
    if (between_frames_) first_frame_ = false;
    has_more_ = !between_frames_ && output.pos == output.size;
    hint_ = between_frames_ ? kStartHint : result;
    return {.consumed = input.pos, .produced = output.pos};
  }

  std::string Problem(std::size_t result) const {
    switch (ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation:
        throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        return fmt::format("its window is above {} MiB; {}compress it again with --long={} or less",
                           (1 << max_window_log_) >> 20,
                           1 << max_window_log_ == kMaxZstdWindow
                               ? std::string()
                               : fmt::format("give a higher --memory ({} is enough for every window), or ",
                                             kMemoryForEveryWindow),
                           max_window_log_);
      case ZSTD_error_checksum_wrong:
      case ZSTD_error_dictionary_wrong:
      case ZSTD_error_frameParameter_unsupported:
        return ZSTD_getErrorName(result);
      default:  // the exact error depends on the library's buffers from earlier frames
        return ZSTD_getErrorString(ZSTD_error_corruption_detected);
    }
  }

  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_;
  int max_window_log_;
  std::size_t hint_ = kStartHint;
  bool between_frames_ = true;
  bool first_frame_ = true;
  bool has_more_ = false;  // the library may have more decoded bytes
};

class ZstdEncoder final : public Encoder {
 public:
  ZstdEncoder() : context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
  }

  void Encode(std::string_view in, bool last, std::string& out) override {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    std::size_t left = 0;
    do {
      char piece[16384];
      ZSTD_outBuffer output{piece, sizeof piece, 0};
      left = ZSTD_compressStream2(context_.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_isError(left)) throw std::bad_alloc();  // the only way in which compression to memory fails
      out.append(piece, output.pos);
    } while (last ? left != 0 : input.pos < input.size);
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> context_;
};

}  // namespace

std::unique_ptr<Decoder> MakeZstdDecoder(std::uint64_t max_window_bytes) {
  return std::make_unique<ZstdDecoder>(max_window_bytes);
}
std::unique_ptr<Encoder> MakeZstdEncoder() { return std::make_unique<ZstdEncoder>(); }

bool IsZstd(std::string_view head) { return head.size() >= kMagicBytes && MayBeginFrame(head); }

}  // namespace leafscore::internal
