#include "engine/io/read_ahead.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <utility>

namespace leafscore::internal {
namespace {

constexpr std::size_t kPieceBytes = 256 << 10;
constexpr std::size_t kPieces = 4;

}  // namespace

ReadAhead::ReadAhead(std::unique_ptr<ByteSource> source, std::unique_ptr<BlockChecksum> checksum,
                     BlockChecksum* told)
    : source_(std::move(source)), checksum_(std::move(checksum)), told_(told) {
  try {
    thread_ = std::thread([this, times = StageScope::Times()] { Work(times); });
  } catch (const std::system_error&) {
    // As many as there are have to do.
  }
}

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void ReadAhead::Work(StageTimes* times) {
  const StageScope stage(times, Stage::kUnpack, /*is_serial=*/true);
  std::exception_ptr error;
  try {
    while (ReadPiece()) continue;
  } catch (...) {
    error = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  error_ = error;
  is_done_ = true;
  changed_.notify_all();
}

// RETURNS: false at the end, or when nobody wants more.
bool ReadAhead::ReadPiece() {
  Piece piece;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || ahead_.size() < kPieces; });
    if (is_over_) return false;
    if (!free_.empty()) {
      piece.bytes = std::move(free_.back());
      free_.pop_back();
    }
  }
  piece.bytes.resize(kPieceBytes);
  piece.size = source_->Read(piece.bytes);
  if (piece.size == 0) return false;
  if (checksum_ != nullptr) piece.checksum = *checksum_;
  piece.consumed_bytes = source_->consumed_bytes();
  const std::lock_guard lock(mutex_);
  ahead_.push_back(std::move(piece));
  changed_.notify_all();
  return true;
}

void ReadAhead::TellHere() {
  if (told_ != nullptr) *told_ = *checksum_;
  consumed_.store(source_->consumed_bytes(), std::memory_order_relaxed);
}

std::optional<std::size_t> ReadAhead::ReadHere(std::span<std::byte> out, Deadline deadline) {
  try {
    const std::optional<std::size_t> read = source_->ReadUntil(out, deadline);
    TellHere();
    return read;
  } catch (...) {
    TellHere();
    throw;
  }
}

// Takes the next piece, or waits until the deadline. RETURNS: false where there is none.
bool ReadAhead::TakePiece(Deadline deadline) {
  std::unique_lock lock(mutex_);
  const auto has_more = [this] { return is_done_ || !ahead_.empty(); };
  if (deadline == Deadline::max()) {
    changed_.wait(lock, has_more);
  } else {
    changed_.wait_until(lock, deadline, has_more);
  }
  if (ahead_.empty()) return false;
  if (!current_.bytes.empty()) free_.push_back(std::move(current_.bytes));
  current_ = std::move(ahead_.front());
  ahead_.pop_front();
  taken_ = 0;
  changed_.notify_all();
  return true;
}

std::optional<std::size_t> ReadAhead::ReadUntil(std::span<std::byte> out, Deadline deadline) {
  if (!thread_.joinable()) return ReadHere(out, deadline);
  if (taken_ == current_.size) {
    if (TakePiece(deadline)) {
      if (told_ != nullptr) *told_ = std::move(current_.checksum);
      consumed_.store(current_.consumed_bytes, std::memory_order_relaxed);
    } else {
      const std::lock_guard lock(mutex_);
      if (!is_done_ || !ahead_.empty()) return std::nullopt;
      TellHere();
      if (error_) std::rethrow_exception(error_);
      return 0;
    }
  }
  const std::size_t n = std::min(out.size(), current_.size - taken_);
  std::memcpy(out.data(), current_.bytes.data() + taken_, n);
  taken_ += n;
  return n;
}

}  // namespace leafscore::internal
