// engine/run/shard_file.h: the file that a shard of a run writes. It has the parts of a journal
// (run_journal.h): a head, which identifies the run, and entries. Thus a merge can pass the entries of all
// shards to one chain of sinks, as a resumed run does with the entries of its journal. Unlike in a journal,
// each entry also contains its output lines, and a last part says how the shard ended. In these lines, marks
// stand for the numbers of records (number_marks.h). A shard that was killed resumes from its own partial
// file. THREADS: no state.
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

// The facts about the run that the merge needs.
struct ShardedRun {
  Shard shard;
  std::string config;   // ScorerSet::config
  FileOptions options;  // options that determine the output; `output` gives only the format
};
std::string PackShardedRun(const ShardedRun& run);
// RETURNS: nullopt for data that PackShardedRun did not write.
std::optional<ShardedRun> UnpackShardedRun(std::string_view bytes);

// Returns the facts that must be the same for all shards of a run, beginning with FactsOf; the last fact says
// which shard it is.
std::vector<RunFact> ShardFactsOf(const Manifest& begun, const FileOptions& options,
                                  std::span<const std::uint64_t> file_bytes);

// How much of an input a shard has read.
struct InputRead {
  std::uint64_t file_bytes = 0;
  std::uint64_t first_byte = 0;
  std::uint64_t bytes = 0;  // from first_byte on
  std::string checksum;     // checksum of these bytes
  std::uint64_t decoded_bytes = 0;
};

// How a shard ended.
struct ShardEnd {
  std::uint64_t position = 0;  // position of the last part in the file
  std::uint64_t records = 0;
  std::uint64_t rejected = 0;
  std::vector<InputRead> inputs;
};

// Returns the last part of a shard's file, once its reader is done. `position` is where this part will be in
// the file.
std::string EndPart(const RecordReader& reader, const RunTotals& totals, std::uint64_t position);

// Returns how a shard ended, or nullopt if it is incomplete. ERRORS: Error(kInput) if it cannot be read.
std::optional<ShardEnd> ReadShardEnd(JournalReader& shard);

// Returns how a shard with these facts ended, or nullopt if its file does not exist, is incomplete, or has
// other facts or inputs. ERRORS: Error(kInput) if the file cannot be read; Error(kInterrupted) if
// *options.stop becomes true.
std::optional<ShardEnd> FindFinishedShard(const std::string& path, const std::vector<RunFact>& facts,
                                          const FileOptions& options);

// ERRORS: Error(kUsage) for an impossible shard, such as 9 of 8.
void CheckShard(const Shard& shard);

// RETURNS: for example "shard 2 of 8".
std::string NameOf(const Shard& shard);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SHARD_FILE_H_
