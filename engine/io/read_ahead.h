// engine/io/read_ahead.h: a byte source that a thread of its own reads, ahead of whoever takes bytes from it:
// so a file is unpacked while its records are found. At most a megabyte is read ahead. THREADS: one takes
// bytes; consumed_bytes() may be called from any.
#ifndef LEAFSCORE_ENGINE_IO_READ_AHEAD_H_
#define LEAFSCORE_ENGINE_IO_READ_AHEAD_H_

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/stage_times.h"
#include "engine/io/byte_source.h"

namespace leafscore::internal {

class ReadAhead final : public ByteSource {
 public:
  // Gives the bytes and errors of a source that waits for nobody, as regular files do. `checksum`, which may
  // be null, is that to which the source adds what it takes from the file; `told` gets as much of it as
  // belongs to the bytes that were taken from here. Where the system has no thread for it, nothing is read
  // ahead.
  ReadAhead(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockChecksum> checksum, BlockChecksum* told);
  ~ReadAhead() override;

  std::optional<std::size_t> ReadUntil(std::span<std::byte> out, Deadline deadline) override;
  bool is_compressed() const override { return source_->is_compressed(); }
  std::uint64_t consumed_bytes() const noexcept override { return consumed_.load(std::memory_order_relaxed); }

 private:
  struct Piece {
    std::vector<std::byte> bytes = {};
    std::size_t size = 0;         // of what was read
    BlockChecksum checksum = {};  // by then
    std::uint64_t consumed_bytes = 0;
  };

  std::optional<std::size_t> ReadHere(std::span<std::byte> out, Deadline deadline);
  void TellHere();
  void Work(StageTimes* times);
  bool ReadPiece();
  bool TakePiece(Deadline deadline);

  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<BlockChecksum> checksum_;
  BlockChecksum* told_;
  Piece current_;
  std::size_t taken_ = 0;  // of it
  std::atomic<std::uint64_t> consumed_{0};
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  std::deque<Piece> ahead_;
  std::vector<std::vector<std::byte>> free_;
  bool is_done_ = false;      // nothing comes behind that
  std::exception_ptr error_;  // which is why
  bool is_over_ = false;      // nobody wants more
  std::thread thread_;        // last, as it uses the others; none: nothing is read ahead
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IO_READ_AHEAD_H_
