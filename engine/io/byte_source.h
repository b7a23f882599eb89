// engine/io/byte_source.h: where input bytes come from: a file, a pipe or standard input, decompressed.
// Gzip (any number of members) and zstd (any number of frames) are known by their first bytes, not by
// name; their checksums are always verified.
// THREADS: one thread reads; consumed_bytes() may be called from any thread.
#ifndef LEAFSCORE_ENGINE_IO_BYTE_SOURCE_H_
#define LEAFSCORE_ENGINE_IO_BYTE_SOURCE_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/io/codec.h"

namespace leafscore::internal {

class ByteSource {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  virtual ~ByteSource() = default;

  // Reads up to out.size() bytes and waits only while there are none.
  // REQUIRES: out is not empty.
  // ERRORS:   Error(kInput) names the input, the offset in the file and what is wrong; all bytes before
  //           the break have been returned by then.
  // RETURNS:  the number of bytes read, 0 at the end of the input.
  std::size_t Read(std::span<std::byte> out) { return *ReadUntil(out, Deadline::max()); }

  // Reads likewise, but waits no longer than until `deadline`. RETURNS: nothing when there were no bytes by
  // then.
  virtual std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) = 0;

  // Tells whether the input is compressed, so that damage to it may show only behind bytes that it changed.
  virtual bool is_compressed() const { return false; }

  // Returns the bytes taken from the file so far: compressed bytes where the input is compressed.
  virtual std::uint64_t consumed_bytes() const noexcept = 0;
};

// Returns what messages call an input.
std::string InputName(const std::string& path);

// Throws Error(kInput): the input of this name cannot be read, for this error of the system.
[[noreturn]] void ThrowUnreadable(const std::string& name, int error);

// Opens an input; "-" is standard input.
// While it waits for a pipe, Read looks at *stop ten times a second and throws Error(kInterrupted) once
// it is true; a null stop never ends the wait. The bytes taken from the file, compressed where it is, are
// added to *checksum, which may be null. Read throws Error(kInput) when more than kFreeUnpackedBytes have
// come from a compressed input, and more than `max_ratio` times the bytes that they came from, or when zstd
// needs a window of more than `max_window_bytes` (codec.h). With more than one of `threads`, a compressed
// regular file is read and unpacked by a thread of its own, ahead of Read, and zstd frames by
// as many side by side, in max_window_bytes of memory; neither changes what Read gives. ERRORS: Error(kInput)
// when the input is missing, a directory or not readable; Error(kUsage) from CheckPath.
inline constexpr std::uint64_t kFreeUnpackedBytes = 64 << 20;
inline bool IsWithinRatio(std::uint64_t unpacked, std::uint64_t packed, std::uint64_t max_ratio) {
  return unpacked <= kFreeUnpackedBytes || unpacked <= max_ratio * packed;
}
std::unique_ptr<ByteSource> OpenByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr,
                                           BlockChecksum* checksum = nullptr,
                                           std::uint64_t max_ratio = kMaxRatio.default_value,
                                           std::uint64_t max_window_bytes = kMaxZstdWindow,
                                           unsigned threads = 1);

// A regular file. Two names are of one file when device and number are the same.
struct InputFile {
  std::uint64_t bytes = 0;  // compressed, where it is
  std::pair<std::uint64_t, std::uint64_t> device_and_number = {};
};

// Checks that an input can be opened, without opening it (which a pipe's writer would notice).
// ERRORS:  as OpenByteSource.
// RETURNS: nothing of what is no regular file.
std::optional<InputFile> ProbeInput(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_BYTE_SOURCE_H_
