// engine/run/output_files.h: the files that a run writes: its output with manifest and journal, or the file
// of a shard; and what an earlier run left of them, to go on with. A run without an output has none. THREADS:
// one.
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

  // Opens the files, or with options.resume those that an earlier run left. `begun` is what the manifest says
  // before the run. A merge has no journal. ERRORS: as OutputFile; Error(kUsage) for what cannot be gone on
  // with.
  void Open(const Manifest& begun, const RecordReader& reader, bool is_merge);

  OutputFile* output() { return output_.get(); }  // null: the run has none, or has nothing left to do
  JournalWriter* journal() { return journal_ ? &*journal_ : nullptr; }

  // The run that this one goes on with, or the shard that an earlier run has finished; null: there is none.
  ResumedRun* earlier() { return earlier_ ? &*earlier_ : nullptr; }
  const ShardEnd* finished_shard() const { return finished_shard_ ? &*finished_shard_ : nullptr; }

  // Goes on behind what the earlier run has written, as earlier() has read it to its end. A compressed output
  // is written anew.
  void GoOn();

  // Returns the partial files of other runs that were found and left alone. REQUIRES: nothing was committed.
  std::vector<std::string> leftovers() const;

  // Completes output and manifest, so that Commit has little left that can fail. ERRORS: Error(kOutput).
  void Complete(const Manifest& manifest);

  // Gives output and manifest their names, and removes the journal. ERRORS: Error(kOutput).
  void Commit();

  // Ends the file of a shard, and gives it its name. ERRORS: Error(kOutput).
  void CommitShard(const RecordReader& reader, const RunTotals& totals);

  // Keeps the `lines` that a run has written before it ended early, and the journal by which another can go
  // on.
  void Keep(std::uint64_t lines, RunResult& result);

 private:
  void OpenShard(const Manifest& begun, const RecordReader& reader);
  bool Reopen(const std::string& path, const std::vector<RunFact>& facts);
  void ReopenManifest(int number);

  const ScorerSet& scorers_;
  const FileOptions& options_;
  std::unique_ptr<OutputFile> output_;
  std::unique_ptr<OutputFile> manifest_;  // of an output that is a regular file
  bool has_old_manifest_ = false;         // it is that of the earlier run
  std::optional<ShardEnd> finished_shard_;
  std::optional<ResumedRun> earlier_;
  std::optional<JournalWriter> journal_;  // of an output that is a regular file
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_OUTPUT_FILES_H_
