// engine/threads/memory_plan.h: divides the memory of a run over files, so that all of it stays within a
// budget.
//
// The result for a record depends only on the record, the options and the budget, never on other work in
// progress. Batches are scored in parallel, each within its share. A batch that does not fit is scored by the
// serial sink: part by part and, if need be, record by record, each record alone, with a scorer of its own,
// within one fixed share. A record that needs more is rejected. The share of a batch is so much smaller that
// every record that fits it also fits the sink's share.
#ifndef LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
#define LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// All sizes are in bytes.
struct MemoryPlan {
  std::size_t record_bytes;  // a longer record is rejected without being kept in memory
  std::size_t window_bytes;  // the largest window of a zstd input
  std::size_t live_bytes;  // the next batch is read once the long batches in progress take no more than this
  std::size_t record_memory;     // to score a record alone, with its lines
  std::size_t batch_memory;      // to score a batch in parallel; as much again for the thread's tables
  std::size_t batch_bytes;       // at most the value in the options
  std::size_t text_batch_bytes;  // for batches that are mostly long texts: up to three times batch_bytes
  std::uint64_t staging_bytes;   // for pairs on their way to a GPU and back
  std::size_t gold_memory;       // for gold and its answers
  std::size_t mapped_gold;       // the part of a larger gold file that is in memory beside it
  std::size_t kept_memory;       // for figures of groups, and for answers that all count
  std::size_t seen_ids;          // how many ids are remembered
  unsigned threads;              // at most the value in the options; each has two batches in progress
};

// `stages`: there may be a GPU. REQUIRES: a budget within kMemory; at least one thread.
MemoryPlan PlanMemory(std::uint64_t budget, unsigned threads, std::size_t batch_bytes, bool stages = false);

// Reduces the shares for scoring by the memory that the gold uses. REQUIRES: at most plan.gold_memory.
void TakeGold(std::size_t gold, MemoryPlan& plan);

// Advice if memory runs out anyway.
inline constexpr char kMemoryAdvice[] =
    "give a lower --memory, --threads, --batch-bytes, --max-line-bytes or --max-details-bytes";

// ERRORS: always Error(kResources); `what_takes` is for example "the gold takes".
[[noreturn]] void ThrowOverBudget(std::string_view what_takes, std::size_t share);

// Returns the budget of a run: `requested` or, if that is 0, half of the available memory, but at least
// kMemory.min. ERRORS: Error(kUsage) if it is out of range.
std::uint64_t MemoryBudget(std::uint64_t requested);

// Returns the memory that this process may use: the machine's, but no more than its cgroup (v2 or v1) allows.
std::uint64_t AvailableMemory();

// Returns the limit in a cgroup's files (engine/threads/cgroup.h), or 0 if there is no limit.
std::uint64_t CgroupMemoryLimit(const std::string& root, const std::string& membership);

// Returns freed memory to the system, as far as the heap can.
void ReturnFreedMemory();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
