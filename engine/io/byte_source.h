// engine/io/byte_source.h: reads input bytes from a file, a pipe or standard input, and decompresses them.
// Gzip (any number of members) and zstd (any number of frames) are recognised by their first bytes, not by
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

  // Reads up to out.size() bytes; waits only if there are none yet.
  // REQUIRES: out is not empty.
  // RETURNS: the number of bytes read, 0 at the end of the input.
  // ERRORS: Error(kInput) names the input, the offset in the file and the problem; all bytes before it have
  // been returned by then.
  std::size_t Read(std::span<std::byte> out) { return *ReadUntil(out, Deadline::max()); }

  // Like Read, but waits only until `deadline`. RETURNS: nullopt if no bytes came by then.
  virtual std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) = 0;

  // Tells whether the input is compressed: damage may then show only after the bytes that it changed.
  virtual bool is_compressed() const { return false; }

  // Returns the bytes read from the file so far; of a compressed input, compressed bytes.
  virtual std::uint64_t consumed_bytes() const noexcept = 0;
};

// Returns the name of an input for messages.
std::string InputName(const std::string& path);

// Throws Error(kInput): the input of this name cannot be read because of this system error.
[[noreturn]] void ThrowUnreadable(const std::string& name, int error);

// Opens an input; "-" is standard input. While Read waits for a pipe, it checks *stop ten times a second and
// throws Error(kInterrupted) once it is true; with null, the wait never ends early.
//
// Bytes read from the file, before decompression, are added to *checksum, which may be null. Read throws
// Error(kInput) if a compressed input has given more than kFreeUnpackedBytes and more than `max_ratio` times
// the bytes read, or if zstd needs a window of more than `max_window_bytes` (codec.h).
//
// If `threads` is more than 1, a compressed regular file is read and decompressed in a thread of its own,
// ahead of Read, and zstd frames in up to `threads` threads, within max_window_bytes of memory; Read returns
// the same either way.
// ERRORS: Error(kInput) if the input is missing, a directory or not readable; Error(kUsage) from CheckPath.
inline constexpr std::uint64_t kFreeUnpackedBytes = 64 << 20;
inline bool IsWithinRatio(std::uint64_t unpacked, std::uint64_t packed, std::uint64_t max_ratio) {
  return unpacked <= kFreeUnpackedBytes || unpacked <= max_ratio * packed;
}
std::unique_ptr<ByteSource> OpenByteSource(const std::string& path, const std::atomic<bool>* stop = nullptr,
                                           BlockChecksum* checksum = nullptr,
                                           std::uint64_t max_ratio = kMaxRatio.default_value,
                                           std::uint64_t max_window_bytes = kMaxZstdWindow,
                                           unsigned threads = 1);

// A regular file. Two names mean the same file if device and number are equal.
struct InputFile {
  std::uint64_t bytes = 0;  // on disk, even if compressed
  std::pair<std::uint64_t, std::uint64_t> device_and_number = {};
};

// Checks that an input can be opened, without opening it (the writer of a pipe would notice).
// RETURNS: nullopt if it is not a regular file.
// ERRORS: as OpenByteSource.
std::optional<InputFile> ProbeInput(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_BYTE_SOURCE_H_
