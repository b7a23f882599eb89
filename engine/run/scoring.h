// engine/run/scoring.h: scores the batches of a run over files, each worker with a scorer of its own. A batch
// is scored in parallel within a share of the memory; one that needs more is scored by the serial sink, part
// by part and at last record by record, each alone, so that the verdict on a record depends on nothing else
// (engine/threads/memory_plan.h). THREADS: any, but for ScoreInParts.
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

// A batch in parts, each of which is a batch for itself: the same bytes, some of the records, and zeros
// behind them. THREADS: one.
class BatchParts {
 public:
  // Makes the batch empty. REQUIRES: nobody else uses it before this ends.
  explicit BatchParts(RecordBatch& batch);

  bool done() const { return first_ == records_.size(); }

  // Makes the batch the next `count` of its records, or those that are left, instead of the part that it was.
  // REQUIRES: count > 0, not done.
  void Take(std::size_t count);

  // Rejects the only record of the part, of which little is then left. REQUIRES: it was not rejected.
  void Reject(RejectReason reason);

  // Goes on behind the part.
  void Next();

 private:
  void EndAt(std::uint32_t end);
  void RestoreBytes();

  RecordBatch& batch_;
  std::vector<RecordSpan> records_;          // all of them
  std::size_t first_ = 0;                    // of the part
  std::uint32_t all_end_;                    // of the data
  std::array<char, kTextPadding> behind_{};  // the bytes where the zeros behind the part are
  bool has_zeros_ = false;
};

class Scoring {
 public:
  // `writer` makes the lines of the output, and `offload` may compute distances; either may be null. Once
  // *no_use is true, nobody can use answers of models that have not come yet. REQUIRES: all outlive this.
  Scoring(const ScorerSet& scorers, const FileOptions& options, const MemoryPlan& plan, RecordFields fields,
          const ResultWriter* writer, PairOffload* offload, const std::atomic<bool>& no_use);

  // Puts the questions of a batch to models, unless the batch is to be scored in parts. What goes wrong here
  // goes wrong again when the batch is scored, and is reported then.
  void Ask(ScoredBatch& scored);

  // Waits for the answers, so that other threads go on with what comes before and after. Questions whose
  // answers nobody can use are dropped, so that they are not asked.
  void WaitForAnswers(ScoredBatch& scored) const;

  // Scores a batch, or says in in_parts that the sink has to.
  void Score(ScoredBatch& scored);

  // Scores a batch in parts, which take its place one after the other; part_done() takes the results of each.
  // THREADS: one at a time, the serial sink.
  void ScoreInParts(ScoredBatch& scored, const std::function<void()>& part_done);

  // Forgets what this thread's worker, or every worker, has: it may be in the middle of something.
  void ForgetWorker() { workers_.local() = {}; }
  void ForgetWorkers() { workers_.clear(); }

  std::size_t record_groups() const { return fields_.groups.size(); }

  // Whether the batch that was scored last was mostly long texts.
  bool has_long_texts() const { return has_long_texts_; }

 private:
  // A scorer of batches, and the memory that its tables have taken.
  struct Worker {
    std::unique_ptr<BatchScorer> scorer;
    std::int64_t memory = 0;
  };

  BatchScorer& ScorerOf(Worker& worker) const;
  bool ScoreWithin(std::size_t limit, Worker& worker, ScoredBatch& scored);
  void ScoreWith(Worker& worker, ScoredBatch& scored);
  void TakeResults(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const;
  void TakeGroups(const BatchScorer& scorer, std::size_t first, ScoredBatch& scored) const;
  // Whether a batch certainly takes more memory than it may in parallel.
  bool IsTooLarge(const RecordBatch& batch) const {
    constexpr std::size_t kLeastFactor = 4;  // for each byte of it
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
