// engine/threads/memory_plan.h: gives each part of a run over files a share of the memory, so that the whole
// run stays within a budget.
//
// The result for a record depends only on the record, the options and the budget, never on other work in
// progress. Batches are scored in parallel, each within its share. A batch that does not fit into its share
// is scored by the serial sink, part by part. If a part does not fit, either, its records are scored one at a
// time, each with a scorer of its own and within the same fixed share. A record that needs more is rejected.
// The share of a batch is much smaller than the share of the sink, so every record that fits into a batch's
// share also fits into the sink's.
#ifndef LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
#define LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// All sizes are in bytes.
struct MemoryPlan {
  std::size_t record_bytes;      // a longer record is rejected without being kept in memory
  std::size_t window_bytes;      // the largest window of a zstd input
  std::size_t live_bytes;        // while the long batches in progress take more, no further batch is read
  std::size_t record_memory;     // to score a record alone, with its lines
  std::size_t batch_memory;      // to score a batch in parallel; the thread's tables get as much again
  std::size_t batch_bytes;       // at most the value in the options
  std::size_t text_batch_bytes;  // up to three times batch_bytes, for batches that are mostly long texts
  std::uint64_t staging_bytes;   // for pairs on their way to a GPU and for their results
  std::size_t gold_memory;       // for the gold and its answers
  std::size_t mapped_gold;       // beside it, for the part of a larger, mapped gold file that is in memory
  std::size_t kept_memory;       // for figures of groups, and for answers with Repeats::kAll
  std::size_t seen_ids;          // how many ids are remembered
  unsigned threads;              // at most the value in the options; each has two batches in progress
};

// `stages` says whether there may be a GPU. REQUIRES: a budget within the range of kMemory; at least one
// thread.
MemoryPlan PlanMemory(std::uint64_t budget, unsigned threads, std::size_t batch_bytes, bool stages = false);

// Accounts for the memory that the gold uses. Two sixteenths of the budget are set aside for it. If it needs
// less, kept_memory gets the rest; if it needs more, the shares for scoring are reduced.
// REQUIRES: gold <= plan.gold_memory.
void TakeGold(std::size_t gold, MemoryPlan& plan);

// The advice to the user if memory runs out all the same.
inline constexpr char kMemoryAdvice[] =
    "give a lower --memory, --threads, --batch-bytes, --max-line-bytes or --max-details-bytes";

// ERRORS: always Error(kResources); `what_takes` is for example "the gold takes".
[[noreturn]] void ThrowOverBudget(std::string_view what_takes, std::size_t share);

// Returns the budget of a run: `requested` or, if that is 0, half of the available memory, within the range
// of kMemory. ERRORS: Error(kUsage) if `requested` is out of this range.
std::uint64_t MemoryBudget(std::uint64_t requested);

// Returns the memory that this process may use: the memory of the machine, or less if the cgroup (v2 or v1)
// of the process allows less.
std::uint64_t AvailableMemory();

// Returns the limit in a cgroup's files (engine/threads/cgroup.h), or 0 if there is no limit.
std::uint64_t CgroupMemoryLimit(const std::string& root, const std::string& membership);

// Gives freed memory back to the system, as far as the heap can.
void ReturnFreedMemory();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
