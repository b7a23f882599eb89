// engine/run/shard_merge.h: reads the finished shards of one run, batch by batch in the order of the inputs,
// and fills in the record numbers, which depend on all shards. It holds one batch, and one open file, at a
// time.
// THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_SHARD_MERGE_H_
#define LEAFSCORE_ENGINE_RUN_SHARD_MERGE_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/io/input_share.h"
#include "engine/run/resumed_run.h"
#include "engine/run/run_journal.h"
#include "engine/run/scored_batch.h"
#include "engine/run/shard_file.h"

namespace leafscore::internal {

class ShardMerge {
 public:
  // Opens the shards of a run, given in any order.
  // ERRORS: Error(kInput) for a file that is not a shard or is incomplete; Error(kUsage) for a missing or
  // repeated shard, and for shards of different runs, whose difference the message names.
  explicit ShardMerge(const std::vector<std::string>& paths);

  // Return the configuration of the run's scorers, and the options of the run, without an output.
  const std::string& config() const { return run_.config; }
  const FileOptions& options() const { return run_.options; }

  // Checks that these facts about the run (FactsOf) still hold. ERRORS: Error(kUsage).
  void CheckSameNow(std::span<const RunFact> now) const;

  // Reads the inputs once. Checks that they are what the shards have read, and computes their checksums.
  // ERRORS: Error(kInput) for a changed input, and for a shard file assembled from different shards;
  // Error(kInterrupted) if *stop, which may be null, becomes true.
  void CheckInputs(const std::atomic<bool>* stop);

  // Returns the checksum of an input. REQUIRES: CheckInputs was called.
  const BlockChecksum& checksum(std::size_t input) const { return checksums_[input]; }

  // Returns the decompressed bytes of all inputs.
  std::uint64_t decoded_bytes() const;

  // Reads the next batch. RETURNS: false at the end. REQUIRES: CheckInputs was called.
  // ERRORS: Error(kInput) if a shard file is damaged, or assembled from different shards.
  bool Next(ScoredBatch& scored);

  // Throws Error(kInput): the shard that was read last is not as leafscore wrote it.
  [[noreturn]] void ThrowDamaged() const;

 private:
  struct Part {
    std::string path;
    Shard shard;
    ShardEnd end;
    std::vector<InputShare> shares;  // the part of each input that the shard had to read
    std::uint64_t position = 0;      // where its next entry is
    BatchPlace next;
    std::uint64_t records = 0;  // records read
    bool done() const { return position == end.position; }
  };

  void Open(Part& part);
  void FindNext(Part& part);
  void AddPart(const std::string& path);
  void CheckInput(std::size_t input, const std::atomic<bool>* stop);
  std::vector<const Part*> ReadersOf(std::size_t input, std::uint64_t size) const;
  void CheckShares(std::size_t input);
  static bool IsOf(const Part& part, const BatchPlace& place);
  [[noreturn]] static void ThrowMixed(const Part& part);

  ShardedRun run_;
  std::vector<RunFact> facts_;
  std::vector<Part> parts_;  // indexed by shard number
  std::vector<BlockChecksum> checksums_;
  std::optional<JournalReader> open_;
  std::string open_path_;
  std::vector<std::uint64_t> records_in_input_;
  std::uint64_t records_ = 0;
  std::optional<BatchPlace> last_;  // place of the batch that was read last
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SHARD_MERGE_H_
