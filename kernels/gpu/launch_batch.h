// kernels/gpu/launch_batch.h: the launches of a batch, in order; the same on a GPU and emulated.
#ifndef LEAFSCORE_KERNELS_GPU_LAUNCH_BATCH_H_
#define LEAFSCORE_KERNELS_GPU_LAUNCH_BATCH_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/gpu/gpu_batch.h"
#include "kernels/gpu/plan_pairs.h"

namespace leafscore::internal::gpu {

// Computes the distances of a batch.
// REQUIRES: the batch has its scratch arrays; the launcher's threads can read and write the memory. Launcher
// has these functions, each returning false after a failure: Clear(array, count), which zeroes it;
// ForEach(count, f), which calls f(0..count - 1); RunClass<kClass>(batch), which runs RunPair on every plan
// of the class.
template <typename Launcher>
bool LaunchBatch(const GpuBatch& batch, Launcher& launcher) {
  const auto pairs = static_cast<std::uint32_t>(batch.left.size);
  return launcher.Clear(batch.key_begin, kKeyCount) && launcher.ForEach(pairs, PlanPair{batch}) &&
         launcher.ForEach(kClassCount, SizeClass{batch}) &&
         launcher.ForEach(kClassCount, PlaceClass{batch}) &&
         launcher.ForEach(pairs,
                          OrderPair{batch})&& [&]<std::size_t... kClass>(std::index_sequence<kClass...>) {
    return (launcher.template RunClass<kClass>(batch) && ...);
  }
  (std::make_index_sequence<kClassCount>());
}

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_LAUNCH_BATCH_H_
