// engine/run/sinks.h: the sinks for the scored batches of a run over files: its output and manifest, its
// journal or the file of a shard, its figures, and the join of its answers with gold. A run has several
// sinks, and each gets every batch; engine/run/run_files.cc chooses the sinks. Sinks do not know files: they
// add lines and entries to pieces (engine/run/output_pieces.h), which are written elsewhere.
#ifndef LEAFSCORE_ENGINE_RUN_SINKS_H_
#define LEAFSCORE_ENGINE_RUN_SINKS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/memory_account.h"
#include "engine/base/stage_times.h"
#include "engine/report/run_summary.h"
#include "engine/run/field_presence.h"
#include "engine/run/gold_join.h"
#include "engine/run/gold_table.h"
#include "engine/run/output_pieces.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "engine/run/result_writer.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scorer_set.h"
#include "engine/scores/manifest.h"
#include "engine/threads/memory_plan.h"
#include "engine/threads/per_thread.h"
#include "leafscore/files.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// THREADS: one thread calls the functions, batch by batch in the order of the input. Prepare and Count may
// run in any thread.
class BatchSink {
 public:
  BatchSink() = default;
  virtual ~BatchSink() = default;
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;

  // Does the work that needs only this batch. A batch that is scored in parts is not prepared. THREADS: any.
  virtual void Prepare(ScoredBatch&) const {}

  // Called for a batch before any sink gets it in Write.
  virtual void Begin(ScoredBatch&) {}

  // Takes a batch. Earlier sinks may have taken parts of it.
  virtual void Write(ScoredBatch& scored) = 0;

  // Counts a batch that was written. THREADS: any, for several batches at once and in any order.
  virtual void Count(ScoredBatch&) {}

  // Between PassWritten and GoOnBehind come the batches that an earlier run has written; they are counted,
  // but not written again. `written` is the checksum of the output so far, before compression.
  virtual void PassWritten() {}
  virtual void GoOnBehind(const Checksum& /*written*/) {}

  // Called when the inputs have ended, and all of their batches were written.
  virtual void EndInputs() {}

  // Called when nothing more comes, however the run ended.
  virtual void Finish() {}

  // Adds to the summary what is known only at the end. Called after Finish, even if Finish threw.
  virtual void Report() {}
};

// Writes the lines of a run. For the manifest, collects facts about the lines and about what was asked.
class OutputSink final : public BatchSink {
 public:
  // Lines are added to `pieces`, which is null if the run has no output. REQUIRES: all arguments outlive
  // this.
  OutputSink(const ResultWriter& writer, OutputPieces* pieces, Manifest& manifest)
      : writer_(writer), pieces_(pieces), manifest_(manifest) {}

  void Write(ScoredBatch& scored) override;
  void PassWritten() override { passes_ = true; }
  void GoOnBehind(const Checksum& written) override {
    written_ = written;
    passes_ = false;
  }

  // Adds lines that belong to no batch, and clears them.
  void WriteLines(std::string& lines, std::uint64_t count);

  bool has_output() const { return pieces_ != nullptr; }

  // Returns a checksum of the output so far, before compression.
  const Checksum& written() const { return written_; }

  // Completes the manifest of a whole run, except for its inputs. `gold` may be null. Each id of the gold was
  // asked `sources` times, once for each source. ERRORS: as GoldTable::CheckUnchanged.
  void EndManifest(std::uint64_t records_read, const GoldTable* gold, std::size_t sources);

 private:
  const ResultWriter& writer_;
  OutputPieces* pieces_;
  Manifest& manifest_;
  Checksum written_;
  MultisetHash ids_;       // ids that were asked
  MultisetHash expected_;  // these ids with their expected values
  bool passes_ = false;
};

// The next two sinks store each batch as an entry (engine/run/resumed_run.h), which a later run or a merge
// passes to its own sinks.

// How entries are made.
struct EntryOptions {
  std::uint64_t memory_bytes = 0;  // as in FileOptions
  bool with_lines = false;
  // If the lines of an entry have more bytes, the serial sink makes the entry, because it has only one batch
  // at a time.
  std::size_t most_prepared = 0;
};

// Writes the journal of an output. An entry that is too large ends the journal, so that readers need not
// accept such a size.
class JournalSink final : public BatchSink {
 public:
  // `written` is the checksum of the output, which the output's sink updates before this sink writes.
  // REQUIRES: `written` and `pieces` outlive this.
  JournalSink(const EntryOptions& options, const Checksum& written, OutputPieces& pieces)
      : options_(options), written_(written), pieces_(pieces) {}

  void Prepare(ScoredBatch& scored) const override;
  void Begin(ScoredBatch& scored) override;  // makes a missing entry while the batch has its lines
  void Write(ScoredBatch& scored) override;  // after the output's sink

 private:
  EntryOptions options_;
  const Checksum& written_;
  OutputPieces& pieces_;
  bool has_ended_ = false;
};

// Writes the file of a shard. A shard only counts its records; the merge computes the figures.
class ShardSink final : public BatchSink {
 public:
  // REQUIRES: all arguments outlive this.
  ShardSink(const EntryOptions& options, OutputPieces& pieces, std::uint64_t& lines, RunTotals& totals)
      : options_(options), pieces_(pieces), lines_(lines), totals_(totals) {}

  void Prepare(ScoredBatch& scored) const override;
  void Write(ScoredBatch& scored) override;
  void PassWritten() override { passes_ = true; }
  void GoOnBehind(const Checksum&) override { passes_ = false; }

 private:
  EntryOptions options_;
  OutputPieces& pieces_;
  std::uint64_t& lines_;
  RunTotals& totals_;
  bool passes_ = false;
};

// Counts memory that a run keeps until its end: the figures of groups and, if all answers to an id count, the
// answers.
// THREADS: any number.
class KeptMemory {
 public:
  // REQUIRES: `most`, in bytes, outlives this; it may change.
  explicit KeptMemory(const std::size_t& most) : most_(most) {}

  // Does work(), and counts the memory that it has allocated and not freed.
  template <class Work>
  void Add(Work work) {
    const MemoryScope scope;
    work();
    bytes_ += scope.used();
  }

  // ERRORS: Error(kResources) if too much memory is kept.
  void Check() const {
    if (bytes_ <= static_cast<std::int64_t>(most_)) return;
    ThrowOverBudget("the data kept for groups and answers (--max-groups, --repeats all) takes", most_);
  }

 private:
  const std::size_t& most_;
  std::atomic<std::int64_t> bytes_ = 0;
};

// Computes the figures of a run, except for those of a join with gold. Groups are created in record order.
// Rows are counted in parallel, each thread for itself, and added up at the end.
class SummarySink final : public BatchSink {
 public:
  // `sources` are the names of the inputs if the inputs are the last group field of the summary; else empty.
  // At most `seen_ids` ids are remembered. At most `kept_memory` bytes are kept; this limit may change.
  // `times` may be null.
  // REQUIRES: all arguments outlive this.
  SummarySink(RunSummary& summary, std::vector<std::string> sources, const ResultLayout& layout,
              std::size_t seen_ids, const std::size_t& kept_memory, StageTimes* times)
      : summary_(summary),
        sources_(std::move(sources)),
        record_groups_(summary.group_fields().size() - (sources_.empty() ? 0 : 1)),
        layout_(layout),
        seen_ids_(seen_ids),
        kept_(kept_memory),
        times_(times) {}

  // Leaves the rows to a join. name_source(number, name), unless empty, is called for each value of the last
  // group field, batch by batch, before a record with this value is counted.
  using NameSource = std::function<void(std::uint32_t number, std::string_view name)>;
  void LeaveRows(NameSource name_source) {
    counts_rows_ = false;
    name_source_ = std::move(name_source);
  }

  void Write(ScoredBatch& scored) override;
  void Count(ScoredBatch& scored) override;
  void Finish() override;
  void Report() override;

  // Adds the presence of paths in further expected values (BatchScorer::PathPresence).
  void AddPaths(const std::vector<FieldPresence>& paths) { AddPresence(paths, paths_); }

  const std::vector<std::string>& sources() const { return sources_; }

  // Returns the account of the memory that this sink and a join keep until the end.
  KeptMemory& kept() { return kept_; }

  // Return how many records have each field, and in how many expected values each path leads somewhere.
  const FieldPresence& presence() const { return presence_; }
  const std::vector<FieldPresence>& paths() const { return paths_; }

 private:
  void NumberGroups(ScoredBatch& scored);

  RunSummary& summary_;
  std::vector<std::string> sources_;
  std::size_t record_groups_;
  ResultLayout layout_;
  SeenIds seen_ids_;
  KeptMemory kept_;
  StageTimes* times_;
  bool counts_rows_ = true;
  NameSource name_source_;
  FieldPresence presence_;
  std::vector<FieldPresence> paths_;
  std::mutex groups_;                               // for the groups in the summary
  PerThread<std::unique_ptr<RunSummary>> counted_;  // each thread's part of the summary
};

// Joins the answers with the gold. When a source ends, it scores and writes the ids that the source left
// unanswered.
class JoinSink final : public BatchSink {
 public:
  // The sinks and the summary to which the join adds. `lines_done` is called when lines of unanswered ids
  // have been added to `output`.
  struct Targets {
    RunSummary& summary;
    SummarySink& figures;
    OutputSink& output;
    const ResultWriter& writer;
    std::function<void()> lines_done;
  };

  // The sources are those of the figures or, if the figures have no sources, the values of the last group
  // field.
  // REQUIRES: all arguments outlive this; this sink comes after the sinks to which it adds.
  JoinSink(const ScorerSet& scorers, const FileOptions& options, const MemoryPlan& plan,
           const GoldTable& gold, const ResultLayout& layout, Targets targets);

  void Begin(ScoredBatch& scored) override;
  void Write(ScoredBatch& scored) override;
  void EndInputs() override;
  void Finish() override;  // ids without an answer are only counted
  void Report() override { to_.summary.join() = join_.summary(); }

 private:
  void NameSource(std::uint32_t number, std::string_view name);
  struct Unanswered;
  Unanswered EndSource();
  void ScoreUnanswered();
  void CountUnanswered();

  const ScorerSet& scorers_;
  const FileOptions& options_;
  const MemoryPlan& plan_;
  const GoldTable& gold_;
  ResultLayout layout_;
  Targets to_;
  GoldJoin join_;
};

// Counts the ids of the base (FileOptions::versus) that no record has, in a run without gold.
class BaseSink final : public BatchSink {
 public:
  // REQUIRES: both arguments outlive this.
  BaseSink(const GoldTable& base, RunSummary& summary)
      : base_(base), summary_(summary), has_record_(base.size()) {}

  void Write(ScoredBatch& scored) override;
  void EndInputs() override;

 private:
  const GoldTable& base_;
  RunSummary& summary_;
  std::vector<bool> has_record_;  // indexed by entry of the base
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SINKS_H_
