// engine/threads/memory_plan.h: how the memory of a run over files is shared out, so that all of it together
// stays within a budget.
//
// What becomes of a record depends on it, the options and the budget only, never on what else is under way:
// batches are scored in parallel within a share each, and what does not fit there is scored by the serial
// sink, part by part and at last record by record, each alone, by a scorer of its own, within one fixed
// share. A record that needs more is rejected. The share of a batch is so much smaller that whatever fits it
// also fits the other one.
#ifndef LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
#define LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// All sizes are in bytes.
struct MemoryPlan {
  std::size_t record_bytes;   // a longer record is rejected without being held
  std::size_t window_bytes;   // of a zstd input, at most
  std::size_t live_bytes;     // the next batch is read when the long ones under way take no more
  std::size_t record_memory;  // for scoring a record alone, and its lines
  std::size_t batch_memory;   // likewise for a batch in parallel, and as much again for the thread's tables
  std::size_t batch_bytes;    // at most as the options have it
  std::size_t text_batch_bytes;  // likewise where most of it is long texts: up to three times as much
  std::uint64_t staging_bytes;   // for pairs on their way to a GPU and back
  std::size_t gold_memory;       // for gold, and what is kept of the answers to it
  std::size_t mapped_gold;       // of a gold file that is larger, so much is in memory beside that
  std::size_t kept_memory;       // for the figures of groups, and answers of which all count
  std::size_t seen_ids;          // that are remembered
  unsigned threads;              // at most as the options have it; two batches each are under way
};

// `stages`: there may be a GPU. REQUIRES: a budget within kMemory, threads from 1.
MemoryPlan PlanMemory(std::uint64_t budget, unsigned threads, std::size_t batch_bytes, bool stages = false);

// Takes what the gold has taken out of the shares for scoring. REQUIRES: at most plan.gold_memory.
void TakeGold(std::size_t gold, MemoryPlan& plan);

// What to do where memory runs out all the same.
inline constexpr char kMemoryAdvice[] =
    "give a lower --memory, --threads, --batch-bytes, --max-line-bytes or --max-details-bytes";

// ERRORS: always Error(kResources): `what_takes` is as "the gold takes".
[[noreturn]] void ThrowOverBudget(std::string_view what_takes, std::size_t share);

// Returns the budget of a run: `requested` or, when that is 0, half of what there is, and kMemory.min at
// least. ERRORS: Error(kUsage) for one out of its range.
std::uint64_t MemoryBudget(std::uint64_t requested);

// Returns the memory that this process may use: that of the machine, but no more than its cgroup (v2 or v1)
// allows.
std::uint64_t AvailableMemory();

// Returns the limit that a cgroup's files state (engine/threads/cgroup.h), or 0 for none.
std::uint64_t CgroupMemoryLimit(const std::string& root, const std::string& membership);

// Gives memory that was freed back to the system, as far as the heap can.
void ReturnFreedMemory();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_THREADS_MEMORY_PLAN_H_
