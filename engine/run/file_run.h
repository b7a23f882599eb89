// engine/run/file_run.h: one run over files (engine/run/run_files.h). Its pipeline is in run_files.cc, and
// what concerns its outputs, how they begin, go on and end, in file_run_outputs.cc. THREADS: one, but for
// Take to Append, the stages of the pipeline.
#ifndef LEAFSCORE_ENGINE_RUN_FILE_RUN_H_
#define LEAFSCORE_ENGINE_RUN_FILE_RUN_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/stage_times.h"
#include "engine/distance/pair_offload.h"
#include "engine/io/output_file.h"
#include "engine/io/record_reader.h"
#include "engine/report/run_summary.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/field_presence.h"
#include "engine/run/gold_join.h"
#include "engine/run/gold_table.h"
#include "engine/run/output_pieces.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "engine/run/result_writer.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_files.h"
#include "engine/run/run_journal.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scorer_set.h"
#include "engine/run/shard_file.h"
#include "engine/run/shard_merge.h"
#include "engine/scores/manifest.h"
#include "engine/threads/memory_plan.h"
#include "engine/threads/per_thread.h"
#include "leafscore/leafscore.h"

namespace leafscore::internal {

// A scorer of batches, and the memory that its tables have taken.
struct BatchWorker {
  std::unique_ptr<BatchScorer> scorer;
  std::int64_t memory = 0;
};

class FileRun {
 public:
  FileRun(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload,
          ShardMerge* merge = nullptr, std::uint64_t merge_memory_bytes = 0);

  RunResult Run();

 private:
  void ReadGold();
  void OpenOutput();
  void OpenShard();
  std::unique_ptr<OutputFile> ReopenManifest(int number);
  bool Fits(const ScoredBatch& scored) const;
  void CheckFits(const ScoredBatch& scored) const;
  void Resume();
  bool Take(ScoredBatch& scored);
  void ReadRange(ScoredBatch& scored);
  void Number(ScoredBatch& scored);
  void Hold(std::size_t bytes, ScoredBatch& scored);
  void HoldQuestions(ScoredBatch& scored);
  bool KeepsJournal() const { return journal_ || options_.shard; }
  static void TakeNoteOfRange(BlockChecksum read, ScoredBatch& scored);
  static void TakeNoteOfInput(const BlockChecksum& read, bool ended, ScoredBatch& scored);
  template <class Work>
  void Attempt(std::optional<Error>& failure, Work work);
  void RunPipeline();
  void Ask(ScoredBatch& scored);
  void WaitForAnswers(ScoredBatch& scored) const;
  void Score(ScoredBatch& scored);
  bool ScoreWithin(std::size_t limit, BatchWorker& worker, ScoredBatch& scored);
  void ScoreWith(BatchWorker& worker, ScoredBatch& scored);
  void TakeResults(ScoredBatch& scored, const BatchScorer& scorer, std::size_t first);
  void Merge();
  void Write(ScoredBatch& scored);
  void Append();
  void FlushOutput();
  void WriteInParts(ScoredBatch& scored);
  void WriteWhole(ScoredBatch& scored);
  void WriteToShard(ScoredBatch& scored);
  void WriteAndCount(ScoredBatch& scored);
  void Learn(ScoredBatch& scored);
  void NumberGroups(ScoredBatch& scored);
  void NameSource(std::uint32_t number, std::string_view name);
  void Count(ScoredBatch& scored);
  void CountRows(ScoredBatch& scored);
  void Pack(ScoredBatch& scored) const;
  void MakeEntry(ScoredBatch& scored);
  void AppendEntry(ScoredBatch& scored);
  void CheckKept() const;
  bool IsLong(const std::vector<char>& bytes) const { return bytes.capacity() > 4 * plan_.batch_bytes; }
  // Tells whether a batch certainly takes more memory than it may in parallel.
  bool IsTooLarge(const RecordBatch& batch) const {
    constexpr std::size_t kLeastFactor = 4;  // for each byte of it
    return batch.data_end > plan_.batch_memory / kLeastFactor;
  }
  StageTimes* times() { return times_ ? &*times_ : nullptr; }
  void WriteLines(std::string& lines, std::uint64_t count);
  void EndSource(bool whole);
  void EndManifest(const RunTotals& totals);
  void CheckFields(RunSummary& summary);
  void Finish(RunResult& result);
  void EndTotals(RunResult& result) const;
  void KeepPartial(RunResult& result);

  const FileOptions& options_;
  ShardMerge* merge_;  // null: records are scored
  MemoryPlan plan_;
  std::unique_ptr<PairOffload> device_;
  PairOffload* offload_;  // null, device_ or the caller's
  const ScorerSet& scorers_;
  std::atomic<std::size_t> live_bytes_ = 0;   // of batches with long records
  bool waits_ = false;                        // until these are written
  std::atomic<bool> has_long_texts_ = false;  // the batch that was scored last
  std::atomic<std::int64_t> kept_bytes_ = 0;  // that groups and answers have taken since
  std::optional<StageTimes> times_;           // where they are wanted; threads of the reader add to them
  RecordReader reader_;
  RecordFields fields_;
  bool needs_expected_;
  FieldPresence presence_;
  std::vector<FieldPresence> paths_;  // BatchScorer::PathPresence
  std::optional<GoldTable> gold_;
  std::optional<GoldJoin> join_;
  std::vector<std::string> sources_;  // with gold, the names of the inputs
  ResultWriter writer_;
  RunSummary summary_;
  std::mutex groups_;                               // of the summary
  PerThread<std::unique_ptr<RunSummary>> counted_;  // parts of it, added at the end
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<OutputFile> manifest_file_;  // of an output that is a regular file
  std::optional<ShardEnd> finished_shard_;     // which is left as it is
  std::optional<ResumedRun> resumed_;          // of an earlier run, which this one goes on with
  bool is_refused_ = false;                    // going on with it, of which no file is touched then
  bool has_old_manifest_ = false;              // manifest_file_ is that of the earlier run
  std::optional<JournalWriter> journal_;       // of an output that is a regular file
  OutputPieces pieces_;                        // for these
  bool gathers_ = false;                       // several batches in a piece
  bool journal_ends_ = false;                  // as an entry was too large for it
  std::mutex appending_;                       // of what follows
  std::optional<Error> append_failure_;
  std::atomic<bool> cannot_append_ = false;  // so that what is not appended yet need not be made
  bool are_written_ = false;                 // the lines that the sink is given
  Manifest manifest_;
  Checksum written_;
  BagChecksum ids_;       // that were asked
  BagChecksum expected_;  // with their expected values
  SeenIds seen_ids_;      // without gold
  PerThread<BatchWorker> workers_;
  std::atomic<bool> has_failed_ = false;  // a batch was not scored: no memory, or no time to end it
  std::optional<Error> failure_;          // of the first batch that failed, after which nothing is written
  BatchScorer sink_scorer_;               // to ask what scorers judge
  ResultLayout layout_;
  std::uint64_t resumed_records_ = 0;
  std::optional<Error> input_error_;
  std::optional<Error> range_error_;  // of what was written last: nothing comes behind it
  const double start_seconds_ = ProcessSeconds();
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Returns what is known of a run that has ended.
RunReport ReportOf(const RunResult& run);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_FILE_RUN_H_
