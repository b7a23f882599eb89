#include "engine/distance/gpu/device_costs.h"

#include <gtest/gtest.h>

#include "kernels/gpu/emulated_device.h"

namespace leafscore::internal {
namespace {

constexpr DeviceCosts kCosts{.cpu_pair = 10e-9,
                             .cpu_cell = 15e-12,
                             .staged_byte = 0.1e-9,
                             .launch = 50e-6,
                             .gpu_byte = 0.05e-9,
                             .gpu_cell = 0.15e-12};

// Pairs of two strings of `size` characters.
void AddPairs(std::uint64_t count, std::uint64_t size, PairOctaves& pairs) {
  for (std::uint64_t i = 0; i < count; ++i) pairs.Add(2 * size, size * size);
}

TEST(FirstOctaveForGpuTest, KeepsOnTheCpuWhatALaunchWouldTakeLongerFor) {
  PairOctaves pairs;
  EXPECT_EQ(FirstOctaveForGpu(pairs, kCosts, 0), PairOctaves::kCount);
  AddPairs(1000, 16, pairs);  // about 14 us on the CPU
  EXPECT_EQ(FirstOctaveForGpu(pairs, kCosts, 0), PairOctaves::kCount);
}

TEST(FirstOctaveForGpuTest, GivesLongPairsAwayAndKeepsShortOnes) {
  PairOctaves pairs;
  AddPairs(1000, 16, pairs);
  AddPairs(200, 1024, pairs);  // about 3 ms on the CPU, 80 us on the GPU
  EXPECT_EQ(FirstOctaveForGpu(pairs, kCosts, 0), PairOctaves::OctaveOf(1024 * 1024));
}

TEST(FirstOctaveForGpuTest, SharesWhatTakesBothLong) {
  PairOctaves pairs;
  AddPairs(400, 512, pairs);    // about 1.6 ms on the CPU, 16 us on the GPU
  AddPairs(4000, 2048, pairs);  // about 250 ms on the CPU, 2.5 ms on the GPU
  EXPECT_EQ(FirstOctaveForGpu(pairs, kCosts, 0), PairOctaves::OctaveOf(2048 * 2048));
}

TEST(FirstOctaveForGpuTest, GivesNothingToABusyGpu) {
  PairOctaves pairs;
  AddPairs(200, 1024, pairs);
  EXPECT_NE(FirstOctaveForGpu(pairs, kCosts, 1e-3), PairOctaves::kCount);
  EXPECT_EQ(FirstOctaveForGpu(pairs, kCosts, 10e-3), PairOctaves::kCount);
}

TEST(PairOctavesTest, CountsByTheHighestBitOfTheCells) {
  EXPECT_EQ(PairOctaves::OctaveOf(0), 0u);
  EXPECT_EQ(PairOctaves::OctaveOf(1), 0u);
  EXPECT_EQ(PairOctaves::OctaveOf(2), 1u);
  EXPECT_EQ(PairOctaves::OctaveOf(3), 1u);
  EXPECT_EQ(PairOctaves::OctaveOf(~0ull), 63u);
  PairOctaves pairs;
  pairs.Add(10, 24);
  pairs.Add(11, 30);
  EXPECT_EQ(pairs.octaves[4].pairs, 2u);
  EXPECT_EQ(pairs.octaves[4].bytes, 21u);
  EXPECT_EQ(pairs.octaves[4].cells, 54u);
}

TEST(MeasureCostsTest, FindsEveryCostOrSaysThatItFailed) {
  gpu::EmulatedDevice device;
  gpu::GpuSlot slot(device, 0, gpu::CapacityWithin(1 << 20));
  ASSERT_TRUE(slot.ready());
  DeviceCosts costs;
  ASSERT_TRUE(MeasureCosts(slot, costs));
  for (const double cost :
       {costs.cpu_pair, costs.cpu_cell, costs.staged_byte, costs.launch, costs.gpu_byte, costs.gpu_cell}) {
    EXPECT_GT(cost, 0);
    EXPECT_LT(cost, 1);
  }

  gpu::EmulatedDevice failing(5);  // two allocations, then copies
  gpu::GpuSlot failing_slot(failing, 0, gpu::CapacityWithin(1 << 20));
  ASSERT_TRUE(failing_slot.ready());
  EXPECT_FALSE(MeasureCosts(failing_slot, costs));
}

}  // namespace
}  // namespace leafscore::internal
