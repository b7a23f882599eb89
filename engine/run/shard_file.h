// engine/run/shard_file.h: the file that a shard of a run writes. It has the parts of a journal
// (run_journal.h), whose entries hold the lines, too; the head says what run it is of, and a last part how it
// ended. So a merge hands the entries of all shards to one sink, as going on with a run does with those of
// its journal, and a shard that was killed goes on with its own partial file. In the lines marks stand for
// the numbers of records (number_marks.h). THREADS: no state.
#ifndef LEAFSCORE_ENGINE_RUN_SHARD_FILE_H_
#define LEAFSCORE_ENGINE_RUN_SHARD_FILE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/record_reader.h"
#include "engine/run/run_journal.h"
#include "engine/run/scorer_set.h"
#include "engine/scores/manifest.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// What the merge needs to know of the run.
struct ShardedRun {
  Shard shard;
  std::string config;   // of the scorers (ScorerSet::config)
  FileOptions options;  // that say what the output is; of `output` only the format counts
};
std::string PackShardedRun(const ShardedRun& run);
// RETURNS: nothing for what PackShardedRun did not write.
std::optional<ShardedRun> UnpackShardedRun(std::string_view bytes);

// Returns what must be the same for all shards of a run, which begins with FactsOf, and at the end which
// shard it is.
std::vector<RunFact> ShardFactsOf(const Manifest& begun, const FileOptions& options,
                                  std::span<const std::uint64_t> file_bytes);

// What a shard has read of an input.
struct InputRead {
  std::uint64_t file_bytes = 0;
  std::uint64_t first_byte = 0;
  std::uint64_t bytes = 0;  // from there on
  std::string checksum;     // of these
  std::uint64_t decoded_bytes = 0;
};

// How a shard ended.
struct ShardEnd {
  std::uint64_t position = 0;  // of the last part in the file
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  std::vector<InputRead> inputs;
};

// Returns the end of the file of a shard whose reader is done. `position` is where the end will be.
std::string EndPart(const RecordReader& reader, const RunTotals& totals, std::uint64_t position);

// Returns how a shard ended, or nothing where it is not whole. ERRORS: Error(kInput) when it cannot be read.
std::optional<ShardEnd> ReadShardEnd(JournalReader& shard);

// Returns how a shard of these facts ended, or nothing where its file is not there, or not whole, or of other
// facts or inputs. ERRORS: Error(kInput) when it cannot be read; Error(kInterrupted) when *stop becomes true.
std::optional<ShardEnd> FindFinishedShard(const std::string& path, const std::vector<RunFact>& facts,
                                          const FileOptions& options);

// ERRORS: Error(kUsage) for a shard that cannot be, as 9 of 8.
void CheckShard(const Shard& shard);

// "shard 2 of 8".
std::string NameOf(const Shard& shard);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SHARD_FILE_H_
