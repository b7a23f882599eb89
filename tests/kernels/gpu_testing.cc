#include "tests/kernels/gpu_testing.h"

#include <gtest/gtest.h>

#include "kernels/gpu/emulated_device.h"
#include "tests/kernels/guarded_scratch.h"

namespace leafscore::internal::gpu {

std::vector<std::uint32_t> EmulatedDistances(const StringColumn& left, const StringColumn& right) {
  std::vector<std::uint32_t> distances(left.size, 0xA5A5A5A5u);
  GpuBatch batch;
  batch.left = left;
  batch.right = right;
  const std::uint32_t left_end = left.offsets[left.size];
  const std::uint32_t right_end = right.offsets[right.size];
  batch.distance = distances.data();
  const GuardedScratch scratch(GpuScratchBytes(left.size, left_end, right_end));
  ScratchArena arena(scratch.span().data());
  batch.TakeScratch(arena, left.size, left_end, right_end);
  EmulatedDevice device;
  EXPECT_TRUE(device.Launch(batch, 0));
  return distances;
}

}  // namespace leafscore::internal::gpu
