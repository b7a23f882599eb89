#include "engine/run/output_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "engine/io/write_file.h"
#include "engine/run/file_options.h"
#include "engine/run/run_manifest.h"

namespace leafscore::internal {

void OutputFiles::Open(const Manifest& begun, const RecordReader& reader, bool is_merge) {
  if (options_.shard) return OpenShard(begun, reader);
  if (options_.output.empty()) return;
  // A pipe cannot be read again, so a run with a pipe as input has no journal.
  const bool can_read_again =
      reader.total_bytes() && std::ranges::find(options_.inputs, "-") == options_.inputs.end();
  if (options_.resume && !can_read_again) {
    throw Error(ErrorCode::kUsage, "--resume reads the inputs again, so they must be named files");
  }
  const std::vector<RunFact> facts = FactsOf(begun, options_);
  const std::string path = WithoutLinks(options_.output);
  if (options_.resume && Reopen(path, facts)) return;
  output_ = OutputFile::Open(options_.output, options_.stop);
  if (!output_->beside()) return;
  CheckManifestPlace(options_.output);
  // Open it early, so that a long run does not end with a manifest that cannot be written.
  manifest_ = OutputFile::Open(ManifestPath(options_.output));
  // The journal of a compressed output is larger than the output, so it is written only with --resume.
  if (is_merge || !can_read_again || (output_->compressed() && !options_.resume)) return;
  struct stat status {};
  const bool has_inode = fstat(output_->fd(), &status) == 0;
  journal_.emplace(path, JournalHead{.output_number = output_->partial_number(),
                                     .manifest_number = manifest_->partial_number(),
                                     .output_inode = has_inode ? status.st_ino : 0,
                                     .facts = facts,
                                     .writes_anew = output_->compressed()});
}

// Opens the output that an earlier run left at `path`. RETURNS: false if there is nothing to resume.
bool OutputFiles::Reopen(const std::string& path, const std::vector<RunFact>& facts) {
  std::optional<JournalReader> left = JournalReader::Find(path);
  if (!left) return false;
  output_ = OutputFile::Reopen(options_.output, left->head().output_number, options_.stop);
  earlier_.emplace(std::move(*left));
  if (output_->compressed() || earlier_->BeginsIn(output_->fd())) {
    CheckSameRun(earlier_->journal(), facts);
    ReopenManifest(earlier_->journal().head().manifest_number);
    return true;
  }
  // The lines were lost in a power cut, or this is another file: leave its content alone.
  earlier_.reset();
  output_.reset();
  return false;
}

// Opens the manifest file of the earlier run, which is empty unless that run was about to end. If there is no
// such file, opens a new one.
void OutputFiles::ReopenManifest(int number) {
  const std::string path = ManifestPath(options_.output);
  CheckManifestPlace(options_.output);
  has_old_manifest_ = BeginsAsManifest(NumberedName(path + ".partial", number), /*or_part=*/true);
  manifest_ = has_old_manifest_ ? OutputFile::Reopen(path, number, options_.stop)
                                : OutputFile::Open(path, options_.stop);
}

// Opens the file of a shard, which an earlier run may have begun.
void OutputFiles::OpenShard(const Manifest& begun, const RecordReader& reader) {
  const std::vector<RunFact> facts = ShardFactsOf(begun, options_, reader.file_bytes());
  const std::string path = ShardPath(options_.output, *options_.shard);
  if (options_.resume) {
    finished_shard_ = FindFinishedShard(path, facts, options_);
    if (finished_shard_) return;
    if (std::optional<JournalReader> left = JournalReader::FindShard(WithoutLinks(path))) {
      CheckSameRun(*left, facts);
      output_ = OutputFile::Reopen(path, left->head().output_number, options_.stop);
      earlier_.emplace(std::move(*left));
      return;
    }
  }
  output_ = OutputFile::Open(path, options_.stop);
  if (!output_->beside()) {
    throw Error(ErrorCode::kUsage, path + " is not a regular file: name another output for the shards");
  }
  JournalReader::RemoveUselessShards(WithoutLinks(path));
  output_->Write(HeadPart({.output_number = output_->partial_number(),
                           .facts = facts,
                           .shard = PackShardedRun({*options_.shard, scorers_.config(), options_})}));
}

void OutputFiles::GoOn() {
  if (has_old_manifest_) manifest_->CutTo(0);
  if (options_.shard) return output_->CutTo(earlier_->journal().position());
  if (!output_->compressed()) output_->CutTo(earlier_->written().bytes());
  journal_.emplace(earlier_->journal(), WithoutLinks(options_.output));
}

std::vector<std::string> OutputFiles::leftovers() const {
  std::vector<std::string> names;
  if (journal_) names = journal_->leftovers();
  for (const OutputFile* const file : {output_.get(), manifest_.get()}) {
    if (file != nullptr) std::ranges::move(file->leftovers(), std::back_inserter(names));
  }
  return names;
}

void OutputFiles::Complete(const Manifest& manifest) {
  if (output_ != nullptr) {
    if (options_.trailer) output_->Write(ManifestTrailer(manifest));
    output_->Complete();
  }
  if (manifest_ == nullptr) return;
  manifest_->Write(ManifestJson(manifest));
  manifest_->Complete();
}

// The manifest gets its name first, so no output appears without its manifest. The output gets its name last,
// when little can fail. Between the two renames, an older output has a manifest that does not fit it.
void OutputFiles::Commit() {
  if (output_ == nullptr) return;
  if (manifest_ != nullptr) manifest_->Commit();
  output_->Commit();
  journal_.reset();
}

void OutputFiles::CommitShard(const RecordReader& reader, const RunTotals& totals) {
  const auto position = static_cast<std::uint64_t>(lseek(output_->fd(), 0, SEEK_CUR));
  output_->Write(EndPart(reader, totals, position));
  output_->Commit();
}

void OutputFiles::Keep(std::uint64_t lines, RunResult& result) {
  if (output_ == nullptr || lines == 0 || result.refused) return;
  try {
    const std::string journal = journal_ ? journal_->Keep() : std::string();
    // The journal of a compressed output may contain the lines, so the output stays beside it even if empty.
    const bool has_journal = earlier_ || !journal.empty();
    result.partial_output =
        output_->KeepPartial(has_journal ? OutputFile::IfEmpty::kKeep : OutputFile::IfEmpty::kRemove);
    result.journal = options_.shard ? result.partial_output
                     : journal_     ? journal
                     : earlier_     ? earlier_->journal().name()
                                    : "";
    if (!journal.empty() && !journal_->is_whole() && !scorers_.asks_others()) {
      result.error = Error(
          result.error->code(),
          fmt::format("{}; the journal {} could not be completed, so --resume scores the missing part again",
                      result.error->what(), journal));
    }
  } catch (const std::exception&) {
    // There is no memory for names; the error itself says enough.
  }
}

}  // namespace leafscore::internal
