#include "tests/kernels/gpu_testing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "kernels/gpu/emulated_device.h"

namespace leafscore::gpu {

std::vector<std::uint32_t> EmulatedDistances(const StringColumn& left, const StringColumn& right,
                                             std::uint64_t max_cells) {
  std::vector<std::uint32_t> distances(left.size, 0xA5A5A5A5u);
  GpuBatch batch;
  batch.left = left;
  batch.right = right;
  batch.left_end = left.offsets[left.size];
  batch.right_end = right.offsets[right.size];
  batch.max_cells = max_cells;
  batch.distance = distances.data();
  const std::size_t scratch_bytes = GpuScratchBytes(left.size, batch.left_end, batch.right_end);
  constexpr std::size_t kAlignment = ScratchArena::kAlignment;
  const std::size_t allocated = scratch_bytes + kAlignment;
  const std::unique_ptr<std::byte, decltype(&std::free)> scratch(
      static_cast<std::byte*>(std::aligned_alloc(kAlignment, allocated)), &std::free);
  std::fill_n(scratch.get(), allocated, std::byte{0xA5});
  ScratchArena arena(scratch.get());
  batch.TakeScratch(arena, left.size, batch.left_end, batch.right_end);
  EmulatedDevice device;
  EXPECT_TRUE(device.Launch(batch, 0));
  EXPECT_TRUE(std::all_of(scratch.get() + scratch_bytes, scratch.get() + allocated, [](std::byte byte) {
    return byte == std::byte{0xA5};
  })) << "wrote beyond the scratch";
  return distances;
}

}  // namespace leafscore::gpu
