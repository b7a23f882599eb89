// engine/run/reader_source.h: the inputs of a run as batches for its pipeline. Of a plain file of lines Take
// hands out ranges, which Read fills in parallel and Number numbers in order; any other batch Take reads
// itself. Batches with long records take more memory than batches usually do: while they take too much, Take
// waits (is_full) until they were released. THREADS: as each function says.
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
  // ERRORS: those of RecordReader. REQUIRES: all outlive this; the plan may change before the first batch.
  ReaderSource(const FileOptions& options, const ScorerSet& scorers, const MemoryPlan& plan);

  // Takes the rest of the batch in which an earlier run ended before anything else.
  void GoOnAfter(ResumedRun& earlier) { earlier_ = &earlier; }

  // Notes in each batch how much of its input was read by then, for a journal.
  void NoteInputs() { notes_inputs_ = true; }

  // Takes the next batch, of up to three times as many bytes where texts are long. An error of an input ends
  // the stream, as does a lack of memory; it is in error() then. RETURNS: false at the end, and when it
  // waits. THREADS: one at a time.
  bool Take(bool has_long_texts, ScoredBatch& scored);

  // Reads a batch that is only a range so far. A long record for which there is no memory in parallel is
  // left for ReadRest. THREADS: any.
  void Read(ScoredBatch& scored);

  // Numbers the records of a batch. One behind an input that broke is dropped. THREADS: one, in order.
  void Number(ScoredBatch& scored);

  // Reads what Read has left. THREADS: one, in order, as is_broken() and the sinks of a run.
  void ReadRest(ScoredBatch& scored);

  // Gives back the memory of a batch that is done with. THREADS: any.
  void Release(ScoredBatch& scored);

  // Takes no more batches: something went wrong. THREADS: any.
  void Stop() { stopped_ = true; }

  // Whether Take ended as batches take too much memory: more come when these were released.
  bool is_full() const { return is_full_; }

  // Whether the last batch ends where its input broke: nothing that comes behind it counts.
  bool is_broken() const { return broken_.has_value(); }

  // The error that ended the inputs before their end. REQUIRES: no stage is at work.
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
  std::atomic<std::size_t> live_bytes_ = 0;  // of batches that were not released
  bool is_full_ = false;
  std::atomic<bool> stopped_ = false;
  std::optional<Error> error_;   // of Take
  std::optional<Error> broken_;  // of the batch that ReadRest was given last
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_READER_SOURCE_H_
