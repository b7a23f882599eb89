// engine/io/packed_input.h: what was read of a compressed input and is not unpacked yet.
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
  std::uint64_t offset() const { return offset_; }  // of these in the file
  std::uint64_t consumed_bytes() const noexcept { return file_->consumed_bytes(); }

  // Passes the first of them. REQUIRES: there are as many.
  void Pass(std::size_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
  }

  // Puts bytes that were passed last before them again.
  void PutBack(std::span<const std::byte> passed);

  // Reads more behind them, at most as many as there are or 256 KiB. RETURNS: how many, 0 at the end; nothing
  // when there were none by the deadline. ERRORS: those of the file.
  std::optional<std::size_t> ReadMore(ByteSource::Deadline deadline);

 private:
  std::unique_ptr<ByteSource> file_;
  std::vector<std::byte> buffer_;  // of which [begin_, end_) are not passed
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_PACKED_INPUT_H_
