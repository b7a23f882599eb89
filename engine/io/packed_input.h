// engine/io/packed_input.h: the bytes of a compressed input that were read but not yet decompressed.
// THREADS: one reads; consumed_bytes() may be called from any thread.
#ifndef LEAFSCORE_ENGINE_IO_PACKED_INPUT_H_
#define LEAFSCORE_ENGINE_IO_PACKED_INPUT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/io/byte_source.h"

namespace leafscore::internal {

class PackedInput {
 public:
  explicit PackedInput(std::unique_ptr<ByteSource> file) : file_(std::move(file)) {}

  std::span<const std::byte> bytes() const { return std::span(buffer_).subspan(begin_, end_ - begin_); }
  std::uint64_t offset() const { return offset_; }  // position of bytes() in the file
  std::uint64_t consumed_bytes() const noexcept { return file_->consumed_bytes(); }

  // Drops the first `bytes` bytes. REQUIRES: there are that many.
  void Pass(std::size_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
  }

  // Puts back, in front, the bytes that Pass dropped last.
  void PutBack(std::span<const std::byte> passed);

  // Reads at most as many bytes as bytes() now has, or 256 KiB if that is more. RETURNS: how many were read,
  // 0 at the end; nullopt if no bytes came by the deadline. ERRORS: as the file.
  std::optional<std::size_t> ReadMore(ByteSource::Deadline deadline);

 private:
  std::unique_ptr<ByteSource> file_;
  std::vector<std::byte> buffer_;  // [begin_, end_) is not passed yet
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_PACKED_INPUT_H_
