// engine/run/scoring.h: scores the batches of a run over files, each worker with a scorer of its own. A batch
// is scored in parallel within a share of the memory. If it needs more, the serial sink scores it part by
// part and, if necessary, record by record. A record is scored alone before it is rejected for lack of
// memory, so its result depends on nothing else (engine/threads/memory_plan.h). THREADS: any, except for
// ScoreInParts.
#ifndef LEAFSCORE_ENGINE_RUN_SCORING_H_
#define LEAFSCORE_ENGINE_RUN_SCORING_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/distance/pair_offload.h"
#include "engine/io/record_batch.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/result_writer.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scorer_set.h"
#include "engine/threads/memory_plan.h"
#include "engine/threads/per_thread.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// Splits a batch into parts. Each part is a batch itself: it has the same bytes, some of the records, and
// zeros after these records. THREADS: one.
class BatchParts {
 public:
  // Makes the batch empty. REQUIRES: nobody else uses the batch during the lifetime of this object.
  explicit BatchParts(RecordBatch& batch);

  bool done() const { return first_ == records_.size(); }

  // Replaces the current part in the batch by the next `count` records, or by all that are left.
  // REQUIRES: count > 0, not done.
  void Take(std::size_t count);

  // Rejects the only record of the part, and keeps only the beginning of its text. REQUIRES: the record is
  // not rejected yet.
  void Reject(RejectReason reason);

  // Continues after the current part.
  void Next();

 private:
  void EndAt(std::uint32_t end);
  void RestoreBytes();

  RecordBatch& batch_;
  std::vector<RecordSpan> records_;          // all of them
  std::size_t first_ = 0;                    // first record of the current part
  std::uint32_t all_end_;                    // end of the data
  std::array<char, kTextPadding> behind_{};  // the bytes replaced by zeros after the part
  bool has_zeros_ = false;
};

class Scoring {
 public:
  // `writer` makes the lines of the output, and `offload` computes distances; either can be null. Once
  // *no_use is true, pending answers of models are useless. REQUIRES: all arguments outlive this.
  Scoring(const ScorerSet& scorers, const FileOptions& options, const MemoryPlan& plan, RecordFields fields,
          const ResultWriter* writer, PairOffload* offload, const std::atomic<bool>& no_use);

  // Asks the models about a batch, unless the batch is to be scored in parts. An error here occurs again when
  // the batch is scored, and is reported then.
  void Ask(ScoredBatch& scored);

  // Waits for the answers, while other threads work on earlier and later batches. If the answers have become
  // useless, drops the questions, so that they are not asked.
  void WaitForAnswers(ScoredBatch& scored) const;

  // Scores a batch, or sets in_parts if the sink must do it.
  void Score(ScoredBatch& scored);

  // Scores a batch in parts. Each part in turn takes the place of the batch in `scored` and is scored; then
  // part_done() takes its results. THREADS: only the serial sink calls this.
  void ScoreInParts(ScoredBatch& scored, const std::function<void()>& part_done);

  // Drop this thread's worker, or all workers. A worker may be in the middle of its work.
  void ForgetWorker() { workers_.local() = {}; }
  void ForgetWorkers() { workers_.clear(); }

  std::size_t record_groups() const { return fields_.groups.size(); }

  // Returns whether the batch that was scored last was mostly long texts.
  bool has_long_texts() const { return has_long_texts_; }

 private:
  // A scorer of batches, and the memory that its tables use.
  struct Worker {
    std::unique_ptr<BatchScorer> scorer;
    std::int64_t memory = 0;
  };

  BatchScorer& ScorerOf(Worker& worker) const;
  bool ScoreWithin(std::size_t limit, Worker& worker, ScoredBatch& scored);
  void ScoreWith(Worker& worker, ScoredBatch& scored);
  void TakeResults(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const;
  void TakeGroups(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const;
  void TakeFault(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const;
  void SeparateSources(std::size_t first, ScoredBatch& scored) const;
  // Returns whether a batch certainly needs more memory than it may use in parallel.
  bool IsTooLarge(const RecordBatch& batch) const {
    constexpr std::size_t kLeastFactor = 4;  // bytes of memory for each byte of the batch
    return batch.data_end > plan_.batch_memory / kLeastFactor;
  }

  const ScorerSet& scorers_;
  const FileOptions& options_;
  const MemoryPlan& plan_;
  RecordFields fields_;
  const ResultWriter* writer_;
  PairOffload* offload_;
  const std::atomic<bool>& no_use_;
  PerThread<Worker> workers_;
  std::atomic<bool> has_long_texts_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORING_H_
