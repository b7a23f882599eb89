#include "engine/threads/memory_plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "engine/base/limits.h"
#include "engine/io/record_reader.h"
#include "io/io_test_util.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;
constexpr std::size_t kDefaultBatch = kBatchBytes.default_value;

// What may be held at once, at most: see memory_plan.cc.
std::uint64_t Sum(const MemoryPlan& plan, bool has_gold) {
  const std::uint64_t reader = plan.live_bytes + 3 * plan.record_bytes + plan.window_bytes;
  const std::uint64_t batches = 2 * std::uint64_t{plan.threads} * 2 * plan.batch_memory;
  return reader + batches + plan.record_memory + plan.kept_memory + plan.staging_bytes +
         (has_gold ? plan.gold_memory : 42 * plan.seen_ids);
}

TEST(MemoryPlan, AllSharesTogetherStayWithinTheBudget) {
  for (const std::uint64_t budget : {128 * kMiB, 200 * kMiB, 1024 * kMiB, 12345678901 + kMiB, kMemory.max}) {
    for (const unsigned threads : {1u, 2u, 3u, 64u, 1024u}) {
      const MemoryPlan staged = PlanMemory(budget, threads, kDefaultBatch, /*stages=*/true);
      EXPECT_LE(Sum(staged, /*has_gold=*/false), budget) << threads;
      EXPECT_GE(staged.staging_bytes, 8 * kMiB);
      MemoryPlan plan = PlanMemory(budget, threads, kDefaultBatch);
      EXPECT_LE(Sum(plan, /*has_gold=*/false), budget) << threads;
      EXPECT_GE(plan.threads, 1u);
      EXPECT_LE(plan.threads, threads);
      TakeGold(plan.gold_memory, plan);
      EXPECT_LE(Sum(plan, /*has_gold=*/true), budget) << threads;
    }
  }
}

TEST(MemoryPlan, WhatDecidesOnARecordDoesNotDependOnThreadsOrBatches) {
  const MemoryPlan one = PlanMemory(128 * kMiB, 1, 1000);
  for (const unsigned threads : {2u, 7u, 1024u}) {
    const MemoryPlan many = PlanMemory(128 * kMiB, threads, kDefaultBatch);
    EXPECT_EQ(many.record_bytes, one.record_bytes);
    EXPECT_EQ(many.record_memory, one.record_memory);
    EXPECT_EQ(many.seen_ids, one.seen_ids);
    EXPECT_EQ(many.gold_memory, one.gold_memory);
    EXPECT_EQ(many.kept_memory, one.kept_memory);
    EXPECT_EQ(many.window_bytes, one.window_bytes);
    EXPECT_EQ(PlanMemory(128 * kMiB, threads, kDefaultBatch, true).record_memory, one.record_memory);
  }
}

TEST(MemoryPlan, WhatFitsABatchFitsAlone) {
  for (const unsigned threads : {1u, 2u, 64u}) {
    MemoryPlan plan = PlanMemory(128 * kMiB, threads, kDefaultBatch);
    EXPECT_GE(plan.record_memory, 8 * plan.batch_memory);
    TakeGold(plan.gold_memory, plan);
    EXPECT_GE(plan.record_memory, 8 * plan.batch_memory);
    EXPECT_GT(plan.batch_memory, 100'000u);
  }
}

TEST(MemoryPlan, BatchesOfLongTextsKeepWithinTheShareOfABatch) {
  for (const unsigned threads : {1u, 2u, 64u}) {
    const MemoryPlan plan = PlanMemory(128 * kMiB, threads, kDefaultBatch);
    EXPECT_GE(plan.text_batch_bytes, plan.batch_bytes);
    EXPECT_LE(plan.text_batch_bytes, plan.batch_memory / 48);
    EXPECT_EQ(PlanMemory(128 * kMiB, threads, 1000).text_batch_bytes, 3000u);
  }
}

TEST(MemoryPlan, AnOrdinaryMachineKeepsItsThreadsBatchesAndLines) {
  for (const unsigned threads : {1u, 2u, 8u, 16u}) {
    const MemoryPlan plan = PlanMemory(8192 * kMiB, threads, kDefaultBatch);
    EXPECT_EQ(plan.threads, threads);
    EXPECT_EQ(plan.batch_bytes, kDefaultBatch);
    EXPECT_EQ(plan.text_batch_bytes, threads < 16 ? 3 * kDefaultBatch : 2 * kDefaultBatch);
    EXPECT_GE(plan.record_bytes, kMaxLineBytes.default_value);
    EXPECT_EQ(plan.seen_ids, kMaxSeenIds.default_value);
  }
}

// As the message of a frame that was refused says.
TEST(MemoryPlan, TwoGibibytesAreEnoughForEveryWindow) {
  EXPECT_EQ(PlanMemory(2147483648, 2, kDefaultBatch).window_bytes, kMaxZstdWindow);
  EXPECT_EQ(PlanMemory(kMemory.min, 2, kDefaultBatch).window_bytes, 8 * kMiB);  // that of `zstd -19`
}

TEST(MemoryPlan, TheBudgetAtItsLimits) {
  EXPECT_EQ(MemoryBudget(kMemory.min), kMemory.min);
  EXPECT_EQ(MemoryBudget(kMemory.min + 1), kMemory.min + 1);
  EXPECT_EQ(MemoryBudget(kMemory.max), kMemory.max);
  EXPECT_THROW(MemoryBudget(kMemory.min - 1), Error);
  EXPECT_THROW(MemoryBudget(1), Error);
  EXPECT_THROW(MemoryBudget(kMemory.max + 1), Error);
  EXPECT_EQ(MemoryBudget(0), std::max(AvailableMemory() / 2, kMemory.min));
}

class CgroupMemoryTest : public ::testing::Test {
 protected:
  void Put(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ / path).parent_path());
    WriteFile(root_ / path, text);
  }
  std::uint64_t Limit(const std::string& membership) { return CgroupMemoryLimit(root_ / "", membership); }

  TempDir root_;
};

TEST_F(CgroupMemoryTest, Version2) {
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("memory.max", "max\n");
  EXPECT_EQ(Limit("0::/\n"), 0u);
  Put("memory.max", "536870912\n");
  EXPECT_EQ(Limit("0::/\n"), 536870912u);
  Put("a/b/memory.max", "1073741824\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 536870912u);
  Put("a/memory.max", "1000\n");
  EXPECT_EQ(Limit("0::/a/b\n"), 1000u);
  Put("memory.max", "nonsense\n");
  EXPECT_EQ(Limit("0::/\n"), 0u);
}

TEST_F(CgroupMemoryTest, Version1) {
  Put("memory/job/memory.limit_in_bytes", "2000\n");
  EXPECT_EQ(Limit("5:memory:/job\n3:cpu,cpuacct:/job\n"), 2000u);
  EXPECT_EQ(Limit("5:cpu:/job\n"), 0u);
}

}  // namespace
}  // namespace leafscore::internal
