#include "engine/run/run_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/base/memory_account.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/io/output_file.h"
#include "engine/io/record_reader.h"
#include "engine/io/replaced_files.h"
#include "engine/json/compact_text.h"
#include "engine/run/batch_parts.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/device_choice.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "engine/run/gold_join.h"
#include "engine/run/gold_table.h"
#include "engine/run/kept_files.h"
#include "engine/run/memory_plan.h"
#include "engine/run/ordered_pipeline.h"
#include "engine/run/path_presence.h"
#include "engine/run/per_thread.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "engine/run/result_writer.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_journal.h"
#include "engine/run/run_manifest.h"
#include "engine/run/scored_batch.h"
#include "engine/run/shard_file.h"
#include "engine/run/shard_merge.h"
#include "engine/run/source_names.h"
#include "engine/run/thread_count.h"

namespace leafscore::internal {
namespace {

constexpr char kMemoryAdvice[] =
    "give a lower --memory, --threads, --batch-bytes, --max-line-bytes or --max-details-bytes";

// Returns the options after checking them.
const FileOptions& Checked(const FileOptions& options) {
  CheckLimit(kBatchBytes, options.batch_bytes);
  CheckLimit(kMaxLineBytes, options.max_line_bytes);
  CheckLimit(kMaxDepth, options.max_depth);
  CheckLimit(kMaxGroups, options.max_groups);
  CheckLimit(kMaxPairCells, options.max_pair_cells);
  CheckLimit(kGpuMemory, options.gpu_memory_bytes);
  CheckLimit(kMaxDetailsBytes, options.max_details_bytes);
  CheckLimit(kMaxRatio, options.max_ratio);
  if (options.gold.empty() && options.expected_field == options.actual_field) {
    throw Error(ErrorCode::kUsage, "--expected-field and --actual-field are one field, which equals itself");
  }
  if (options.shard) CheckShard(*options.shard);
  if (options.trailer && OutputFormatOf(options.output) != OutputFormat::kJsonLines) {
    throw Error(ErrorCode::kUsage,
                "--trailer adds a line of JSON, so the output cannot be CSV: name another");
  }
  std::error_code none;
  const std::filesystem::file_status output = std::filesystem::status(options.output, none);
  const bool is_no_file = options.output.empty() || options.output == "-" ||
                          (std::filesystem::exists(output) && !std::filesystem::is_regular_file(output));
  if (options.resume && is_no_file) {
    throw Error(ErrorCode::kUsage, "--resume goes on with an output file: name one");
  }
  if (options.shard && is_no_file) {
    throw Error(ErrorCode::kUsage,
                "--shard writes a file beside the output that the merge will write: name it (-o)");
  }
  return options;
}

// Returns the group fields of the summary.
std::vector<std::string> SummaryGroups(const FileOptions& options) {
  std::vector<std::string> fields = RecordGroups(options);
  if (!options.gold.empty()) fields.emplace_back(kSourceGroup);
  return fields;
}

// Checks what a run has to come to before its output may replace an earlier one.
void CheckSomethingScored(const RunSummary& summary) {
  if (summary.totals().records_read == 0) throw Error(ErrorCode::kInput, "the input holds no records");
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    if (summary.Overall(s).counts().scored != 0) return;
  }
  throw Error(ErrorCode::kInput,
              "not one record was scored; the output (or the table above) tells why, record by record");
}

// A scorer of batches, and the memory that its tables have taken.
struct BatchWorker {
  std::unique_ptr<BatchScorer> scorer;
  std::int64_t memory = 0;
};

// ERRORS: always Error(kResources).
[[noreturn]] void ThrowOverBudget(std::string_view what_takes, std::size_t share) {
  throw Error(ErrorCode::kResources,
              fmt::format("{} more than its share of --memory, {} bytes; give more", what_takes, share));
}

class FileRun {
 public:
  FileRun(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload,
          ShardMerge* merge = nullptr, std::uint64_t merge_memory_bytes = 0)
      : options_(Checked(options)),
        merge_(merge),
        plan_(PlanMemory(MemoryBudget(merge_memory_bytes == 0 ? options.memory_bytes : merge_memory_bytes),
                         ResolveThreads(options.threads), options.batch_bytes,
                         MayOpenDevice(options.device))),
        device_(offload == nullptr
                    ? OpenDevice(options.device, std::min(options.gpu_memory_bytes, plan_.staging_bytes))
                    : nullptr),
        offload_(device_ == nullptr ? offload : device_.get()),
        scorers_(scorers),
        reader_(options.inputs, ReaderOptionsOf(options, plan_)),
        fields_(RecordFieldsOf(options)),
        needs_expected_(scorers.needs_expected()),
        sources_(options.gold.empty() ? std::vector<std::string>() : SourceNames(options.inputs)),
        writer_({.format = OutputFormatOf(options.output),
                 .details = options.details,
                 .max_details_bytes = options.max_details_bytes,
                 .csv_fields = options.csv_raw ? CsvFields::kRaw : CsvFields::kSafe,
                 .group_fields = RecordGroups(options),
                 .sources = sources_,
                 .mark_numbers = options.shard.has_value()},
                options.inputs),
        summary_(scorers.names(), SummaryGroups(options), options.max_groups),
        seen_ids_(plan_.seen_ids),
        sink_scorer_(scorers, options_),
        layout_(LayoutOf(sink_scorer_)) {
    NameJudgedFields(sink_scorer_, summary_);
    fields_.groups = RecordGroups(options);
    CheckReplacesNone(OutputsOf(options), InputsOf(options));
    if (!options.gold.empty()) {
      ReadGold();
    } else {
      summary_.repeated_ids().emplace();
    }
    manifest_ = BeginManifest(scorers, options);
    if (gold_) manifest_.gold = gold_->file();
    if (merge_ != nullptr) merge_->CheckSameNow(FactsOf(manifest_, options));
    if (options.shard) {
      OpenShard();
    } else if (!options.output.empty()) {
      OpenOutput();
    }
  }

  RunResult Run();

 private:
  void ReadGold();
  void OpenOutput();
  void OpenShard();
  std::unique_ptr<OutputFile> ReopenManifest(int number) const;
  bool Fits(const ScoredBatch& scored) const;
  void Resume();
  bool Read(ScoredBatch& scored);
  void Score(ScoredBatch& scored);
  bool ScoreWithin(std::size_t limit, BatchWorker& worker, ScoredBatch& scored);
  void ScoreWith(BatchWorker& worker, ScoredBatch& scored);
  void TakeResults(ScoredBatch& scored, const BatchScorer& scorer, std::size_t first);
  void Merge();
  void Write(ScoredBatch& scored);
  void WriteInParts(ScoredBatch& scored);
  void WriteWhole(const ScoredBatch& scored);
  void WriteToShard(const ScoredBatch& scored);
  void AddToSummary(const ScoredBatch& scored);
  void CheckKept() const;
  bool IsLong(const std::vector<char>& bytes) const { return bytes.capacity() > 4 * plan_.batch_bytes; }
  void WriteLines(std::string_view lines, std::size_t records);
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
  std::atomic<std::size_t> live_bytes_ = 0;  // of batches with long records
  bool waits_ = false;                       // until these are written
  std::int64_t kept_bytes_ = 0;              // that groups and answers have taken since
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
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<OutputFile> manifest_file_;  // of an output that is a regular file
  std::optional<ShardEnd> finished_shard_;     // which is left as it is
  std::optional<ResumedRun> resumed_;          // of an earlier run, which this one goes on with
  std::optional<JournalWriter> journal_;       // of an output that is a regular file
  bool are_written_ = false;                   // the lines that the sink is given
  Manifest manifest_;
  Checksum written_;
  BagChecksum ids_;       // that were asked
  BagChecksum expected_;  // with their expected values
  SeenIds seen_ids_;      // without gold
  PerThread<BatchWorker> workers_;
  std::atomic<bool> has_failed_ = false;  // a batch was not scored: no memory, or no time to end it
  std::optional<Error> failure_;          // of the first such batch, after which nothing is written
  BatchScorer sink_scorer_;               // to ask what scorers judge
  ResultLayout layout_;
  std::uint64_t resumed_records_ = 0;
  std::optional<Error> input_error_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

RunReport ReportOf(const RunResult& run) {
  RunReport report = run.summary.Report();
  report.provenance = run.provenance;
  report.partial_output = run.partial_output;
  report.leftovers = run.leftovers;
  report.resumed_records = run.resumed_records;
  report.journal = run.journal;
  return report;
}

// Reads the gold, and makes room for what is kept of the answers to it.
void FileRun::ReadGold() {
  const MemoryScope scope(plan_.gold_memory);
  try {
    ReaderOptions reading = ReaderOptionsOf(options_, plan_);
    reading.shard.reset();  // which is one of the answers
    fields_.gold = &gold_.emplace(options_, reading, plan_.mapped_gold);
    if (reader_.stopped()) throw Error(ErrorCode::kInterrupted, "stopped while it read " + options_.gold);
    CheckFieldsAreThere(gold_->presence(), WantedGoldFields(options_, needs_expected_),
                        "no record of " + options_.gold);
    if (!options_.shard)  // who is unanswered only the merge can tell
      join_.emplace(*gold_, sources_, layout_, summary_.group_fields().size(), options_.repeats);
  } catch (const std::bad_alloc&) {
    if (scope.refused()) ThrowOverBudget("the gold takes", plan_.gold_memory);
    throw;
  }
  // When a source ends, its ids without an answer are listed with their groups.
  const std::size_t listed = gold_->size() * sizeof(std::uint32_t) * (1 + summary_.group_fields().size());
  const std::size_t mapped = gold_->mapped() ? plan_.mapped_gold : 0;
  const auto taken = static_cast<std::size_t>(std::max<std::int64_t>(scope.used(), 0)) + listed + mapped;
  if (taken > plan_.gold_memory) ThrowOverBudget("the gold takes", plan_.gold_memory);
  TakeGold(taken, plan_);
}

// Opens the files to write, which an earlier run may have begun.
void FileRun::OpenOutput() {
  // What comes through a pipe cannot be read again, and has no journal.
  const bool can_read_again =
      reader_.total_bytes() && std::ranges::find(options_.inputs, "-") == options_.inputs.end();
  if (options_.resume && !can_read_again) {
    throw Error(ErrorCode::kUsage, "--resume reads the inputs again, so they must be files that are named");
  }
  const std::vector<RunFact> facts = FactsOf(manifest_, options_);
  const std::string path = WithoutLinks(options_.output);
  if (options_.resume) {
    if (std::optional<JournalReader> left = JournalReader::Find(path)) {
      CheckSameRun(*left, facts);
      output_ = OutputFile::Reopen(options_.output, left->head().output_number, options_.stop);
      resumed_.emplace(std::move(*left));
      if (output_->compressed() || resumed_->BeginsIn(output_->fd())) {
        manifest_file_ = ReopenManifest(resumed_->journal().head().manifest_number);
        return;
      }
      // A power cut took the lines, or the file is another one: what is in it is left alone.
      resumed_.reset();
      output_.reset();
    }
  }
  output_ = OutputFile::Open(options_.output, options_.stop);
  if (!output_->beside()) return;
  // Opened early, so that a long run does not end with a manifest that cannot be written.
  manifest_file_ = OutputFile::Open(ManifestPath(options_.output));
  // The journal of a compressed output takes more room than that, so it must be asked for.
  if (merge_ != nullptr || !can_read_again || (output_->compressed() && !options_.resume)) return;
  struct stat status {};
  const bool has_inode = output_->compressed() && fstat(output_->fd(), &status) == 0;
  journal_.emplace(path, JournalHead{.output_number = output_->partial_number(),
                                     .manifest_number = manifest_file_->partial_number(),
                                     .output_inode = has_inode ? status.st_ino : 0,
                                     .facts = facts});
}

// Opens the file of a shard, which an earlier run may have begun.
void FileRun::OpenShard() {
  const std::vector<RunFact> facts = ShardFactsOf(manifest_, options_, reader_.file_bytes());
  const std::string path = ShardPath(options_.output, *options_.shard);
  if (options_.resume) {
    finished_shard_ = FindFinishedShard(path, facts, options_);
    if (finished_shard_) return;
    if (std::optional<JournalReader> left = JournalReader::FindShard(WithoutLinks(path))) {
      CheckSameRun(*left, facts);
      output_ = OutputFile::Reopen(path, left->head().output_number, options_.stop);
      resumed_.emplace(std::move(*left));
      return;
    }
  }
  output_ = OutputFile::Open(path, options_.stop);
  if (!output_->beside()) {
    throw Error(ErrorCode::kUsage, path + " is no regular file: name another output for the shards");
  }
  JournalReader::RemoveUselessShards(WithoutLinks(path));
  output_->Write(HeadPart({.output_number = output_->partial_number(),
                           .facts = facts,
                           .shard = PackShardedRun({*options_.shard, scorers_.config(), options_})}));
}

// Opens the manifest's file of an earlier run, which is empty unless it was about to end, or a new one.
std::unique_ptr<OutputFile> FileRun::ReopenManifest(int number) const {
  const std::string path = ManifestPath(options_.output);
  const std::string begin = ManifestJson({}).substr(0, 16);
  std::ifstream left(NumberedName(path + ".partial", number), std::ios::binary);
  std::string there(begin.size(), '\0');
  left.read(there.data(), static_cast<std::streamsize>(there.size()));
  there.resize(static_cast<std::size_t>(left.gcount()));
  if (!left.is_open() || !begin.starts_with(there)) return OutputFile::Open(path, options_.stop);
  std::unique_ptr<OutputFile> file = OutputFile::Reopen(path, number, options_.stop);
  file->CutTo(0);
  return file;
}

// Whether a batch of the journal can be one of this run. Its checksum tells damage, but not what was made on
// purpose.
bool FileRun::Fits(const ScoredBatch& scored) const {
  const std::size_t records = scored.batch.records.size();
  const ResultRows& results = scored.results;
  return records != 0 && scored.batch.input < options_.inputs.size() &&
         results.scores.size() == records * layout_.scorers() &&
         results.fields.size() == records * layout_.fields() &&
         results.json_in_texts.size() == layout_.scorers() &&
         scored.groups.size() == records * fields_.groups.size() &&
         scored.gold.size() == (gold_ ? records : 0) &&
         std::ranges::all_of(scored.gold, [&](std::uint32_t entry) {
           return entry == GoldTable::kNone || entry < gold_->size();
         });
}

// Hands the sink what an earlier run has scored. Until all of it is known to fit the inputs, nothing is cut.
void FileRun::Resume() {
  are_written_ = !output_->compressed();
  if (!are_written_) output_->CutTo(0);
  const bool looks_at_output = are_written_ && !options_.shard;
  ScoredBatch scored;
  while (resumed_->Next(looks_at_output ? output_->fd() : -1, reader_, scored)) {
    if (!Fits(scored)) {
      throw Error(ErrorCode::kInput, resumed_->journal().name() + " is not as leafscore wrote it: remove it");
    }
    if (!options_.shard) resumed_->CheckMemory(scored, options_.memory_bytes);
    Write(scored);
  }
  resumed_->CheckInputs(options_.inputs, reader_, options_.stop);
  resumed_records_ = summary_.totals().records_read;
  if (options_.shard) {
    output_->CutTo(resumed_->journal().position());
    are_written_ = false;
    return;
  }
  if (are_written_) {
    written_ = resumed_->written();
    output_->CutTo(written_.bytes());
    are_written_ = false;
  }
  RemoveKeptFiles(resumed_->journal().name());
  journal_.emplace(resumed_->journal(), WithoutLinks(options_.output));
}

// Hands the sink what the shards have scored.
void FileRun::Merge() {
  merge_->CheckInputs(options_.stop);
  ScoredBatch scored;
  const auto stopped = [&] { return options_.stop != nullptr && options_.stop->load(); };
  while (!stopped() && merge_->Next(scored)) {
    if (!Fits(scored)) merge_->ThrowDamaged();
    Write(scored);
  }
}

// The source. An input error ends the stream, as does a lack of memory; it is reported when all before it is
// done.
bool FileRun::Read(ScoredBatch& scored) {
  waits_ = live_bytes_ > plan_.live_bytes;
  if (has_failed_ || waits_) return false;
  try {
    return WithResourceErrors(kMemoryAdvice, [&] {
      if (!(resumed_ && resumed_->TakeRest(scored.batch)) && !reader_.Next(scored.batch)) return false;
      if (IsLong(scored.batch.bytes)) live_bytes_ += scored.live_bytes = scored.batch.bytes.capacity();
      if (journal_ || options_.shard) {
        const Checksum& read = reader_.checksum(scored.batch.input);
        scored.input_bytes = read.bytes();
        scored.input_ended = reader_.ended(scored.batch.input);
        scored.input_checksum = read.Text();
      }
      return true;
    });
  } catch (const Error& error) {
    input_error_ = error;
    return false;
  }
}

// Where there is no memory for a batch, or the run is stopped in it, those before it are still written.
void FileRun::Score(ScoredBatch& scored) {
  BatchWorker& worker = workers_.local();
  scored.failure.reset();
  // A batch takes more than this for each byte of it.
  constexpr std::size_t kLeastFactor = 4;
  scored.in_parts = scored.batch.data_end > plan_.batch_memory / kLeastFactor;
  try {
    WithResourceErrors(kMemoryAdvice, [&] {
      if (!scored.in_parts) scored.in_parts = !ScoreWithin(plan_.batch_memory, worker, scored);
    });
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kResources && error.code() != ErrorCode::kInterrupted) throw;
    worker = {};  // it may be in the middle of something
    scored.failure = error;
    has_failed_ = true;
  }
}

// Scores a batch. RETURNS: false when that takes more memory than `limit`; the batch then has no results.
bool FileRun::ScoreWithin(std::size_t limit, BatchWorker& worker, ScoredBatch& scored) {
  const bool done = DoneWithin(limit, [&] {
    if (worker.scorer == nullptr) {
      worker.scorer = std::make_unique<BatchScorer>(scorers_, options_, offload_);
    }
    ScoreWith(worker, scored);
  });
  if (!done) scored.ForgetResults();
  if (!done || worker.memory > static_cast<std::int64_t>(plan_.batch_memory)) worker = {};
  return done;
}

void FileRun::ScoreWith(BatchWorker& worker, ScoredBatch& scored) {
  BatchScorer& scorer = *worker.scorer;
  scorer.SetFields(fields_);  // each time: a worker may serve several runs
  const std::size_t records = scored.batch.records.size();
  scored.lines.clear();
  scored.results = {};
  scored.groups.assign(records * fields_.groups.size(), {});
  scored.group_texts.clear();
  scored.gold.clear();
  scored.without_gold = {};
  scored.ids = {};
  scored.presence = {};
  scored.paths.clear();
  scored.totals = {};
  std::size_t first = 0;
  while (first != records) {
    const MemoryScope tables;
    const std::size_t count = scorer.ScoreRecords(scored.batch, first);
    worker.memory += tables.used();
    TakeResults(scored, scorer, first);
    first += count;
  }
}

// Takes what the sink needs of the records that were just scored, from record `first` of the batch on.
void FileRun::TakeResults(ScoredBatch& scored, const BatchScorer& scorer, std::size_t first) {
  if (output_ != nullptr) writer_.AppendBatch(scored.batch, scorer, scored.lines, first);

  const RecordColumns& found = scorer.records();
  AppendResults(scorer, scored.results);
  for (std::size_t g = 0; g < found.groups.size(); ++g) {
    const NodeId node = found.groups[g];
    std::string_view& group = scored.groups[first * fields_.groups.size() + g];
    const LeafTable& table = scorer.record_table();
    if (node == kNoNode) {
      group = scorer.GroupOfGold(g).text;
    } else if (table.kind(node) == ValueKind::kString) {
      group = table.token(node);
    } else {
      std::string& text = scored.group_texts.emplace_back();
      AppendValueText(table, scorer.shapes(), node, text);
      group = text;
    }
  }

  AddPresence(scorer.presence(), scored.presence);
  AddPresence(scorer.PathPresence(), scored.paths);
  AddTotals(scorer.Totals(), scored.totals);
  if (gold_) {
    scored.gold.insert(scored.gold.end(), found.gold.begin(), found.gold.end());
    AddIds(found.without_gold, scored.without_gold);
  } else if (options_.shard) {
    AppendUnnumberedIds(scorer, first, scored.ids);
  } else {
    AppendIds(scorer, scored.batch.first_record_in_run + first, scored.ids);
  }
}

// The sink.
void FileRun::Write(ScoredBatch& scored) {
  if (!failure_) failure_ = scored.failure;
  if (failure_) return;
  if (scored.in_parts) {
    WriteInParts(scored);
  } else {
    WriteWhole(scored);
  }
  // What is kept for the next batch is no more than batches usually take.
  if (scored.lines.capacity() > plan_.batch_memory / 2) scored.ForgetResults();
  if (IsLong(scored.batch.bytes)) {
    scored.batch = {};
    ReturnFreedMemory();
  }
  live_bytes_ -= std::exchange(scored.live_bytes, 0);
}

// Scores and writes a batch that takes more memory than it may in parallel: in parts that take less, and at
// last each record alone, by a scorer of its own, so that the verdict on it depends on nothing else.
void FileRun::WriteInParts(ScoredBatch& scored) {
  BatchParts parts(scored.batch);
  for (std::size_t count = 1; !parts.done();) {
    parts.Take(count);
    const bool alone = scored.batch.records.size() == 1;
    BatchWorker worker;
    scored.ForgetResults();
    if (!ScoreWithin(alone ? plan_.record_memory : plan_.batch_memory, worker, scored)) {
      count = 1;
      if (!alone) continue;
      parts.Reject(RejectReason::kOverMemoryBudget);
      worker.scorer = std::make_unique<BatchScorer>(scorers_, options_, offload_);
      ScoreWith(worker, scored);
    } else {
      count *= 2;
    }
    worker = {};
    WriteWhole(scored);
    parts.Next();
  }
}

void FileRun::WriteWhole(const ScoredBatch& scored) {
  if (options_.shard) return WriteToShard(scored);
  if (join_) {
    while (join_->source() != scored.batch.input) EndSource(/*whole=*/true);
  }
  WriteLines(scored.lines, scored.batch.records.size());
  ids_.Add(scored.ids.ids);
  expected_.Add(scored.ids.expected);
  if (!gold_) seen_ids_.Add(scored.ids.each, *summary_.repeated_ids());

  AddToSummary(scored);
  AddPresence(scored.presence, presence_);
  AddPresence(scored.paths, paths_);
  // A record that was cut off with its input is another one when that is whole.
  const bool is_cut = scored.batch.records.back().reject == RejectReason::kTruncatedInput;
  if (journal_ && !is_cut)
    journal_->Append(JournalEntry(scored, written_, options_.memory_bytes, output_->compressed()));
  if (options_.progress != nullptr) {
    options_.progress->bytes = reader_.consumed_bytes();
    options_.progress->records = summary_.totals().records_read;
  }
  CheckKept();
}

// Adds what became of the records to the figures, or to the join, which does so when their source ends.
void FileRun::AddToSummary(const ScoredBatch& scored) {
  const std::size_t fields = fields_.groups.size();
  const std::size_t records = scored.batch.records.size();
  const std::size_t width = fields + (gold_ ? 1 : 0);
  std::vector<std::uint32_t> all_groups(records * width);
  const MemoryScope scope;
  for (std::size_t r = 0; r < records; ++r) {
    const std::span groups = std::span(all_groups).subspan(r * width, width);
    for (std::size_t f = 0; f < fields; ++f) {
      const std::string_view value = scored.groups[r * fields + f];
      groups[f] = value.data() == nullptr ? kNoneGroup : summary_.GroupIndex(f, value);
    }
    if (gold_) groups[fields] = summary_.GroupIndex(fields, sources_[scored.batch.input]);
    if (!join_) AddRow(scored.results, layout_, r, groups, summary_);
  }
  AddTotals(scored.totals, summary_.totals());
  AddJsonInTexts(scored.results, summary_);
  if (join_) join_->Add(scored.gold, scored.without_gold, scored.results, all_groups);
  kept_bytes_ += scope.used();
}

// ERRORS: Error(kResources) when groups and answers have taken too much. REQUIRES: the counts add up.
void FileRun::CheckKept() const {
  if (kept_bytes_ > static_cast<std::int64_t>(plan_.kept_memory)) {
    ThrowOverBudget("what is kept of groups and answers (--max-groups, --repeats all) takes",
                    plan_.kept_memory);
  }
}

// What a shard learns is for the merge to judge: it only counts.
void FileRun::WriteToShard(const ScoredBatch& scored) {
  manifest_.lines += scored.batch.records.size() * layout_.scorers();
  AddTotals(scored.totals, summary_.totals());
  const bool is_cut = scored.batch.records.back().reject == RejectReason::kTruncatedInput;
  if (!are_written_ && !is_cut)
    output_->Write(FramedPart(JournalEntry(scored, written_, options_.memory_bytes, /*with_lines=*/true)));
  if (options_.progress != nullptr) options_.progress->records = summary_.totals().records_read;
}

// Writes the lines of some records.
void FileRun::WriteLines(std::string_view lines, std::size_t records) {
  if (output_ == nullptr) return;
  manifest_.lines += records * layout_.scorers();
  if (are_written_) return;
  if (written_.bytes() == 0) {  // not before there are lines: what a run leaves that was killed has some
    std::string header;
    writer_.AppendHeader(header);
    output_->Write(header);
    written_.Add(header);
  }
  output_->Write(lines);
  written_.Add(lines);
}

// Ends a source of answers. What it left unanswered is scored and written as such, unless the run ended
// early: then it is only counted.
void FileRun::EndSource(bool whole) {
  const std::size_t source = join_->source();
  const MemoryScope scope;
  const std::vector<std::uint32_t> unanswered = join_->EndSource(summary_);
  kept_bytes_ += scope.used();
  const std::size_t fields = fields_.groups.size();
  const std::size_t width = summary_.group_fields().size();
  std::vector<std::uint32_t> all_groups(unanswered.size() * width, kNoneGroup);
  for (std::size_t i = 0; i < unanswered.size(); ++i) {
    const std::span groups = std::span(all_groups).subspan(i * width, width);
    for (std::size_t f = 0; f < fields; ++f) {
      const std::string_view value = gold_->group(unanswered[i], f).text;
      if (value.data() != nullptr) groups[f] = summary_.GroupIndex(f, value);
    }
    groups[fields] = summary_.GroupIndex(fields, sources_[source]);
  }
  if (whole) {
    const bool done = DoneWithin(plan_.record_memory, [&] {
      BatchScorer scorer(scorers_, options_);
      AddUnanswered(*gold_, unanswered, all_groups, scorer, summary_,
                    [&](std::span<const std::uint32_t> entries) {
                      AddPresence(scorer.PathPresence(), paths_);
                      if (output_ == nullptr) return;
                      std::string lines;
                      writer_.AppendUnanswered(source, *gold_, entries, scorer, lines);
                      WriteLines(lines, entries.size());
                    });
    });
    if (!done) ThrowOverBudget("scoring an id that nobody answered takes", plan_.record_memory);
    return;
  }
  for (std::size_t s = 0; s < layout_.scorers(); ++s) {
    const RecordScore score{.outcome = Outcome::kUnanswered, .reason = RejectReason::kNoAnswer};
    for (std::size_t i = 0; i < unanswered.size(); ++i) {
      summary_.Add(s, score, std::span(all_groups).subspan(i * width, width));
    }
  }
}

// ERRORS: Error(kInput) for a field that no record has, and for a path in the options of a scorer that leads
//         nowhere in any expected value; all of the latter are in the summary then.
void FileRun::CheckFields(RunSummary& summary) {
  CheckFieldsAreThere(presence_, WantedFields(options_, needs_expected_), "no record");
  summary.absent_paths() = AbsentPaths(sink_scorer_, paths_);
  if (!options_.allow_absent_paths) CheckPathsLead(sink_scorer_, paths_);
}

void FileRun::Finish(RunResult& result) {
  if (!result.error && input_error_) {
    result.error = *input_error_;
  } else if (!result.error && options_.stop != nullptr && options_.stop->load()) {
    result.error.emplace(ErrorCode::kInterrupted, "the run was interrupted");
  }
  if (result.error) {
    KeepPartial(result);
    return;
  }
  if (finished_shard_) return;
  if (options_.shard) {
    const auto position = static_cast<std::uint64_t>(lseek(output_->fd(), 0, SEEK_CUR));
    output_->Write(EndPart(reader_, result.summary.totals(), position));
    output_->Commit();
    return;
  }
  CheckFields(result.summary);
  CheckSomethingScored(result.summary);
  EndManifest(result.summary.totals());
  result.provenance = ProvenanceJson(manifest_);
  if (output_ != nullptr) {
    if (options_.trailer) output_->Write(ManifestTrailer(manifest_));
    output_->Complete();
  }
  if (manifest_file_ != nullptr) {
    manifest_file_->Write(ManifestJson(manifest_));
    manifest_file_->Complete();
  }
  if (options_.before_end) {
    EndTotals(result);
    options_.before_end(ReportOf(result));
  }
  if (output_ == nullptr) return;
  // The manifest gets its name first, and the output when little can fail: an output without its manifest is
  // never seen. Between the two an older output has a manifest that does not fit it.
  if (manifest_file_ != nullptr) manifest_file_->Commit();
  output_->Commit();
  journal_.reset();
}

// Keeps what a run that ended early has written, and the journal by which another can go on.
void FileRun::KeepPartial(RunResult& result) {
  if (output_ == nullptr || manifest_.lines == 0) return;
  try {
    if (journal_) journal_->Keep();
    result.partial_output = output_->KeepPartial();
    result.journal = options_.shard ? result.partial_output
                     : journal_     ? journal_->name()
                     : resumed_     ? resumed_->journal().name()
                                    : "";
  } catch (const std::exception&) {
    // There is no memory for names: the error that there is already says enough.
  }
}

void FileRun::EndTotals(RunResult& result) const {
  result.summary.totals().bytes = merge_ != nullptr ? merge_->decoded_bytes() : reader_.decoded_bytes();
  result.summary.totals().wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

// Adds what is known at the end of a whole run.
void FileRun::EndManifest(const RunTotals& totals) {
  manifest_.records_read = totals.records_read;
  manifest_.records_asked = gold_ ? gold_->size() * sources_.size() : totals.records_read;
  for (std::size_t i = 0; i < options_.inputs.size(); ++i) {
    manifest_.inputs.push_back(
        FileOf(options_.inputs[i], merge_ != nullptr ? merge_->checksum(i) : reader_.checksum(i)));
  }
  if (gold_) {
    gold_->CheckUnchanged();
    for (std::uint32_t entry = 0; entry < gold_->size(); ++entry) {
      expected_.AddPair(ids_.Add(gold_->id(entry)), gold_->expected_json(entry));
    }
  }
  manifest_.ids = ids_.count();
  manifest_.without_id = gold_ ? 0 : totals.records_read - ids_.count();
  manifest_.ids_checksum = ids_.Text();
  manifest_.expected = expected_.count();
  manifest_.expected_checksum = expected_.Text();
  manifest_.bytes = written_.bytes();
  manifest_.checksum = written_.Text();
}

RunResult FileRun::Run() {
  // How much of them a shard will read is not known.
  if (options_.progress != nullptr && !options_.shard) {
    options_.progress->total_bytes = reader_.total_bytes().value_or(0);
  }
  std::optional<Error> run_error;
  // Does a part of the work; the first error is that of the run.
  const auto attempt = [&](auto work) {
    try {
      WithResourceErrors(kMemoryAdvice, work);
    } catch (const Error& error) {
      if (!run_error) run_error = error;
    }
  };
  attempt([&] {
    if (resumed_) Resume();
    if (finished_shard_) {
      summary_.totals().records_read = resumed_records_ = finished_shard_->records;
      summary_.totals().rejected = finished_shard_->rejected;
    } else if (merge_ != nullptr) {
      Merge();
    } else {
      do {  // it ends, too, where the memory of long records has to be given back before the next one is read
        RunOrderedPipeline<ScoredBatch>(
            plan_.threads, [this](ScoredBatch& scored) { return Read(scored); },
            Parallel([this](ScoredBatch& scored) { Score(scored); }),
            InOrder([this](ScoredBatch& scored) { Write(scored); }));
      } while (waits_ && !failure_);
    }
    if (failure_) throw Error(*failure_);
    const bool whole = !input_error_ && (options_.stop == nullptr || !options_.stop->load());
    while (whole && join_ && !join_->ended()) EndSource(/*whole=*/true);
  });
  if (run_error) workers_.clear();  // what is left to do needs memory, too
  attempt([&] {
    while (join_ && !join_->ended()) EndSource(/*whole=*/false);
    if (!gold_) seen_ids_.End(*summary_.repeated_ids());
  });
  if (join_) summary_.join() = join_->summary();
  for (std::size_t f = kFirstGroupField; f < presence_.found.size(); ++f) {
    summary_.lacking().push_back(presence_.records - presence_.found[f]);
  }
  if (offload_ != nullptr) {
    const DeviceReport device = offload_->Report();
    if (!device.device.empty() || !device.warning.empty()) summary_.device() = device;
  }
  RunResult result{.summary = std::move(summary_),
                   .error = std::move(run_error),
                   .provenance = {},
                   .partial_output = {},
                   .leftovers = {},
                   .resumed_records = resumed_records_,
                   .journal = {}};
  if (journal_) std::ranges::move(journal_->leftovers(), std::back_inserter(result.leftovers));
  for (const OutputFile* const file : {output_.get(), manifest_file_.get()}) {
    if (file != nullptr) std::ranges::move(file->leftovers(), std::back_inserter(result.leftovers));
  }
  try {
    WithResourceErrors(kMemoryAdvice, [&] { Finish(result); });
  } catch (const Error& error) {
    result.error = error;
    KeepPartial(result);
  }
  EndTotals(result);
  return result;
}

}  // namespace

RunResult RunFiles(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload) {
  return FileRun(scorers, options, offload).Run();
}

RunResult RunMerge(const ScorerSet& scorers, const FileOptions& options, ShardMerge& merge,
                   std::uint64_t memory_bytes) {
  return FileRun(scorers, options, nullptr, &merge, memory_bytes).Run();
}

RunReport ReportOrThrow(const RunResult& run) {
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
