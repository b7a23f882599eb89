// engine/io/byte_source.h: reads input bytes from a file, a pipe or standard input, and decompresses them.
// Gzip (any number of members) and zstd (any number of frames) are recognised by their first bytes, not by
// the name of the file. Their checksums are always verified.
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

  // Reads up to out.size() bytes. Waits only if there are no bytes yet.
  // REQUIRES: `out` is not empty.
  // RETURNS:  the number of bytes that were read; 0 at the end of the input.
  // ERRORS:   Error(kInput), which names the input, the offset in the file and the problem. All bytes before
  //           the problem have already been returned.
  std::size_t Read(std::span<std::byte> out) { return *ReadUntil(out, Deadline::max()); }

  // As Read, but waits only until `deadline`.
  // RETURNS: nullopt if no bytes came by then.
  virtual std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) = 0;

  // Returns whether the input is compressed. If so, damage may show only after the damaged bytes were
  // returned.
  virtual bool is_compressed() const { return false; }

  // Returns the number of bytes that were read from the file so far, before decompression.
  virtual std::uint64_t consumed_bytes() const noexcept = 0;
};

// Returns the name of an input for messages.
std::string InputName(const std::string& path);

// Throws the Error(kInput) which says that the input `name` cannot be read because of the system error
// `error`.
[[noreturn]] void ThrowUnreadable(const std::string& name, int error);

// Opens an input; "-" is standard input. While Read waits for a pipe, it checks *stop ten times a second, and
// throws Error(kInterrupted) when it is true. If `stop` is null, the wait never ends early.
//
// The bytes of the file, before decompression, are added to *checksum, unless `checksum` is null. Read throws
// Error(kInput) if a compressed input unpacks to more than kFreeUnpackedBytes and more than `max_ratio` times
// the bytes read, or if zstd needs a window of more than `max_window_bytes` (codec.h).
//
// If `threads` is more than 1, a separate thread reads and decompresses a compressed regular file ahead of
// Read, and up to `threads` threads decompress zstd frames, within max_window_bytes of memory. Read returns
// the same bytes in either case.
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

// A regular file. Two names mean the same file if both its device and its inode number are equal.
struct InputFile {
  std::uint64_t bytes = 0;  // the size on disk, which may be compressed
  std::pair<std::uint64_t, std::uint64_t> device_and_number = {};
};

// Checks that an input can be opened, without opening it: the writer of a pipe would notice.
// RETURNS: nullopt if it is not a regular file.
// ERRORS: as OpenByteSource.
std::optional<InputFile> ProbeInput(const std::string& path);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_BYTE_SOURCE_H_
