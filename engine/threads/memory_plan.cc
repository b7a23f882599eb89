#include "engine/threads/memory_plan.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "engine/base/limits.h"
#include "engine/threads/cgroup.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

// The shares, in sixteenths of the budget. All may be in use at once: 4 for records that are read and for
// long batches in progress; 1 for the window of a zstd input; 3 for batches that are scored in parallel and
// for the threads' tables (one of these is for pairs that are sent to a GPU, if a GPU may be used); 5 for the
// record in the sink; 1 for the figures of groups; 2 for the gold or the ids seen. If the gold needs more
// than 2, the sink gets less.
constexpr std::size_t kSixteenths = 16;
constexpr std::size_t kBatchSixteenths = 3;
constexpr std::size_t kRecordSixteenths = 5;
constexpr std::size_t kFreeGoldSixteenths = 2;
constexpr std::size_t kMostGoldSixteenths = 6;

// A record gets at least this many times the memory of a batch. A record that fits into a batch, where the
// tables have already grown, must also fit with a new scorer, whose tables have to grow again.
constexpr std::size_t kBatchesInRecord = 8;

// A batch with less memory than kLeastBatchMemory is not worth a thread. A batch of ordinary records takes at
// most kBatchFactor times the size of its input.
constexpr std::size_t kLeastBatchMemory = 6 << 20;
constexpr std::size_t kBatchFactor = 48;
constexpr std::size_t kLeastBatchBytes = 4 << 10;

// Batches of long texts are this many times larger, so that their pairs fill the lanes of the kernels. A
// batch of four times the size would count as one with a long record.
constexpr std::size_t kTextBatches = 3;

constexpr std::size_t kBytesOfSeenId = 42;  // while the table grows

std::uint64_t Smaller(std::uint64_t a, std::uint64_t b) { return a == 0 ? b : b == 0 ? a : std::min(a, b); }

void LimitBatches(MemoryPlan& plan) {
  plan.batch_memory = std::min(plan.batch_memory, plan.record_memory / kBatchesInRecord);
  const std::size_t most = std::max(plan.batch_memory / kBatchFactor, kLeastBatchBytes);
  plan.batch_bytes = std::min(plan.batch_bytes, most);
  plan.text_batch_bytes = std::min(plan.text_batch_bytes, most);
}

}  // namespace

MemoryPlan PlanMemory(std::uint64_t budget, unsigned threads, std::size_t batch_bytes, bool stages) {
  const std::size_t part = budget / kSixteenths;
  const std::size_t staging = stages ? part : 0;
  const std::size_t for_batches =
      (kBatchSixteenths * part - staging) / 2;  // the other half is for the tables
  const std::size_t most_threads = std::max<std::size_t>(for_batches / (2 * kLeastBatchMemory), 1);
  MemoryPlan plan{};
  plan.threads = static_cast<unsigned>(std::min<std::size_t>(threads, most_threads));
  plan.record_bytes = part;
  plan.window_bytes = part;
  plan.live_bytes = part;
  plan.staging_bytes = staging;
  plan.record_memory = kRecordSixteenths * part;
  plan.batch_memory = for_batches / (2 * std::size_t{plan.threads});
  plan.batch_bytes = batch_bytes;
  plan.text_batch_bytes = kTextBatches * batch_bytes;
  plan.gold_memory = kMostGoldSixteenths * part;
  plan.mapped_gold = part;
  plan.kept_memory = part;
  plan.seen_ids = std::min<std::size_t>(kMaxSeenIds.default_value, part / kBytesOfSeenId);
  LimitBatches(plan);
  return plan;
}

void TakeGold(std::size_t gold, MemoryPlan& plan) {
  const std::size_t free = plan.gold_memory / kMostGoldSixteenths * kFreeGoldSixteenths;
  plan.kept_memory += gold < free ? free - gold : 0;
  plan.record_memory -= gold > free ? gold - free : 0;
  LimitBatches(plan);
}

void ThrowOverBudget(std::string_view what_takes, std::size_t share) {
  throw Error(ErrorCode::kResources,
              fmt::format("{} more than its share of --memory, {} bytes; give more", what_takes, share));
}

std::uint64_t MemoryBudget(std::uint64_t requested) {
  if (requested != 0) {
    CheckLimit(kMemory, requested);
    return requested;
  }
  return std::clamp(AvailableMemory() / 2, kMemory.min, kMemory.max);
}

std::uint64_t AvailableMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  const std::uint64_t machine =
      pages > 0 && page_bytes > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes)
                                  : 0;
  return Smaller(machine, CgroupMemoryLimit("/sys/fs/cgroup", ReadSystemFile("/proc/self/cgroup")));
}

std::uint64_t CgroupMemoryLimit(const std::string& root, const std::string& membership) {
  std::uint64_t limit = 0;
  for (const Cgroup& group : CgroupsOf(root, membership, "memory")) {
    const std::string text =
        ReadSystemFile(group.folder + (group.version2 ? "/memory.max" : "/memory.limit_in_bytes"));
    std::uint64_t bytes = 0;  // "max" is also 0
    std::from_chars(text.data(), text.data() + text.size(), bytes);
    limit = Smaller(limit, bytes);
  }
  return limit;
}

void ReturnFreedMemory() { malloc_trim(0); }

}  // namespace leafscore::internal
