// engine/run/reader_source.h: turns the inputs of a run into batches for its pipeline. For a plain file of
// lines, Take returns batches that are only ranges of the file. Read fills them in parallel, and Number gives
// their records numbers, batch by batch in order. Take reads any other batch itself. Batches with long
// records take more memory than usual. If they take too much, Take returns no more batches (is_full) until
// memory is released.
// THREADS: as each function says.
#ifndef LEAFSCORE_ENGINE_RUN_READER_SOURCE_H_
#define LEAFSCORE_ENGINE_RUN_READER_SOURCE_H_

#include <atomic>
#include <cstddef>
#include <optional>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/io/record_reader.h"
#include "engine/run/resumed_run.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scorer_set.h"
#include "engine/threads/memory_plan.h"
#include "leafscore/error.h"
#include "leafscore/files.h"

namespace leafscore::internal {

class ReaderSource {
 public:
  // ERRORS: as RecordReader. REQUIRES: the arguments outlive this; the plan may change before the first
  // batch.
  ReaderSource(const FileOptions& options, const ScorerSet& scorers, const MemoryPlan& plan);

  // Makes Take begin with the rest of the batch in which an earlier run ended.
  void GoOnAfter(ResumedRun& earlier) { earlier_ = &earlier; }

  // Notes in each batch how much of its input has been read by the end of the batch, which a journal records.
  void NoteInputs() { notes_inputs_ = true; }

  // Takes the next batch. With `has_long_texts`, it has up to three times as many bytes. An error of an
  // input, or a lack of memory, ends the stream and is returned by error(). RETURNS: false at the end, and if
  // is_full().
  // THREADS: one at a time.
  bool Take(bool has_long_texts, ScoredBatch& scored);

  // Reads a batch that is only a range so far. If a long record needs more memory than parallel reading may
  // use, it is left to ReadRest. THREADS: any.
  void Read(ScoredBatch& scored);

  // Gives the records of a batch their numbers. A batch after a failed input is dropped. THREADS: one, in
  // order.
  void Number(ScoredBatch& scored);

  // Reads the record that Read has left. THREADS: one, in order, together with is_broken() and the sinks of
  // the run.
  void ReadRest(ScoredBatch& scored);

  // Gives back the memory of a finished batch. THREADS: any.
  void Release(ScoredBatch& scored);

  // Takes no more batches, because something failed. THREADS: any.
  void Stop() { stopped_ = true; }

  // Returns whether Take stopped because batches take too much memory. It continues once they are released.
  bool is_full() const { return is_full_; }

  // Returns whether reading the input failed at the end of the last batch. Later batches then do not count.
  bool is_broken() const { return broken_.has_value(); }

  // Returns the error that ended the inputs early. REQUIRES: no stage is running.
  const std::optional<Error>& error() const { return broken_ ? broken_ : error_; }

  RecordReader& reader() { return reader_; }
  const RecordReader& reader() const { return reader_; }

 private:
  void Hold(std::size_t bytes, ScoredBatch& scored);
  void HoldQuestions(ScoredBatch& scored);
  bool IsLong(const std::vector<char>& bytes) const { return bytes.capacity() > 4 * plan_.batch_bytes; }

  const ScorerSet& scorers_;
  const MemoryPlan& plan_;
  RecordReader reader_;
  ResumedRun* earlier_ = nullptr;
  bool notes_inputs_ = false;
  std::atomic<std::size_t> live_bytes_ = 0;  // of batches that are not released yet
  bool is_full_ = false;
  std::atomic<bool> stopped_ = false;
  std::optional<Error> error_;   // from Take
  std::optional<Error> broken_;  // from the last batch given to ReadRest
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_READER_SOURCE_H_
