// leafscore/shards.h: merges the parts of a run that were scored separately (FileOptions::shard), perhaps on
// several machines.
//
//   leafscore::MergeOptions merge;
//   for (const std::uint32_t index : {1u, 2u}) {
//     leafscore::FileOptions options;
//     options.inputs = {"pairs.jsonl"};
//     options.output = "scores.jsonl";
//     options.shard = leafscore::Shard{.index = index, .count = 2};
//     leafscore::ScoreFiles(leafscore::Plan({"json_similarity"}), options);
//     merge.shards.push_back(leafscore::ShardPath(options.output, *options.shard));
//   }
//   merge.output = "scores.jsonl";
//   const leafscore::RunReport report = leafscore::MergeShards(merge);
//   assert(report.scorers[0].figures.asked == 3);
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
  // As in FileOptions. The format must be the same as in FileOptions::output of the shards; only the
  // compression may differ.
  std::string output = {};
  bool strict_gold = false;                   // as in FileOptions
  bool allow_absent_paths = false;            // as in FileOptions; also true if the shards have it
  std::vector<std::string> interval_by = {};  // as in FileOptions
  std::uint64_t memory_bytes = 0;             // as in FileOptions; 0: as given to the shards
  std::function<void(const RunReport&)> before_end = {};  // as in FileOptions
  const std::atomic<bool>* stop = nullptr;                // set to true to end early: Error(kInterrupted)
};

// Makes the same output, manifest and report that ScoreFiles would make from all records at once, except for
// times. Only ids of the gold without an answer are scored here.
// REQUIRES: the inputs and the gold are unchanged, under the names that the shards were given. The inputs are
//           read once, for their checksums.
// ERRORS:   as ScoreFiles; also Error(kUsage) for an output in another format, for shards of different runs
//           or programs (the message says what differs), for a missing shard and for a shard given twice, and
//           Error(kInput) for a changed input and for a damaged or incomplete shard.
// COST:     the memory of a batch, and the memory that a report needs.
LEAFSCORE_EXPORT RunReport MergeShards(const MergeOptions& options);

}  // namespace leafscore

#endif  // LEAFSCORE_SHARDS_H_
