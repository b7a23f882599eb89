// leafscore/shards.h: merges the parts of a run that were scored each by itself (FileOptions::shard).
#ifndef LEAFSCORE_SHARDS_H_
#define LEAFSCORE_SHARDS_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "leafscore/export.h"
#include "leafscore/report.h"

namespace leafscore {

// The options of `leafscore merge`.
struct MergeOptions {
  std::vector<std::string> shards;  // the files of all shards of a run (ShardPath), in any order
  // As in FileOptions. Its format is that of the output which the shards were given, but for compression.
  std::string output = {};
  bool strict_gold = false;                               // as in FileOptions
  bool allow_absent_paths = false;                        // as in FileOptions, or as the shards were given it
  std::vector<std::string> interval_by = {};              // as in FileOptions
  std::uint64_t memory_bytes = 0;                         // as in FileOptions; 0: as the shards were given it
  std::function<void(const RunReport&)> before_end = {};  // as in FileOptions
  const std::atomic<bool>* stop = nullptr;                // becomes true to end early: Error(kInterrupted)
};

// Gives the output, the manifest and, but for its times, the report that ScoreFiles gives of all records at
// once. Nothing is scored again but the ids of a gold file that nobody answered. The inputs and the gold must
// be there, by the names that the shards were given, as they were then: the inputs are read once, for their
// checksums. COST: memory of a batch, and of what a report needs.
// ERRORS: Error(kUsage) for shards of different runs or programs, which says what differs, for one that is
//         missing and for one that is given twice; Error(kInput) for one that is damaged or not whole; and
//         those of ScoreFiles.
LEAFSCORE_EXPORT RunReport MergeShards(const MergeOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_SHARDS_H_
