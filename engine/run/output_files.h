// engine/run/output_files.h: the files that a run writes: its output with manifest and journal, or the file
// of a shard. To resume an earlier run, it opens the files that this earlier run left. A run without an
// output has no files.
// THREADS: one.
#ifndef LEAFSCORE_ENGINE_RUN_OUTPUT_FILES_H_
#define LEAFSCORE_ENGINE_RUN_OUTPUT_FILES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/output_file.h"
#include "engine/io/record_reader.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_files.h"
#include "engine/run/run_journal.h"
#include "engine/run/scorer_set.h"
#include "engine/run/shard_file.h"
#include "engine/scores/manifest.h"
#include "leafscore/files.h"

namespace leafscore::internal {

class OutputFiles {
 public:
  // REQUIRES: both outlive this.
  OutputFiles(const ScorerSet& scorers, const FileOptions& options) : scorers_(scorers), options_(options) {}

  // Opens new files or, with options.resume, the files that an earlier run left, if there are any. `begun` is
  // the manifest before the run. A merge has no journal. ERRORS: as OutputFile; Error(kUsage) if the earlier
  // run cannot be resumed.
  void Open(const Manifest& begun, const RecordReader& reader, bool is_merge);

  OutputFile* output() { return output_.get(); }  // null if there is no output, or nothing left to do
  JournalWriter* journal() { return journal_ ? &*journal_ : nullptr; }

  // Return the run that this one resumes, and the end of the shard if an earlier run has finished the shard;
  // null if there is no such run.
  ResumedRun* earlier() { return earlier_ ? &*earlier_ : nullptr; }
  const ShardEnd* finished_shard() const { return finished_shard_ ? &*finished_shard_ : nullptr; }

  // Continues after the output of the earlier run. Call it once earlier() has been read to its end. A
  // compressed output is written anew.
  void GoOn();

  // Returns the partial files of other runs that were found and left alone. REQUIRES: nothing was committed.
  std::vector<std::string> leftovers() const;

  // Completes output and manifest, so that little can fail in Commit. ERRORS: Error(kOutput).
  void Complete(const Manifest& manifest);

  // Gives output and manifest their names, and removes the journal. ERRORS: Error(kOutput).
  void Commit();

  // Removes the journal, so that no later run tries to resume this one.
  void ForgetJournal() { journal_.reset(); }

  // Completes the file of a shard, and gives it its name. ERRORS: Error(kOutput).
  void CommitShard(const RecordReader& reader, const RunTotals& totals);

  // Keeps the `lines` lines that a run wrote before it ended early, and the journal for resuming it.
  void Keep(std::uint64_t lines, RunResult& result);

 private:
  void OpenShard(const Manifest& begun, const RecordReader& reader);
  bool Reopen(const std::string& path, const std::vector<RunFact>& facts);
  void ReopenManifest(int number);

  const ScorerSet& scorers_;
  const FileOptions& options_;
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<OutputFile> manifest_;  // if the output is a regular file
  bool has_old_manifest_ = false;         // manifest_ is the file of the earlier run
  std::optional<ShardEnd> finished_shard_;
  std::optional<ResumedRun> earlier_;
  std::optional<JournalWriter> journal_;  // if the output is a regular file
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_OUTPUT_FILES_H_
