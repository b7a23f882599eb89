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
// REQUIRES: the batch has taken its scratch arrays; the launcher's threads can read and write its memory.
//           Launcher has the following functions, which return false after a failure: Clear(array, count),
//           which zeroes it; ForEach(count, f), which calls f(0..count - 1); RunClass<kClass>(batch), which
//           runs RunPair on every plan of the class; BeginClasses() and EndClasses(), between which classes
//           may run side by side.
template <typename Launcher>
bool LaunchBatch(const GpuBatch& batch, Launcher& launcher) {
  const auto pairs = static_cast<std::uint32_t>(batch.left.size);
  // The longest patterns run first, whatever their symbols, because they take longest.
  const auto run_classes = [&]<std::size_t... i>(std::index_sequence<i...>) {
    constexpr std::size_t kSymbolSizes = kClassCount / kShapeCount;
    return (launcher.template RunClass<(i % kSymbolSizes) * kShapeCount + kStripShape - i / kSymbolSizes>(
                batch) &&
            ...);
  };
  return launcher.Clear(batch.key_begin, kKeyCount) && launcher.ForEach(pairs, PlanPair{batch}) &&
         launcher.ForEach(kRunCount, SizeRun{batch}) && launcher.ForEach(kRunCount, PlaceRun{batch}) &&
         launcher.ForEach(pairs, OrderPair{batch}) && launcher.BeginClasses() &&
         run_classes(std::make_index_sequence<kClassCount>()) && launcher.EndClasses();
}

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_LAUNCH_BATCH_H_
