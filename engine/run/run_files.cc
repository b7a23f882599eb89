#include "engine/run/run_files.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/resource_error.h"
#include "engine/base/stage_times.h"
#include "engine/io/replaced_files.h"
#include "engine/judge/judge_service.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/device_choice.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_table.h"
#include "engine/run/joined_files.h"
#include "engine/run/output_files.h"
#include "engine/run/output_pieces.h"
#include "engine/run/reader_source.h"
#include "engine/run/result_rows.h"
#include "engine/run/result_writer.h"
#include "engine/run/run_checks.h"
#include "engine/run/run_manifest.h"
#include "engine/run/scored_batch.h"
#include "engine/run/scoring.h"
#include "engine/run/shard_merge.h"
#include "engine/run/sinks.h"
#include "engine/run/source_names.h"
#include "engine/scores/manifest.h"
#include "engine/threads/memory_plan.h"
#include "engine/threads/ordered_pipeline.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {
namespace {

// For scorers that ask models: the size of a batch, and how many more batches may be in progress, so that the
// services have enough questions to answer in parallel.
constexpr std::size_t kAskedBatchBytes = 64 << 10;
constexpr std::size_t kAskedBatches = 16;

MemoryPlan PlanOf(const ScorerSet& scorers, const FileOptions& options, std::uint64_t memory_bytes) {
  // One more thread, which waits for answers.
  const unsigned threads = ResolveThreads(options.threads) + (scorers.asks() ? 1 : 0);
  MemoryPlan plan =
      PlanMemory(MemoryBudget(memory_bytes), threads, options.batch_bytes, MayOpenDevice(options.device));
  if (scorers.asks()) plan.text_batch_bytes = plan.batch_bytes = std::min(plan.batch_bytes, kAskedBatchBytes);
  return plan;
}

// Returns the names of the inputs, if each is a source of answers.
std::vector<std::string> SourcesOf(const FileOptions& options) {
  return InputsAreSources(options) ? SourceNames(options.inputs) : std::vector<std::string>();
}

// Returns the group fields of the summary.
std::vector<std::string> SummaryGroups(const FileOptions& options) {
  std::vector<std::string> fields = RecordGroups(options);
  if (InputsAreSources(options)) fields.emplace_back(kSourceGroup);
  return fields;
}

LineLayout LineLayoutOf(const FileOptions& options) {
  return {.format = OutputFormatOf(options.output),
          .details = options.details,
          .max_details_bytes = options.max_details_bytes,
          .csv_fields = options.csv_raw ? CsvFields::kRaw : CsvFields::kSafe,
          .group_fields = RecordGroups(options),
          .sources = SourcesOf(options),
          .source_is_group = !options.gold.empty() && !options.source_field.empty(),
          .mark_numbers = options.shard.has_value()};
}

// The device that computes distances beside the CPU: the caller's, or the one that the options name.
struct RunDevice {
  std::unique_ptr<PairOffload> own;
  PairOffload* used;  // may be null
};

RunDevice DeviceOf(const FileOptions& options, const MemoryPlan& plan, PairOffload* offload) {
  if (offload != nullptr) return {nullptr, offload};
  RunDevice device{OpenDevice(options.device, std::min(options.gpu_memory_bytes, plan.staging_bytes),
                              ResolveThreads(options.threads)),
                   nullptr};
  device.used = device.own.get();
  return device;
}

// A run over files. Batches come from the inputs, from an earlier run, or from the shards of a merge, and go
// to a chain of sinks. THREADS: one, except for the stages of the pipeline.
class FileRun {
 public:
  // If `merge` is not null, batches come from it, and the run neither reads nor scores records itself.
  FileRun(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload, ShardMerge* merge,
          std::uint64_t memory_bytes);

  RunResult Run();

 private:
  void MakeSinks();
  void ReadGold(RecordFields& fields);
  void ReadBase(RecordFields& fields);
  void KeepShard();
  void KeepJournal();
  EntryOptions EntryOptionsOf(bool with_lines) const {
    return {
        .memory_bytes = options_.memory_bytes, .with_lines = with_lines, .most_prepared = plan_.batch_bytes};
  }

  void TakeAll();
  void Resume(ResumedRun& earlier, OutputFile& output);
  bool Fits(const ScoredBatch& scored) const;
  void CheckFits(const ResumedRun& earlier, const ScoredBatch& scored) const;
  void Merge();
  void WriteAndCount(ScoredBatch& scored);

  void RunPipeline();
  void Read(ScoredBatch& scored);
  void Score(ScoredBatch& scored);
  void Write(ScoredBatch& scored);
  void WriteBatch(ScoredBatch& scored);
  void Append();
  void Count(ScoredBatch& scored);
  void CountBatch(ScoredBatch& scored);
  template <class Work>
  void Attempt(std::optional<Error>& failure, Work work);

  void Finish();
  void Keep();
  void EndManifest();
  void EndTotals();

  const FileOptions& options_;
  const ScorerSet& scorers_;
  ShardMerge* merge_;
  MemoryPlan plan_;
  RunDevice device_;
  RunClock clock_;
  ReaderSource source_;
  ResultWriter writer_;
  RunResult result_;
  Manifest manifest_;
  RunAppender appender_;
  OutputFiles files_;
  JoinedFiles joined_;
  BatchScorer judged_;                             // to look up what scorers judge
  std::vector<std::unique_ptr<BatchSink>> sinks_;  // in the order in which they get a batch
  SummarySink* figures_ = nullptr;  // figures_ and output_ are among the sinks, except in a shard
  OutputSink* output_ = nullptr;
  std::optional<Scoring> scoring_;
  RunChecks checks_;
  std::optional<Error> failure_;  // why a batch failed; nothing after it is written
};

FileRun::FileRun(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload,
                 ShardMerge* merge, std::uint64_t memory_bytes)
    : options_(CheckedFileOptions(options)),
      scorers_(scorers),
      merge_(merge),
      plan_(PlanOf(scorers, options, memory_bytes)),
      device_(DeviceOf(options, plan_, offload)),
      clock_(options.profile),
      source_(options, scorers, plan_),
      writer_(LineLayoutOf(options), options.inputs),
      result_{.summary = RunSummary(scorers.names(), SummaryGroups(options), options.max_groups),
              .error = {},
              .provenance = {},
              .partial_output = {},
              .leftovers = {},
              .journal = {}},
      appender_(clock_.stages()),
      files_(scorers, options),
      joined_(options, plan_),
      judged_(scorers, options),
      checks_(scorers, options) {
  CheckVersus(scorers, options);
  DescribeScorers(judged_, result_.summary);
  result_.summary.SetSourceField(InputsAreSources(options) ? kSourceGroup : options.source_field);
  CheckReplacesNone(OutputsOf(options), InputsOf(options));
  if (!options.shard) MakeSinks();
  RecordFields fields = RecordFieldsOf(options);
  fields.groups = RecordGroups(options);
  if (options.gold.empty()) {
    result_.summary.repeated_ids().emplace();
  } else {
    ReadGold(fields);
  }
  if (!options.versus.empty()) ReadBase(fields);
  if (joined_.gold() != nullptr || joined_.base() != nullptr) TakeGold(joined_.memory(), plan_);
  manifest_ = BeginManifest(scorers, options);
  if (joined_.gold() != nullptr) manifest_.gold = joined_.gold()->file();
  if (joined_.base() != nullptr) manifest_.versus = joined_.base()->file();
  if (merge_ != nullptr) merge_->CheckSameNow(FactsOf(manifest_, options));
  files_.Open(manifest_, source_.reader(), merge_ != nullptr);
  if (files_.output() != nullptr) appender_.Open(*files_.output());
  if (options.shard) {
    KeepShard();
  } else {
    KeepJournal();
  }
  scoring_.emplace(scorers, options, plan_, std::move(fields),
                   files_.output() != nullptr ? &writer_ : nullptr, device_.used, appender_.failed());
}

// Makes the sinks of a run that is not a shard. The sinks for the join and the journal are added later.
void FileRun::MakeSinks() {
  auto output = std::make_unique<OutputSink>(writer_, options_.output.empty() ? nullptr : &appender_.pieces(),
                                             manifest_);
  auto figures = std::make_unique<SummarySink>(result_.summary, SourcesOf(options_), LayoutOf(judged_),
                                               plan_.seen_ids, plan_.kept_memory, clock_.stages());
  output_ = output.get();
  figures_ = figures.get();
  sinks_.push_back(std::move(output));
  sinks_.push_back(std::move(figures));
}

// Reads the gold, and reserves memory for its unanswered ids.
void FileRun::ReadGold(RecordFields& fields) {
  joined_.ReadGold(scorers_.needs_expected(), [&] {
    const GoldTable& gold = *joined_.gold();
    fields.gold = &gold;
    if (!options_.shard) {  // only the merge knows which ids are unanswered
      sinks_.push_back(
          std::make_unique<JoinSink>(scorers_, options_, plan_, gold, LayoutOf(judged_),
                                     JoinSink::Targets{result_.summary, *figures_, *output_, writer_, [this] {
                                                         appender_.EndBatch();
                                                         Append();
                                                       }}));
    }
    // When a source ends, its ids without an answer are listed with their groups.
    const std::size_t groups = result_.summary.group_fields().size();
    return gold.size() * sizeof(std::uint32_t) * (1 + groups);
  });
}

// Reads the answers of the base.
void FileRun::ReadBase(RecordFields& fields) {
  joined_.ReadBase([&] {
    const GoldTable& base = *joined_.base();
    fields.base = &base;
    // The ids of the records are known only in a run without gold that joins by the id field. In a run with
    // gold, all ids of the gold are asked anyway.
    const bool knows_ids = options_.gold.empty() && JoinField(options_) == options_.id_field;
    if (!knows_ids || options_.shard || options_.limit != 0) return std::size_t{0};
    sinks_.push_back(std::make_unique<BaseSink>(base, result_.summary));
    return base.size() / 8;
  });
}

// Stores all batches in the file of a shard.
void FileRun::KeepShard() {
  sinks_.push_back(std::make_unique<ShardSink>(EntryOptionsOf(/*with_lines=*/true), appender_.pieces(),
                                               manifest_.lines, result_.summary.totals()));
  source_.NoteInputs();
}

// Records all coming batches in the journal, if there is one.
void FileRun::KeepJournal() {
  JournalWriter* const journal = files_.journal();
  if (journal == nullptr) return;
  appender_.KeepJournal(*journal, /*must_be_whole=*/scorers_.asks_others());
  sinks_.push_back(std::make_unique<JournalSink>(EntryOptionsOf(files_.output()->compressed()),
                                                 output_->written(), appender_.pieces()));
  source_.NoteInputs();
}

RunResult FileRun::Run() {
  // It is not known in advance how much of the inputs a shard, or a run with a limit, will read.
  if (options_.progress != nullptr && !options_.shard && options_.limit == 0) {
    options_.progress->total_bytes = source_.reader().total_bytes().value_or(0);
  }
  // Results are gathered for larger writes, unless a pipe may stall, or replies of models or programs might
  // be lost. They are then written immediately.
  const bool gathers = files_.output() != nullptr && files_.output()->beside() &&
                       source_.reader().total_bytes() && !scorers_.asks_others();
  if (gathers) appender_.Gather();
  Attempt(result_.error, [&] {
    TakeAll();
    if (failure_) throw Error(*failure_);
    if (source_.error() || IsStopped(options_)) return;
    for (const auto& sink : sinks_) sink->EndInputs();
  });
  Attempt(result_.error, [&] { appender_.Flush(); });
  if (result_.error) scoring_->ForgetWorkers();  // the remaining work needs memory, too
  Attempt(result_.error, [&] {
    for (const auto& sink : sinks_) sink->Finish();
  });
  for (const auto& sink : sinks_) sink->Report();
  if (device_.used != nullptr) {
    const DeviceReport device = device_.used->Report();
    if (!device.device.empty() || !device.warning.empty()) result_.summary.device() = device;
  }
  if (options_.judges != nullptr && scorers_.asks()) result_.summary.judges() = options_.judges->Report();
  result_.leftovers = files_.leftovers();
  try {
    WithResourceErrors(kMemoryAdvice, [&] { Finish(); });
  } catch (const Error& error) {
    result_.error = error;
    Keep();
  }
  EndTotals();
  return std::move(result_);
}

// Processes all batches, wherever they come from.
void FileRun::TakeAll() {
  if (ResumedRun* const earlier = files_.earlier()) Resume(*earlier, *files_.output());
  if (const ShardEnd* const shard = files_.finished_shard()) {
    result_.summary.totals().records_read = result_.resumed_records = shard->records;
    result_.summary.totals().rejected = shard->rejected;
    return;
  }
  if (merge_ != nullptr) return Merge();
  do {  // the pipeline also ends when long records must be freed before the next one is read
    RunPipeline();
  } while (source_.is_full() && !failure_ && !source_.is_broken() && !appender_.failed());
  appender_.Flush();
}

// Passes the batches of an earlier run to the sinks. Changes no file until all batches are known to fit the
// inputs.
void FileRun::Resume(ResumedRun& earlier, OutputFile& output) {
  result_.refused = true;
  const bool is_made_anew = output.compressed();
  const auto check_inputs = [&] {
    earlier.CheckInputs(options_.inputs, source_.reader(), options_.stop);
    result_.refused = false;
  };
  ScoredBatch scored;
  if (is_made_anew) {
    while (earlier.Look(scored)) CheckFits(earlier, scored);
    check_inputs();
    earlier.GoBack();
    output.CutTo(0);
  } else {
    for (const auto& sink : sinks_) sink->PassWritten();
  }
  const int looked_at = is_made_anew || options_.shard ? -1 : output.fd();
  while (earlier.Next(looked_at, source_.reader(), scored)) {
    CheckFits(earlier, scored);
    WriteAndCount(scored);
  }
  if (!is_made_anew) check_inputs();
  result_.resumed_records = result_.summary.totals().records_read;
  files_.GoOn();
  if (!is_made_anew) {
    for (const auto& sink : sinks_) sink->GoOnBehind(earlier.written());
  }
  source_.GoOnAfter(earlier);
  KeepJournal();
}

// Returns whether a batch that was read back can belong to this run. Its checksum detects damage, but not
// forgery.
bool FileRun::Fits(const ScoredBatch& scored) const {
  const ResultLayout layout = LayoutOf(judged_);
  const std::size_t records = scored.batch.records.size();
  const ResultRows& results = scored.results;
  return records != 0 && scored.batch.input < options_.inputs.size() &&
         results.scores.size() == records * layout.scorers() &&
         results.fields.size() == records * layout.fields() && results.hashes.size() == records &&
         results.cells.size() <= records && results.json_in_texts.size() == layout.scorers() &&
         results.raters.size() == layout.scorers() &&
         scored.groups.size() == records * scoring_->record_groups() &&
         scored.gold.size() == (joined_.gold() != nullptr ? records : 0) &&
         std::ranges::all_of(scored.gold, [&](std::uint32_t entry) {
           return entry == GoldTable::kNone || entry < joined_.gold()->size();
         });
}

// Checks that a batch of the journal belongs to this run, and would be the same with the memory of this run.
// ERRORS: Error(kInput), Error(kUsage).
void FileRun::CheckFits(const ResumedRun& earlier, const ScoredBatch& scored) const {
  if (!Fits(scored)) {
    throw Error(ErrorCode::kInput,
                earlier.journal().name() + " was changed after leafscore wrote it: remove it");
  }
  if (!options_.shard) earlier.CheckMemory(scored, options_.memory_bytes);
}

// Passes the batches of the shards to the sinks.
void FileRun::Merge() {
  merge_->CheckInputs(options_.stop);
  ScoredBatch scored;
  while (!IsStopped(options_) && merge_->Next(scored)) {
    if (!Fits(scored)) merge_->ThrowDamaged();
    WriteAndCount(scored);
  }
}

// Processes a batch that was scored elsewhere.
void FileRun::WriteAndCount(ScoredBatch& scored) {
  FindGroups(scoring_->record_groups(), scored);
  Write(scored);
  Count(scored);
  appender_.Flush();
  if (failure_) throw Error(*failure_);
}

void FileRun::RunPipeline() {
  const auto take = [this](ScoredBatch& scored) {
    const StageScope stage(clock_.stages(), Stage::kSource, /*is_serial=*/true);
    return source_.Take(scoring_->has_long_texts(), scored);
  };
  const auto read = Parallel([this](ScoredBatch& scored) { Read(scored); });
  const auto number = InOrder([this](ScoredBatch& scored) {
    const StageScope stage(clock_.stages(), Stage::kSource, /*is_serial=*/true);
    source_.Number(scored);
  });
  const auto score = Parallel([this](ScoredBatch& scored) { Score(scored); });
  const auto write = InOrder([this](ScoredBatch& scored) { Write(scored); });
  const auto append = InOrder([this](ScoredBatch&) { Append(); });
  const auto count = Parallel([this](ScoredBatch& scored) { Count(scored); });
  if (!scorers_.asks()) {
    RunOrderedPipeline<ScoredBatch>(plan_.threads, take, read, number, score, write, append, count);
    return;
  }
  RunOrderedPipeline<ScoredBatch>({plan_.threads, kAskedBatches}, take, read, number,
                                  Parallel([this](ScoredBatch& scored) { scoring_->Ask(scored); }),
                                  InOrder([this](ScoredBatch& scored) { scoring_->WaitForAnswers(scored); }),
                                  score, write, append, count);
}

void FileRun::Read(ScoredBatch& scored) {
  if (!scored.batch.range) return;
  const StageScope stage(clock_.stages(), Stage::kRead, /*is_serial=*/false);
  Attempt(scored.failure, [&] { source_.Read(scored); });
}

// Scores a batch, unless the sinks must do it.
void FileRun::Score(ScoredBatch& scored) {
  const StageScope stage(clock_.stages(), Stage::kStatistics, /*is_serial=*/false);
  if (scored.failure || scored.is_dropped || appender_.failed()) return;
  Attempt(scored.failure, [&] {
    scoring_->Score(scored);
    if (scored.in_parts) return;
    for (const auto& sink : sinks_) sink->Prepare(scored);
  });
}

void FileRun::Write(ScoredBatch& scored) {
  const StageScope stage(clock_.stages(), Stage::kSink, /*is_serial=*/true);
  if (!failure_) failure_ = scored.failure;
  if (failure_ || source_.is_broken() || scored.is_dropped || appender_.failed()) return;
  Attempt(failure_, [&] {
    source_.ReadRest(scored);
    if (scored.batch.records.empty()) return;  // part of a long line, or white space
    if (!scored.in_parts) return WriteBatch(scored);
    scoring_->ScoreInParts(scored, [&] {
      WriteBatch(scored);
      appender_.pieces().End();  // so that only one part's lines are held at a time
      Append();
      CountBatch(scored);
    });
  });
}

void FileRun::WriteBatch(ScoredBatch& scored) {
  for (const auto& sink : sinks_) sink->Begin(scored);
  for (const auto& sink : sinks_) sink->Write(scored);
  if (options_.progress != nullptr) {
    if (!options_.shard) options_.progress->bytes = source_.reader().consumed_bytes();
    options_.progress->records = result_.summary.totals().records_read;
  }
  appender_.EndBatch();
  checks_.NoteFault(scored);
  if (figures_ == nullptr) return;
  checks_.LookForMistypedFields(figures_->presence());
  figures_->kept().Check();
}

// Writes the finished pieces of the sinks.
void FileRun::Append() {
  appender_.Append();
  if (appender_.failed()) source_.Stop();
}

// Counts a batch that was written, and frees its memory.
void FileRun::Count(ScoredBatch& scored) {
  const StageScope stage(clock_.stages(), Stage::kStatistics, /*is_serial=*/false);
  CountBatch(scored);
  scored.asked.clear();
  // The next batch should hold no more memory than usual.
  if (scored.lines.capacity() > plan_.batch_memory / 2) scored.ForgetResults();
  source_.Release(scored);
}

void FileRun::CountBatch(ScoredBatch& scored) {
  if (!std::exchange(scored.is_to_count, false)) return;
  for (const auto& sink : sinks_) sink->Count(scored);
}

// Does a part of the work, and keeps the first error in `failure`. An error ends the run: batches before it
// are still written, and all written batches are counted.
template <class Work>
void FileRun::Attempt(std::optional<Error>& failure, Work work) {
  try {
    WithResourceErrors(kMemoryAdvice, work);
  } catch (const Error& error) {
    if (!failure) failure = error;
    source_.Stop();
    scoring_->ForgetWorker();
  }
}

// Keeps the output so far after an error. If an option names a field that is not there, the journal is
// removed, because a run with the right name could not resume from it.
void FileRun::Keep() {
  if (checks_.lacks_field()) files_.ForgetJournal();
  files_.Keep(manifest_.lines, result_);
}

void FileRun::Finish() {
  if (!result_.error) result_.error = source_.error();
  if (!result_.error && IsStopped(options_)) {
    result_.error.emplace(ErrorCode::kInterrupted, "the run was interrupted");
  }
  if (result_.error) return Keep();
  if (files_.finished_shard() != nullptr) return;
  if (options_.shard) return files_.CommitShard(source_.reader(), result_.summary.totals());
  checks_.CheckWhole(figures_->presence(), figures_->paths(), judged_, result_.summary);
  EndManifest();
  result_.provenance = ProvenanceJson(manifest_);
  files_.Complete(manifest_);
  if (options_.before_end) {
    EndTotals();
    options_.before_end(ReportOf(result_));
  }
  files_.Commit();
}

void FileRun::EndManifest() {
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    if (source_.reader().is_cut(i)) {
      manifest_.inputs.push_back(FileOf(options_.inputs[i], source_.reader().records_checksum(i)));
      continue;
    }
    manifest_.inputs.push_back(
        FileOf(options_.inputs[i], merge_ != nullptr ? merge_->checksum(i) : source_.reader().checksum(i)));
  }
  output_->EndManifest(result_.summary.totals().records_read, joined_.gold(), figures_->sources().size());
}

void FileRun::EndTotals() {
  RunTotals& totals = result_.summary.totals();
  totals.bytes = merge_ != nullptr ? merge_->decoded_bytes() : source_.reader().decoded_bytes();
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    if (source_.reader().is_cut(i)) totals.limit = options_.limit;
  }
  totals.wall_seconds = clock_.WallSeconds();
  result_.stages = clock_.Stages();
}

}  // namespace

RunResult RunFiles(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload) {
  return FileRun(scorers, options, offload, nullptr, options.memory_bytes).Run();
}

RunResult RunMerge(const ScorerSet& scorers, const FileOptions& options, ShardMerge& merge,
                   std::uint64_t memory_bytes) {
  return FileRun(scorers, options, nullptr, &merge, memory_bytes == 0 ? options.memory_bytes : memory_bytes)
      .Run();
}

RunReport ReportOf(const RunResult& run) {
  RunReport report = run.summary.Report();
  report.provenance = run.provenance;
  report.partial_output = run.partial_output;
  report.leftovers = run.leftovers;
  report.resumed_records = run.resumed_records;
  report.journal = run.journal;
  report.stages = run.stages;
  return report;
}

RunReport ReportOrThrow(const RunResult& run) {
  if (run.refused) throw Error(*run.error);
  RunReport report = ReportOf(run);
  if (run.error) throw RunError(*run.error, std::move(report));
  return report;
}

}  // namespace leafscore::internal

namespace leafscore {

RunReport ScoreFiles(const Plan& plan, const FileOptions& options) {
  return internal::WithResourceErrors(internal::kMemoryAdvice, [&] {
    return internal::ReportOrThrow(internal::RunFiles(plan.scorers(), options));
  });
}

}  // namespace leafscore
