#include "engine/run/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/memory_account.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/io/record_reader.h"
#include "engine/io/replaced_files.h"
#include "engine/json/compact_text.h"
#include "engine/judge/judge_service.h"
#include "engine/run/batch_parts.h"
#include "engine/run/batch_scorer.h"
#include "engine/run/device_choice.h"
#include "engine/run/field_presence.h"
#include "engine/run/file_options.h"
#include "engine/run/file_run.h"
#include "engine/run/gold_join.h"
#include "engine/run/gold_table.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "engine/run/result_writer.h"
#include "engine/run/run_manifest.h"
#include "engine/run/scored_batch.h"
#include "engine/run/shard_file.h"
#include "engine/run/shard_merge.h"
#include "engine/run/source_names.h"
#include "engine/threads/memory_plan.h"
#include "engine/threads/ordered_pipeline.h"
#include "engine/threads/per_thread.h"
#include "engine/threads/thread_count.h"

namespace leafscore::internal {
namespace {

constexpr char kMemoryAdvice[] =
    "give a lower --memory, --threads, --batch-bytes, --max-line-bytes or --max-details-bytes";

// With scorers that ask models: the text of a batch, and how many more may be under way, so that there are
// questions enough for the services to answer side by side; and what a question takes for each byte of its
// texts, which stand in it, in what is sent and in the batch.
constexpr std::size_t kAskedBatchBytes = 64 << 10;
constexpr std::size_t kAskedBatches = 16;
constexpr std::size_t kQuestionFactor = 8;

MemoryPlan PlanOf(const ScorerSet& scorers, const FileOptions& options, std::uint64_t memory_bytes) {
  // One more thread, which waits for answers.
  const unsigned threads = ResolveThreads(options.threads) + (scorers.asks() ? 1 : 0);
  MemoryPlan plan =
      PlanMemory(MemoryBudget(memory_bytes), threads, options.batch_bytes, MayOpenDevice(options.device));
  if (scorers.asks()) plan.text_batch_bytes = plan.batch_bytes = std::min(plan.batch_bytes, kAskedBatchBytes);
  return plan;
}

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
  if (InputsAreSources(options)) fields.emplace_back(kSourceGroup);
  return fields;
}

// ERRORS: always Error(kResources).
[[noreturn]] void ThrowOverBudget(std::string_view what_takes, std::size_t share) {
  throw Error(ErrorCode::kResources,
              fmt::format("{} more than its share of --memory, {} bytes; give more", what_takes, share));
}

}  // namespace

FileRun::FileRun(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload,
                 ShardMerge* merge, std::uint64_t merge_memory_bytes)
    : options_(Checked(options)),
      merge_(merge),
      plan_(PlanOf(scorers, options, merge_memory_bytes == 0 ? options.memory_bytes : merge_memory_bytes)),
      device_(offload == nullptr
                  ? OpenDevice(options.device, std::min(options.gpu_memory_bytes, plan_.staging_bytes))
                  : nullptr),
      offload_(device_ == nullptr ? offload : device_.get()),
      scorers_(scorers),
      reader_(options.inputs, ReaderOptionsOf(options, plan_)),
      fields_(RecordFieldsOf(options)),
      needs_expected_(scorers.needs_expected()),
      sources_(InputsAreSources(options) ? SourceNames(options.inputs) : std::vector<std::string>()),
      writer_({.format = OutputFormatOf(options.output),
               .details = options.details,
               .max_details_bytes = options.max_details_bytes,
               .csv_fields = options.csv_raw ? CsvFields::kRaw : CsvFields::kSafe,
               .group_fields = RecordGroups(options),
               .sources = sources_,
               .source_is_group = !options.gold.empty() && !options.source_field.empty(),
               .mark_numbers = options.shard.has_value()},
              options.inputs),
      summary_(scorers.names(), SummaryGroups(options), options.max_groups),
      seen_ids_(plan_.seen_ids),
      sink_scorer_(scorers, options_),
      layout_(LayoutOf(sink_scorer_)) {
  if (options.profile) times_.emplace();
  NameJudgedFields(sink_scorer_, summary_);
  fields_.groups = RecordGroups(options);
  summary_.SetSourceField(InputsAreSources(options) ? kSourceGroup : options.source_field);
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

// Reads the gold, and makes room for what is kept of the answers to it.
void FileRun::ReadGold() {
  const MemoryScope scope(plan_.gold_memory);
  try {
    ReaderOptions reading = ReaderOptionsOf(options_, plan_);
    reading.shard.reset();  // which is one of the answers
    reading.ranges = false;
    fields_.gold = &gold_.emplace(options_, reading, plan_.mapped_gold);
    if (reader_.stopped()) throw Error(ErrorCode::kInterrupted, "stopped while it read " + options_.gold);
    CheckFieldsAreThere(gold_->presence(), WantedGoldFields(options_, needs_expected_),
                        "no record of " + options_.gold);
    if (!options_.shard) {  // who is unanswered only the merge can tell
      const std::size_t groups = summary_.group_fields().size();
      if (InputsAreSources(options_)) {
        join_.emplace(*gold_, sources_, layout_, groups, options_.repeats);
      } else {
        join_.emplace(*gold_, groups - 1, layout_, groups, options_.repeats);
      }
    }
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

// The source. An input error ends the stream, as does a lack of memory; it is reported when all before it is
// done.
bool FileRun::Take(ScoredBatch& scored) {
  const StageScope stage(times(), Stage::kSource, /*is_serial=*/true);
  waits_ = live_bytes_ > plan_.live_bytes;
  if (has_failed_ || waits_) return false;
  scored.failure.reset();
  scored.is_dropped = false;
  scored.entry.clear();
  try {
    return WithResourceErrors(kMemoryAdvice, [&] {
      reader_.set_batch_bytes(has_long_texts_ ? plan_.text_batch_bytes : plan_.batch_bytes);
      scored.is_numbered = resumed_ && resumed_->TakeRest(scored.batch);
      if (!scored.is_numbered && !reader_.Take(scored.batch)) return false;
      if (scored.batch.range) return true;
      if (IsLong(scored.batch.bytes)) Hold(scored.batch.bytes.capacity(), scored);
      HoldQuestions(scored);
      if (KeepsJournal()) {
        TakeNoteOfInput(reader_.checksum(scored.batch.input), reader_.ended(scored.batch.input), scored);
      }
      return true;
    });
  } catch (const Error& error) {
    input_error_ = error;
    return false;
  }
}

// Reads a batch of which the source knows the range only. The part of a long record that is over the memory
// for such is left for the sink.
void FileRun::ReadRange(ScoredBatch& scored) {
  if (!scored.batch.range) return;
  const StageScope stage(times(), Stage::kRead, /*is_serial=*/false);
  const auto may_hold = [&](std::size_t bytes) {
    Hold(bytes, scored);
    if (live_bytes_ <= plan_.live_bytes) return true;
    scored.live_bytes -= bytes;
    live_bytes_ -= bytes;
    return false;
  };
  Attempt(scored.failure, [&] {
    RecordReader::Read(may_hold, scored.batch);
    HoldQuestions(scored);
  });
}

// Numbers the records of batches in their order, which are known when they are read. Behind an input that
// broke, batches are dropped.
void FileRun::Number(ScoredBatch& scored) {
  const StageScope stage(times(), Stage::kSource, /*is_serial=*/true);
  if (scored.is_numbered) return;
  scored.is_dropped = !reader_.Number(scored.batch);
  if (reader_.range_error()) has_failed_ = true;
  if (!scored.batch.range || scored.is_dropped || !KeepsJournal()) return;
  if (scored.has_rest()) {
    scored.input_read = reader_.checksum(scored.batch.input);
  } else {
    TakeNoteOfRange(reader_.checksum(scored.batch.input), scored);
  }
}

// Counts memory that a batch takes beyond what batches usually do.
void FileRun::Hold(std::size_t bytes, ScoredBatch& scored) {
  scored.live_bytes += bytes;
  live_bytes_ += bytes;
}

void FileRun::HoldQuestions(ScoredBatch& scored) {
  if (!scorers_.asks()) return;
  Hold(scorers_.question_bytes(scored.batch.records.size()) +
           kQuestionFactor * std::size_t{scored.batch.data_end},
       scored);
}

// Notes for a journal how much of its input was read, up to the end of its range and of the record that ends
// behind it.
void FileRun::TakeNoteOfRange(BlockChecksum read, ScoredBatch& scored) {
  const RecordBatch& batch = scored.batch;
  const LineRange& range = *batch.range;
  const std::uint64_t range_end = RecordBatch::kDataBegin + (range.end - batch.data_offset);
  if (range_end < batch.data_end) read.Add({batch.bytes.data() + range_end, batch.data_end - range_end});
  TakeNoteOfInput(read, !range.error && range.end == range.file->part().end, scored);
}

void FileRun::TakeNoteOfInput(const BlockChecksum& read, bool ended, ScoredBatch& scored) {
  scored.input_bytes = read.bytes();
  scored.input_ended = ended;
  scored.input_checksum = read.Text();
}

// Does a part of the work on a batch, and notes with what that ended the run. The batches before are still
// written, and all that were written are counted.
template <class Work>
void FileRun::Attempt(std::optional<Error>& failure, Work work) {
  try {
    WithResourceErrors(kMemoryAdvice, work);
  } catch (const Error& error) {
    failure = error;
    has_failed_ = true;
    workers_.local() = {};  // it may be in the middle of something
  }
}

// Puts the questions of a batch, unless it takes so much memory that the sink scores it. What goes wrong here
// does so again, and is told, when the batch is scored.
void FileRun::Ask(ScoredBatch& scored) {
  BatchWorker& worker = workers_.local();
  scored.asked.clear();
  if (scored.failure || scored.is_dropped || scored.has_rest() || IsTooLarge(scored.batch)) return;
  if (cannot_append_) return;
  try {
    const bool done = DoneWithin(plan_.batch_memory, [&] {
      if (worker.scorer == nullptr) {
        worker.scorer = std::make_unique<BatchScorer>(scorers_, options_, offload_);
      }
      worker.scorer->SetFields(fields_);
      const MemoryScope tables;
      for (std::size_t first = 0; first != scored.batch.records.size();) {
        first += worker.scorer->AskRecords(scored.batch, first, scored.asked);
      }
      worker.memory += tables.used();
    });
    if (!done) worker = {};
  } catch (const Error&) {
    worker = {};
  } catch (const std::bad_alloc&) {
    worker = {};
  }
}

// One thread waits here, so that the others go on with what comes before and after. Questions whose answers
// nobody can use are let go, so that they are not asked.
void FileRun::WaitForAnswers(ScoredBatch& scored) const {
  try {
    for (const auto& answer : scored.asked) answer->Wait(options_.stop, &cannot_append_);
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
  if (cannot_append_) scored.asked.clear();
}

// Scores a batch, unless the sink has to.
void FileRun::Score(ScoredBatch& scored) {
  const StageScope stage(times(), Stage::kStatistics, /*is_serial=*/false);
  if (scored.failure || scored.is_dropped || cannot_append_) return;
  scored.in_parts = scored.has_rest() || IsTooLarge(scored.batch);
  if (scored.in_parts) return;
  Attempt(scored.failure, [&] {
    scored.in_parts = !ScoreWithin(plan_.batch_memory, workers_.local(), scored);
    if (!scored.in_parts) Pack(scored);
  });
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
  if (records != 0) has_long_texts_ = scorer.HasLongTexts(scored.batch.data_end);
  FindGroups(fields_.groups.size(), scored);
}

// Makes the entry of a journal or a shard, so that the sink need not. That of many lines is left for the
// sink, which has one batch at a time.
void FileRun::Pack(ScoredBatch& scored) const {
  if (!KeepsJournal() || scored.batch.records.empty()) return;
  const bool with_lines = options_.shard || output_->compressed();
  if (with_lines && scored.lines.size() > plan_.batch_bytes) return;
  const StageScope stage(Stage::kJournal);
  scored.entry = FramedPart(JournalEntry(scored, options_.memory_bytes, with_lines));
  constexpr std::size_t kSealBytes = 256;  // at most
  scored.entry.reserve(scored.entry.size() + kSealBytes);
}

// Takes what the sink needs of the records that were just scored, from record `first` of the batch on.
void FileRun::TakeResults(ScoredBatch& scored, const BatchScorer& scorer, std::size_t first) {
  if (output_ != nullptr) {
    const StageScope stage(Stage::kFormat);
    writer_.AppendBatch(scored.batch, scorer, scored.lines, first);
  }

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
  const StageScope stage(times(), Stage::kSink, /*is_serial=*/true);
  if (!failure_) failure_ = scored.failure;
  if (failure_ || range_error_ || scored.is_dropped || cannot_append_) return;
  Attempt(failure_, [&] {
    if (scored.has_rest()) {
      scored.batch.range->file->ReadRest(scored.batch);
      if (scored.input_read) TakeNoteOfRange(*std::exchange(scored.input_read, {}), scored);
      if (scored.batch.range->error) has_failed_ = true;
    }
    if (scored.batch.range) range_error_ = scored.batch.range->error;
    if (scored.batch.records.empty()) return;  // it is a part of a long line, or white space
    if (scored.in_parts) {
      WriteInParts(scored);
    } else {
      WriteWhole(scored);
    }
  });
}

// Counts the rows of a batch that was written, in any order, and gives back its memory.
void FileRun::Count(ScoredBatch& scored) {
  const StageScope stage(times(), Stage::kStatistics, /*is_serial=*/false);
  if (std::exchange(scored.is_to_count, false)) CountRows(scored);
  scored.asked.clear();
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
    pieces_.End();  // so that the lines of one part at a time are kept
    Append();
    if (scored.is_to_count) CountRows(scored);
    parts.Next();
  }
}

void FileRun::WriteWhole(ScoredBatch& scored) {
  if (options_.shard) return WriteToShard(scored);
  if (join_ && !join_->by_field()) {
    while (join_->source() != scored.batch.input) EndSource(/*whole=*/true);
  }
  if (journal_) MakeEntry(scored);
  WriteLines(scored.lines, CountAsked(scored.results));
  Learn(scored);
  if (journal_) AppendEntry(scored);
  if (options_.progress != nullptr) {
    options_.progress->bytes = reader_.consumed_bytes();
    options_.progress->records = summary_.totals().records_read;
  }
  pieces_.EndBatch(gathers_);
  CheckKept();
}

// Writes what the sink has finished. After an error nothing more is written.
void FileRun::Append() {
  const StageScope stage(times(), Stage::kAppend, /*is_serial=*/true);
  const std::lock_guard lock(appending_);
  if (append_failure_) return;
  Attempt(append_failure_, [&] {
    pieces_.Write(output_.get(), journal_ ? &*journal_ : nullptr);
    if (journal_ && !journal_->name().empty() && !journal_->is_whole() && scorers_.asks_others()) {
      throw Error(ErrorCode::kOutput,
                  fmt::format("cannot write the journal {}, and what is not in it would be asked again "
                              "by --resume: make room and go on with --resume",
                              journal_->name()));
    }
  });
  cannot_append_ = append_failure_.has_value();
}

// Writes all that the sink has finished. ERRORS: what went wrong with writing here or before.
void FileRun::FlushOutput() {
  pieces_.End();
  Append();
  if (append_failure_) throw Error(*append_failure_);
}

// Adds what is known of the records to what is known of the run, but for their scores: these are counted
// apart, or by the join when their source ends.
void FileRun::Learn(ScoredBatch& scored) {
  const StageScope stage(Stage::kStatistics);
  ids_.Add(scored.ids.ids);
  expected_.Add(scored.ids.expected);
  if (!gold_) seen_ids_.Add(scored.ids.each, *summary_.repeated_ids());
  NumberGroups(scored);
  AddTotals(scored.totals, summary_.totals());
  AddSums(scored.results, summary_);
  AddPresence(scored.presence, presence_);
  AddPresence(scored.paths, paths_);
  scored.is_to_count = !join_;
  if (!join_) return;
  const MemoryScope scope;
  join_->Add(scored.gold, scored.without_gold, scored.results, scored.group_numbers);
  kept_bytes_ += scope.used();
}

// Finds the groups of the records in the summary, which makes them in the order of the records.
void FileRun::NumberGroups(ScoredBatch& scored) {
  const std::size_t width = summary_.group_fields().size();
  if (width == 0) return;
  const std::size_t fields = fields_.groups.size();
  const std::size_t records = scored.batch.records.size();
  scored.group_numbers.assign(records * width, kNoneGroup);
  std::vector<std::uint32_t> numbers;
  numbers.reserve(scored.distinct_groups.values.size());
  const std::lock_guard lock(groups_);
  const MemoryScope scope;
  for (const BatchGroups::Value& value : scored.distinct_groups.values) {
    const std::uint32_t number = summary_.GroupIndex(value.field, value.text);
    numbers.push_back(number);
    if (join_ && join_->by_field() && value.field + 1 == fields) NameSource(number, value.text);
  }
  const std::uint32_t source =
      sources_.empty() ? kNoneGroup : summary_.GroupIndex(fields, sources_[scored.batch.input]);
  kept_bytes_ += scope.used();
  for (std::size_t r = 0; r < records; ++r) {
    for (std::size_t f = 0; f < fields; ++f) {
      const std::uint32_t value = scored.distinct_groups.of_records[r * fields + f];
      if (value != BatchGroups::kNone) scored.group_numbers[r * width + f] = numbers[value];
    }
    if (!sources_.empty()) scored.group_numbers[r * width + fields] = source;
  }
}

// ERRORS: Error(kInput) for more sources than there may be groups.
void FileRun::NameSource(std::uint32_t number, std::string_view name) {
  if (number == kOtherGroup) {
    throw Error(
        ErrorCode::kInput,
        fmt::format("the field {} has more than {} values (--max-groups), or a very long one; is it the "
                    "field that says who answered?",
                    QuoteForMessage(options_.source_field), options_.max_groups));
  }
  join_->NameSource(number, name);
}

// Adds the rows of a batch to the summary: overall to the thread's part of it, and to the groups, of which
// there may be too many for every thread to have its own.
void FileRun::CountRows(ScoredBatch& scored) {
  scored.is_to_count = false;
  const std::size_t records = scored.batch.records.size();
  std::unique_ptr<RunSummary>& counted = counted_.local();
  if (counted == nullptr) counted = std::make_unique<RunSummary>(summary_.Part());
  const auto name = [&](std::size_t r) {
    return RecordName{scored.batch.first_record_in_run + r, scored.ids.TextOf(r)};
  };
  for (std::size_t r = 0; r < records; ++r) AddRow(scored.results, layout_, r, {}, name(r), *counted);
  const std::size_t width = summary_.group_fields().size();
  if (width == 0) return;
  const std::lock_guard lock(groups_);
  const StageScope stage(times(), Stage::kStatistics, /*is_serial=*/true);
  const MemoryScope scope;
  for (std::size_t r = 0; r < records; ++r) {
    AddRowToGroups(scored.results, layout_, r, std::span(scored.group_numbers).subspan(r * width, width),
                   name(r), summary_);
  }
  kept_bytes_ += scope.used();
}

// Makes the entry of a batch for the journal or the shard, unless there is one. An entry that is too large
// ends a journal, so that nobody has to believe such a size.
void FileRun::MakeEntry(ScoredBatch& scored) {
  if (!scored.entry.empty() || journal_ends_) return;
  const StageScope stage(Stage::kJournal);
  const bool with_lines = options_.shard || output_->compressed();
  const std::string entry = JournalEntry(scored, options_.memory_bytes, with_lines);
  journal_ends_ = journal_ && entry.size() > kMaxPartBytes;
  if (!journal_ends_) scored.entry = FramedPart(entry);
}

// Hands on the entry of a batch.
void FileRun::AppendEntry(ScoredBatch& scored) {
  // A record that was cut off with its input is another one when that is whole.
  if (journal_ends_ || scored.batch.records.back().reject == RejectReason::kTruncatedInput) return;
  const StageScope stage(Stage::kJournal);
  std::string parts = std::exchange(scored.entry, {});
  parts += FramedPart(JournalSeal(written_));
  if (journal_) {
    pieces_.AddEntry(parts);
  } else {
    pieces_.AddLines(parts);
  }
}

// ERRORS: Error(kResources) when groups and answers have taken too much. REQUIRES: the counts add up.
void FileRun::CheckKept() const {
  if (kept_bytes_ > static_cast<std::int64_t>(plan_.kept_memory)) {
    ThrowOverBudget("what is kept of groups and answers (--max-groups, --repeats all) takes",
                    plan_.kept_memory);
  }
}

// What a shard learns is for the merge to judge: it only counts.
void FileRun::WriteToShard(ScoredBatch& scored) {
  manifest_.lines += CountAsked(scored.results);
  AddTotals(scored.totals, summary_.totals());
  if (!are_written_) {
    MakeEntry(scored);
    AppendEntry(scored);
    pieces_.EndBatch(gathers_);
  }
  if (options_.progress != nullptr) options_.progress->records = summary_.totals().records_read;
}

// Writes so many lines.
void FileRun::WriteLines(std::string& lines, std::uint64_t count) {
  if (output_ == nullptr) return;
  manifest_.lines += count;
  if (are_written_) return;
  if (written_.bytes() == 0) {  // not before there are lines: what a run leaves that was killed has some
    std::string header;
    writer_.AppendHeader(header);
    written_.Add(header);
    pieces_.AddLines(header);
  }
  {
    const StageScope stage(Stage::kOutputChecksum);
    written_.Add(lines);
  }
  pieces_.AddLines(lines);
}

// Ends a source of answers. What it left unanswered is scored and written as such, unless the run ended
// early: then it is only counted.
void FileRun::EndSource(bool whole) {
  const std::size_t source = join_->source();
  const std::string name = join_->source_name();
  const bool by_field = join_->by_field();
  const std::uint32_t number = by_field ? join_->source_number() : kNoneGroup;
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
    groups.back() = by_field ? number : summary_.GroupIndex(fields, name);
  }
  if (whole) {
    const bool done = DoneWithin(plan_.record_memory, [&] {
      BatchScorer scorer(scorers_, options_);
      AddUnanswered(*gold_, unanswered, all_groups, scorer, summary_,
                    [&](std::span<const std::uint32_t> entries) {
                      AddPresence(scorer.PathPresence(), paths_);
                      if (output_ == nullptr) return;
                      std::string lines;
                      writer_.AppendUnanswered(source, by_field ? name : "", *gold_, entries, scorer, lines);
                      ResultRows results;
                      AppendResults(scorer, results);
                      WriteLines(lines, CountAsked(results));
                      pieces_.EndBatch(gathers_);
                      Append();
                    });
    });
    if (!done) ThrowOverBudget("scoring an id that nobody answered takes", plan_.record_memory);
    return;
  }
  for (std::size_t s = 0; s < layout_.scorers(); ++s) {
    const RecordScore score{.outcome = Outcome::kUnanswered, .reason = RejectReason::kNoAnswer};
    for (std::size_t i = 0; i < unanswered.size(); ++i) {
      summary_.Add(s, score, std::span(all_groups).subspan(i * width, width), {},
                   {unanswered[i] + std::uint64_t{1}, gold_->id(unanswered[i])});
    }
  }
}

void FileRun::RunPipeline() {
  const auto take = [this](ScoredBatch& scored) { return Take(scored); };
  const auto read = Parallel([this](ScoredBatch& scored) { ReadRange(scored); });
  const auto number = InOrder([this](ScoredBatch& scored) { Number(scored); });
  const auto score = Parallel([this](ScoredBatch& scored) { Score(scored); });
  const auto write = InOrder([this](ScoredBatch& scored) { Write(scored); });
  const auto append = InOrder([this](ScoredBatch&) { Append(); });
  const auto count = Parallel([this](ScoredBatch& scored) { Count(scored); });
  if (!scorers_.asks()) {
    RunOrderedPipeline<ScoredBatch>(plan_.threads, take, read, number, score, write, append, count);
    return;
  }
  RunOrderedPipeline<ScoredBatch>({plan_.threads, kAskedBatches}, take, read, number,
                                  Parallel([this](ScoredBatch& scored) { Ask(scored); }),
                                  InOrder([this](ScoredBatch& scored) { WaitForAnswers(scored); }), score,
                                  write, append, count);
}

RunResult FileRun::Run() {
  // How much of them a shard will read is not known.
  if (options_.progress != nullptr && !options_.shard) {
    options_.progress->total_bytes = reader_.total_bytes().value_or(0);
  }
  // What comes through a pipe may stop coming, and what was scored of it is written by then.
  gathers_ = output_ != nullptr && output_->beside() && reader_.total_bytes() && !scorers_.asks_others();
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
        RunPipeline();
      } while (waits_ && !failure_ && !range_error_ && !append_failure_);
      FlushOutput();
      if (range_error_) input_error_ = range_error_;
    }
    if (failure_) throw Error(*failure_);
    const bool whole = !input_error_ && (options_.stop == nullptr || !options_.stop->load());
    while (whole && join_ && !join_->ended()) EndSource(/*whole=*/true);
  });
  attempt([&] { FlushOutput(); });
  if (run_error) workers_.clear();  // what is left to do needs memory, too
  attempt([&] {
    while (join_ && !join_->ended()) EndSource(/*whole=*/false);
    if (!gold_) seen_ids_.End(*summary_.repeated_ids());
    for (const auto& counted : counted_) {
      if (counted != nullptr) summary_.AddPart(*counted);
    }
  });
  if (join_) summary_.join() = join_->summary();
  for (std::size_t f = kFirstGroupField; f < presence_.found.size(); ++f) {
    summary_.lacking().push_back(presence_.records - presence_.found[f]);
  }
  if (offload_ != nullptr) {
    const DeviceReport device = offload_->Report();
    if (!device.device.empty() || !device.warning.empty()) summary_.device() = device;
  }
  if (options_.judges != nullptr && scorers_.asks()) summary_.judges() = options_.judges->Report();
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

RunResult RunFiles(const ScorerSet& scorers, const FileOptions& options, PairOffload* offload) {
  return FileRun(scorers, options, offload).Run();
}

RunResult RunMerge(const ScorerSet& scorers, const FileOptions& options, ShardMerge& merge,
                   std::uint64_t memory_bytes) {
  return FileRun(scorers, options, nullptr, &merge, memory_bytes).Run();
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
