#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <exception>

#include "engine/io/write_file.h"
#include "engine/judge/judge_service.h"
#include "engine/run/file_options.h"
#include "engine/run/file_run.h"
#include "engine/run/path_presence.h"
#include "engine/run/run_manifest.h"

namespace leafscore::internal {
namespace {

// Checks what a run has to come to before its output may replace an earlier one.
void CheckSomethingScored(const RunSummary& summary) {
  if (summary.totals().records_read == 0) throw Error(ErrorCode::kInput, "the input holds no records");
  for (std::size_t s = 0; s < summary.scorer_names().size(); ++s) {
    if (summary.Overall(s).counts().scored != 0) return;
  }
  throw Error(ErrorCode::kInput,
              "not one record was scored; the output (or the table above) tells why, record by record");
}

}  // namespace

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
      output_ = OutputFile::Reopen(options_.output, left->head().output_number, options_.stop);
      resumed_.emplace(std::move(*left));
      if (output_->compressed() || resumed_->BeginsIn(output_->fd())) {
        CheckSameRun(resumed_->journal(), facts);
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
  CheckManifestPlace(options_.output);
  // Opened early, so that a long run does not end with a manifest that cannot be written.
  manifest_file_ = OutputFile::Open(ManifestPath(options_.output));
  // The journal of a compressed output takes more room than that, so it must be asked for.
  if (merge_ != nullptr || !can_read_again || (output_->compressed() && !options_.resume)) return;
  struct stat status {};
  const bool has_inode = fstat(output_->fd(), &status) == 0;
  journal_.emplace(path, JournalHead{.output_number = output_->partial_number(),
                                     .manifest_number = manifest_file_->partial_number(),
                                     .output_inode = has_inode ? status.st_ino : 0,
                                     .facts = facts,
                                     .writes_anew = output_->compressed()});
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
std::unique_ptr<OutputFile> FileRun::ReopenManifest(int number) {
  const std::string path = ManifestPath(options_.output);
  CheckManifestPlace(options_.output);
  if (!BeginsAsManifest(NumberedName(path + ".partial", number), /*or_part=*/true)) {
    return OutputFile::Open(path, options_.stop);
  }
  has_old_manifest_ = true;
  return OutputFile::Reopen(path, number, options_.stop);
}

// Whether a batch of the journal can be one of this run. Its checksum tells damage, but not what was made on
// purpose.
bool FileRun::Fits(const ScoredBatch& scored) const {
  const std::size_t records = scored.batch.records.size();
  const ResultRows& results = scored.results;
  return records != 0 && scored.batch.input < options_.inputs.size() &&
         results.scores.size() == records * layout_.scorers() &&
         results.fields.size() == records * layout_.fields() &&
         results.json_in_texts.size() == layout_.scorers() && results.voices.size() == layout_.scorers() &&
         scored.groups.size() == records * fields_.groups.size() &&
         scored.gold.size() == (gold_ ? records : 0) &&
         std::ranges::all_of(scored.gold, [&](std::uint32_t entry) {
           return entry == GoldTable::kNone || entry < gold_->size();
         });
}

// Checks that a batch of the journal is one of this run, and the same with the memory that it has.
// ERRORS: Error(kInput), Error(kUsage).
void FileRun::CheckFits(const ScoredBatch& scored) const {
  if (!Fits(scored)) {
    throw Error(ErrorCode::kInput, resumed_->journal().name() + " is not as leafscore wrote it: remove it");
  }
  if (!options_.shard) resumed_->CheckMemory(scored, options_.memory_bytes);
}

// Takes a batch that was scored elsewhere.
void FileRun::WriteAndCount(ScoredBatch& scored) {
  FindGroups(fields_.groups.size(), scored);
  Write(scored);
  Count(scored);
  FlushOutput();
  if (failure_) throw Error(*failure_);
}

// Hands the sink what an earlier run has scored. Until all of it is known to fit the inputs, nothing is
// touched.
void FileRun::Resume() {
  is_refused_ = true;
  are_written_ = !output_->compressed();
  const bool looks_at_output = are_written_ && !options_.shard;
  ScoredBatch scored;
  if (!are_written_) {  // which is written anew
    while (resumed_->Look(scored)) CheckFits(scored);
    resumed_->CheckInputs(options_.inputs, reader_, options_.stop);
    resumed_->GoBack();
    is_refused_ = false;
    output_->CutTo(0);
  }
  while (resumed_->Next(looks_at_output ? output_->fd() : -1, reader_, scored)) {
    CheckFits(scored);
    WriteAndCount(scored);
  }
  if (are_written_) resumed_->CheckInputs(options_.inputs, reader_, options_.stop);
  is_refused_ = false;
  if (has_old_manifest_) manifest_file_->CutTo(0);
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
  journal_.emplace(resumed_->journal(), WithoutLinks(options_.output));
}

// Hands the sink what the shards have scored.
void FileRun::Merge() {
  merge_->CheckInputs(options_.stop);
  ScoredBatch scored;
  const auto stopped = [&] { return options_.stop != nullptr && options_.stop->load(); };
  while (!stopped() && merge_->Next(scored)) {
    if (!Fits(scored)) merge_->ThrowDamaged();
    WriteAndCount(scored);
  }
}

// ERRORS: Error(kInput) for a field that no record has, and for a path in the options of a scorer that leads
//         nowhere in any expected value; all of the latter are in the summary then.
void FileRun::CheckFields(RunSummary& summary) {
  CheckFieldsAreThere(presence_, WantedFields(options_, needs_expected_), "no record");
  summary.interval_by() = options_.interval_by;
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
  const bool only_counts = options_.judges != nullptr && options_.judges->only_counts();
  if (!only_counts) CheckSomethingScored(result.summary);
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
  result.refused = is_refused_;
  if (output_ == nullptr || manifest_.lines == 0 || is_refused_) return;
  try {
    const std::string journal = journal_ ? journal_->Keep() : std::string();
    // A journal may have the lines of an output that is compressed.
    result.partial_output = output_->KeepPartial(resumed_ || !journal.empty());
    result.journal = options_.shard ? result.partial_output
                     : journal_     ? journal
                     : resumed_     ? resumed_->journal().name()
                                    : "";
    if (!journal.empty() && !journal_->is_whole() && !scorers_.asks_others()) {
      result.error =
          Error(result.error->code(),
                fmt::format("{}; the journal {} could not be written to its end, so --resume scores "
                            "again what it lacks",
                            result.error->what(), journal));
    }
  } catch (const std::exception&) {
    // There is no memory for names: the error that there is already says enough.
  }
}

void FileRun::EndTotals(RunResult& result) const {
  result.summary.totals().bytes = merge_ != nullptr ? merge_->decoded_bytes() : reader_.decoded_bytes();
  result.summary.totals().wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (times_) result.stages = times_->Report(ProcessSeconds() - start_seconds_);
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

}  // namespace leafscore::internal
