// engine/run/sinks.h: where the scored batches of a run over files go: to its output and manifest, its
// journal or the file of a shard, its figures, and the join of its answers with gold. A run has several
// sinks, and each is told of every batch; which ones, engine/run/run_files.cc decides. None of them knows
// files: lines and entries go to pieces (engine/run/output_pieces.h), which are written elsewhere.
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

// THREADS: one calls the functions, batch by batch in the order of the input, but for Prepare and Count.
class BatchSink {
 public:
  BatchSink() = default;
  virtual ~BatchSink() = default;
  BatchSink(const BatchSink&) = delete;
  BatchSink& operator=(const BatchSink&) = delete;

  // Makes what can be made of one batch alone. A batch that is scored in parts is not prepared. THREADS: any.
  virtual void Prepare(ScoredBatch&) const {}

  // Is told of a batch before any sink takes it.
  virtual void Begin(ScoredBatch&) {}

  // Takes a batch; what sinks before this one have taken of it is gone.
  virtual void Write(ScoredBatch& scored) = 0;

  // Counts a batch that was written. THREADS: any, for several batches at once and in any order.
  virtual void Count(ScoredBatch&) {}

  // Passes over the batches that come, which an earlier run has written, until GoOnBehind: they are counted,
  // but written no more. `written` is what the output holds then, before it is compressed.
  virtual void PassWritten() {}
  virtual void GoOnBehind(const Checksum& /*written*/) {}

  // Is told that the inputs have come to their end, and that all of their batches were written.
  virtual void EndInputs() {}

  // Is told that nothing more comes, whatever ended the run.
  virtual void Finish() {}

  // Adds to the summary what only the end tells, after Finish, even if that threw.
  virtual void Report() {}
};

// The lines of a run, and what its manifest says of them and of what was asked.
class OutputSink final : public BatchSink {
 public:
  // Lines are added to `pieces`; null: the run has no output. REQUIRES: all outlive this.
  OutputSink(const ResultWriter& writer, OutputPieces* pieces, Manifest& manifest)
      : writer_(writer), pieces_(pieces), manifest_(manifest) {}

  void Write(ScoredBatch& scored) override;
  void PassWritten() override { passes_ = true; }
  void GoOnBehind(const Checksum& written) override {
    written_ = written;
    passes_ = false;
  }

  // Adds lines of no batch, which are cleared.
  void WriteLines(std::string& lines, std::uint64_t count);

  bool has_output() const { return pieces_ != nullptr; }

  // A checksum of the output so far, before it is compressed.
  const Checksum& written() const { return written_; }

  // Completes the manifest of a whole run but for its inputs. `gold` may be null; each of its ids was asked
  // of each of `sources` sources. ERRORS: those of GoldTable::CheckUnchanged.
  void EndManifest(std::uint64_t records_read, const GoldTable* gold, std::size_t sources);

 private:
  const ResultWriter& writer_;
  OutputPieces* pieces_;
  Manifest& manifest_;
  Checksum written_;
  BagChecksum ids_;       // that were asked
  BagChecksum expected_;  // with their expected values
  bool passes_ = false;
};

// The sinks below keep each batch as an entry (engine/run/resumed_run.h), from which a later run or a merge
// hands it to sinks of its own.

// How entries are made.
struct EntryOptions {
  std::uint64_t memory_bytes = 0;  // FileOptions
  bool with_lines = false;
  // An entry with more bytes of lines is not prepared, as the serial sink has one batch at a time.
  std::size_t most_prepared = 0;
};

// The journal of an output. An entry that is too large ends it, so that no reader has to believe such a size.
class JournalSink final : public BatchSink {
 public:
  // `written` is what the output holds when a batch was written before. REQUIRES: both outlive this.
  JournalSink(const EntryOptions& options, const Checksum& written, OutputPieces& pieces)
      : options_(options), written_(written), pieces_(pieces) {}

  void Prepare(ScoredBatch& scored) const override;
  void Begin(ScoredBatch& scored) override;  // makes the entry, unless there is one: it needs the lines
  void Write(ScoredBatch& scored) override;  // behind the sink of the output

 private:
  EntryOptions options_;
  const Checksum& written_;
  OutputPieces& pieces_;
  bool has_ended_ = false;
};

// The file of a shard. What a shard learns is for the merge to judge: it only counts.
class ShardSink final : public BatchSink {
 public:
  // REQUIRES: all outlive this.
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

// Memory that a run keeps until its end: figures of groups, and answers, where all of them count.
// THREADS: any number.
class KeptMemory {
 public:
  // REQUIRES: `most`, in bytes, outlives this; it may change.
  explicit KeptMemory(const std::size_t& most) : most_(most) {}

  // Does work(), and counts the memory that it has taken and not given back.
  template <class Work>
  void Add(Work work) {
    const MemoryScope scope;
    work();
    bytes_ += scope.used();
  }

  // ERRORS: Error(kResources) when too much was taken.
  void Check() const {
    if (bytes_ <= static_cast<std::int64_t>(most_)) return;
    ThrowOverBudget("what is kept of groups and answers (--max-groups, --repeats all) takes", most_);
  }

 private:
  const std::size_t& most_;
  std::atomic<std::int64_t> bytes_ = 0;
};

// The figures of a run, but for those of a join with gold. Groups are made in the order of the records. Rows
// are counted in parallel, each thread for itself, and added up in the end.
class SummarySink final : public BatchSink {
 public:
  // `sources` are the names of the inputs, where these are the last group of the summary; else empty. As many
  // ids as `seen_ids` are remembered, and what is kept may take `kept_memory` bytes, which may change.
  // `times` may be null. REQUIRES: all outlive this.
  SummarySink(RunSummary& summary, std::vector<std::string> sources, const ResultLayout& layout,
              std::size_t seen_ids, const std::size_t& kept_memory, StageTimes* times)
      : summary_(summary),
        sources_(std::move(sources)),
        record_groups_(summary.group_fields().size() - (sources_.empty() ? 0 : 1)),
        layout_(layout),
        seen_ids_(seen_ids),
        kept_(kept_memory),
        times_(times) {}

  // Leaves the rows to a join. Unless empty, name_source(number, name) is called for each value of the last
  // group field, batch by batch, before a record of it is counted.
  using NameSource = std::function<void(std::uint32_t number, std::string_view name)>;
  void LeaveRows(NameSource name_source) {
    counts_rows_ = false;
    name_source_ = std::move(name_source);
  }

  void Write(ScoredBatch& scored) override;
  void Count(ScoredBatch& scored) override;
  void Finish() override;
  void Report() override;

  // Adds what was found of paths in further expected values (BatchScorer::PathPresence).
  void AddPaths(const std::vector<FieldPresence>& paths) { AddPresence(paths, paths_); }

  const std::vector<std::string>& sources() const { return sources_; }

  // The memory that this sink and a join keep until the end.
  KeptMemory& kept() { return kept_; }

  // Which records have which field, and which paths lead somewhere in expected values.
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
  std::mutex groups_;                               // of the summary
  PerThread<std::unique_ptr<RunSummary>> counted_;  // parts of the summary
};

// Joins the answers with the gold, and scores and writes what a source left unanswered when it ends.
class JoinSink final : public BatchSink {
 public:
  // The sinks and the summary that the join adds to. Once the lines of an unanswered id are with `output`,
  // `lines_done` is called.
  struct Targets {
    RunSummary& summary;
    SummarySink& figures;
    OutputSink& output;
    const ResultWriter& writer;
    std::function<void()> lines_done;
  };

  // The sources are those of the figures or, where these have none, the values of the last group field.
  // REQUIRES: all outlive this; it comes behind the sinks that it adds to.
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

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SINKS_H_
