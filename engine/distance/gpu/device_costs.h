// engine/distance/gpu/device_costs.h: what pairs cost on the CPU and on the GPU, and how to split a batch's
// pairs so that both finish at the same time.
#ifndef LEAFSCORE_ENGINE_DISTANCE_GPU_DEVICE_COSTS_H_
#define LEAFSCORE_ENGINE_DISTANCE_GPU_DEVICE_COSTS_H_

#include <array>
#include <cstdint>

#include "kernels/gpu/gpu_slot.h"

namespace leafscore::internal {

// All in seconds.
struct DeviceCosts {
  double cpu_pair = 0;
  double cpu_cell = 0;
  double staged_byte = 0;  // a CPU copies it to the staging memory
  double launch = 0;
  double gpu_byte = 0;  // copied to the GPU, and read there once
  double gpu_cell = 0;
};

// Measures the CPU and the GPU, which takes some milliseconds.
// REQUIRES: a slot that is ready and not in use.
// RETURNS: whether the measurement succeeded.
bool MeasureCosts(gpu::GpuSlot& slot, DeviceCosts& costs);

// The pairs of a batch, grouped by the octave of their cells (MostCells).
struct PairOctaves {
  static constexpr std::uint32_t kCount = 64;

  struct Octave {
    std::uint64_t pairs = 0;
    std::uint64_t bytes = 0;
    std::uint64_t cells = 0;
  };
  std::array<Octave, kCount> octaves = {};

  static std::uint32_t OctaveOf(std::uint64_t cells);
  void Add(std::uint64_t bytes, std::uint64_t cells);
};

// Returns the octave from which on pairs should go to a GPU with `backlog` seconds of queued work, so that
// the batch is done soonest; kCount to leave all pairs to the CPU. The longest pairs go first: the GPU is
// better at cells than at bytes.
std::uint32_t FirstOctaveForGpu(const PairOctaves& pairs, const DeviceCosts& costs, double backlog);

// Returns the seconds that the GPU needs for these bytes and cells, without the launch.
double GpuSeconds(const DeviceCosts& costs, std::uint64_t bytes, std::uint64_t cells);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_GPU_DEVICE_COSTS_H_
