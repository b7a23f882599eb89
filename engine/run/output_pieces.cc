#include "engine/run/output_pieces.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/resource_error.h"
#include "engine/threads/memory_plan.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// A piece of this size is written; larger ones are hardly faster (bench/RESULTS.md, "Serial stages").
constexpr std::size_t kPieceBytes = 128 << 10;
// The longest time between two batches of a piece.
constexpr std::chrono::milliseconds kMaxGap{10};
// How many pieces are kept for reuse.
constexpr std::size_t kKeptPieces = 4;
constexpr std::size_t kKeptBytes = 4 * kPieceBytes;

}  // namespace

void OutputPieces::AddLines(std::string& lines) {
  if (piece_.lines.empty()) {
    piece_.lines.swap(lines);
  } else {
    piece_.lines += lines;
  }
  lines.clear();
}

void OutputPieces::AddEntry(std::string_view parts) { piece_.entries += parts; }

void OutputPieces::EndBatch(bool may_wait) {
  if (piece_.lines.empty() && piece_.entries.empty()) return;
  piece_.line_ends.push_back(piece_.lines.size());
  piece_.entry_ends.push_back(piece_.entries.size());
  const auto now = std::chrono::steady_clock::now();
  const bool comes_late = now - std::exchange(last_batch_, now) > kMaxGap;
  if (!may_wait || comes_late || piece_.lines.size() + piece_.entries.size() >= kPieceBytes) End();
}

void OutputPieces::End() {
  if (piece_.lines.empty() && piece_.entries.empty()) return;
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::exchange(piece_, NewPiece()));
}

OutputPieces::Piece OutputPieces::NewPiece() {
  if (written_.empty()) return {};
  Piece piece = std::move(written_.back());
  written_.pop_back();
  return piece;
}

void OutputPieces::Write(OutputFile* output, JournalWriter* journal) {
  Write([&](const Piece& piece) { WritePiece(piece, *output, journal); });
}

void OutputPieces::Write(const std::function<void(const Piece&)>& write) {
  const std::lock_guard one_at_a_time(writing_);
  for (;;) {
    Piece piece;
    {
      const std::lock_guard lock(mutex_);
      if (ended_.empty()) return;
      piece = std::move(ended_.front());
      ended_.pop_front();
    }
    try {
      write(piece);
    } catch (const Error&) {
      const std::lock_guard lock(mutex_);
      ended_.clear();
      throw;
    }
    if (piece.lines.capacity() + piece.entries.capacity() > kKeptBytes) continue;
    piece.lines.clear();
    piece.entries.clear();
    piece.line_ends.clear();
    piece.entry_ends.clear();
    const std::lock_guard lock(mutex_);
    if (written_.size() < kKeptPieces) written_.push_back(std::move(piece));
  }
}

void OutputPieces::WritePiece(const Piece& piece, OutputFile& output, JournalWriter* journal) {
  const std::uint64_t begin = output.written_bytes();
  try {
    output.Write(piece.lines, piece.line_ends);
  } catch (const Error&) {
    if (journal == nullptr || output.compressed()) throw;
    // The part that was written stays, so the journal records it.
    const std::uint64_t written = output.written_bytes() - begin;
    const auto whole = std::ranges::upper_bound(piece.line_ends, written) - piece.line_ends.begin();
    if (whole != 0) {
      journal->AppendParts(
          std::string_view(piece.entries).substr(0, piece.entry_ends[static_cast<std::size_t>(whole - 1)]));
    }
    throw;
  }
  if (journal != nullptr && !piece.entries.empty()) journal->AppendParts(piece.entries);
}

void RunAppender::Append() {
  const StageScope stage(times_, Stage::kAppend, /*is_serial=*/true);
  const std::lock_guard lock(appending_);
  if (failure_) return;
  try {
    WithResourceErrors(kMemoryAdvice, [&] { Write(); });
  } catch (const Error& error) {
    failure_ = error;
    failed_ = true;
  }
}

void RunAppender::Write() {
  pieces_.Write(output_, journal_);
  if (!must_be_whole_ || journal_->name().empty() || journal_->is_whole()) return;
  throw Error(ErrorCode::kOutput,
              fmt::format("cannot write the journal {}, and --resume would ask again for replies that are "
                          "not in it: make room and continue with --resume",
                          journal_->name()));
}

void RunAppender::Flush() {
  pieces_.End();
  Append();
  if (failure_) throw Error(*failure_);
}

}  // namespace leafscore::internal
