// engine/run/output_pieces.h: passes the finished lines and journal entries of a run's sinks to the output
// and the journal.
//
// The sinks append the lines of a batch and its journal entry. A separate stage writes both, while the sinks
// continue with the next batch. Batches are gathered into pieces of about 128 KB, because every system call
// has a cost of its own. A batch ends the piece if it comes some milliseconds or more after the previous
// batch. So batches that take long, or come one by one, are written at once. The lines of a piece are written
// before its entries, so a journal never records lines that are not there. If a piece cannot be written
// whole, the journal records the batches that were written. THREADS: as each function says; Write may run
// beside the others.
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
    std::vector<std::size_t> line_ends = {};  // end of each batch in `lines` and `entries`
    std::vector<std::size_t> entry_ends = {};
  };

  // Add lines and a journal entry to the current batch. AddLines takes the lines, and leaves `lines` empty.
  // THREADS: one at a time, together with EndBatch and End.
  void AddLines(std::string& lines);
  void AddEntry(std::string_view parts);

  // Ends the batch. The piece stays open only if `may_wait`, the piece is still small, and the batch came
  // soon after the previous one.
  void EndBatch(bool may_wait);

  // Ends the piece.
  void End();

  // Writes the finished pieces. `journal` may be null. REQUIRES: `output` is not null if lines were added.
  // ERRORS: as OutputFile::Write. An error drops the finished pieces. THREADS: any.
  void Write(OutputFile* output, JournalWriter* journal);

  // Calls write(piece) for each finished piece. ERRORS: as `write`. An error drops the finished pieces.
  // THREADS: any.
  void Write(const std::function<void(const Piece&)>& write);

 private:
  static void WritePiece(const Piece& piece, OutputFile& output, JournalWriter* journal);
  Piece NewPiece();

  Piece piece_;  // the current one
  std::chrono::steady_clock::time_point last_batch_ = {};
  std::mutex mutex_;  // for the members below
  std::deque<Piece> ended_;
  std::vector<Piece> written_;  // their memory is reused
  std::mutex writing_;
};

// Writes pieces to the output and the journal of a run, and keeps the first error.
class RunAppender {
 public:
  // `times` may be null.
  explicit RunAppender(StageTimes* times) : times_(times) {}

  // Set where pieces are written; there may be no journal. If the journal must be whole, a failure to write
  // it is an error of the run. REQUIRES: output and journal outlive their use.
  void Open(OutputFile& output) { output_ = &output; }
  void KeepJournal(JournalWriter& journal, bool must_be_whole) {
    journal_ = &journal;
    must_be_whole_ = must_be_whole;
  }
  // Gathers batches into larger pieces from now on. Call it if more batches are likely to come soon.
  void Gather() { gathers_ = true; }

  OutputPieces& pieces() { return pieces_; }

  // Ends a batch; nothing more is added to it.
  void EndBatch() { pieces_.EndBatch(gathers_); }

  // Writes the finished pieces. After an error nothing more is written. THREADS: any.
  void Append();

  // Ends the current piece and writes everything. ERRORS: the first error of any Append.
  void Flush();

  // True after an error: lines that are made after it are not written. THREADS: any.
  const std::atomic<bool>& failed() const { return failed_; }

 private:
  void Write();

  StageTimes* times_;
  OutputFile* output_ = nullptr;
  JournalWriter* journal_ = nullptr;
  bool must_be_whole_ = false;
  bool gathers_ = false;
  OutputPieces pieces_;
  std::mutex appending_;  // for failure_
  std::optional<Error> failure_;
  std::atomic<bool> failed_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_OUTPUT_PIECES_H_
