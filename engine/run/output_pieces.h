// engine/run/output_pieces.h: what the sink of a run has finished, on its way to the output and the journal.
//
// The sink appends the lines of a batch and what the journal says of them; a stage of its own writes both,
// while the sink goes on with the next batch. Batches are gathered into pieces of some tens of KB, as every
// call of the system that writes costs time of its own; but one that comes later than a moment after the one
// before it ends the piece, so that batches that take long, or trickle in, are written at once. Of a piece
// the lines are written first, so no entry of a journal precedes what it tells of, and of one that could not
// be written whole the batches that were. THREADS: as each function says; Write may run beside the others.
#ifndef LEAFSCORE_ENGINE_RUN_OUTPUT_PIECES_H_
#define LEAFSCORE_ENGINE_RUN_OUTPUT_PIECES_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/stage_times.h"
#include "engine/io/output_file.h"
#include "engine/run/run_journal.h"
#include "leafscore/error.h"

namespace leafscore::internal {

class OutputPieces {
 public:
  struct Piece {
    std::string lines = {};
    std::string entries = {};
    std::vector<std::size_t> line_ends = {};  // of its batches, in `lines` and `entries`
    std::vector<std::size_t> entry_ends = {};
  };

  // Adds to the current batch: lines, in place of which the caller gets an empty text, and what the journal
  // says of them. THREADS: one at a time, as EndBatch and End.
  void AddLines(std::string& lines);
  void AddEntry(std::string_view parts);

  // Ends the batch, and with it the piece, unless `may_wait` and more are likely to come soon.
  void EndBatch(bool may_wait);

  // Ends the piece.
  void End();

  // Writes the pieces that have ended. `journal` may be null. REQUIRES: `output` is not, if lines were added.
  // ERRORS: as OutputFile::Write, after which there is nothing left to write. THREADS: any.
  void Write(OutputFile* output, JournalWriter* journal);

  // Hands each piece that has ended to write(piece). ERRORS: those of `write`, as above. THREADS: any.
  void Write(const std::function<void(const Piece&)>& write);

 private:
  static void WritePiece(const Piece& piece, OutputFile& output, JournalWriter* journal);
  Piece NewPiece();

  Piece piece_;  // the current one
  std::chrono::steady_clock::time_point last_batch_ = {};
  std::mutex mutex_;  // of what follows
  std::deque<Piece> ended_;
  std::vector<Piece> written_;  // whose memory the next ones take
  std::mutex writing_;
};

// Writes pieces to the output and the journal of a run, and keeps the first error of that.
class RunAppender {
 public:
  // `times` may be null.
  explicit RunAppender(StageTimes* times) : times_(times) {}

  // Sets where pieces are written to; the journal may be null. One that must be whole is an error of the run
  // when it cannot be written. REQUIRES: both outlive their use.
  void Open(OutputFile& output) { output_ = &output; }
  void KeepJournal(JournalWriter& journal, bool must_be_whole) {
    journal_ = &journal;
    must_be_whole_ = must_be_whole;
  }
  // Gathers batches into larger pieces, as more are likely to come soon.
  void Gather() { gathers_ = true; }

  OutputPieces& pieces() { return pieces_; }

  // Ends a batch, of which nothing more comes.
  void EndBatch() { pieces_.EndBatch(gathers_); }

  // Writes the pieces that have ended. After an error nothing more is written. THREADS: any.
  void Append();

  // Ends the current piece and writes all. ERRORS: those of this or an earlier Append.
  void Flush();

  // Whether an error has come: what was not written yet need not be made. THREADS: any.
  const std::atomic<bool>& failed() const { return failed_; }

 private:
  void Write();

  StageTimes* times_;
  OutputFile* output_ = nullptr;
  JournalWriter* journal_ = nullptr;
  bool must_be_whole_ = false;
  bool gathers_ = false;
  OutputPieces pieces_;
  std::mutex appending_;  // of failure_
  std::optional<Error> failure_;
  std::atomic<bool> failed_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_OUTPUT_PIECES_H_
