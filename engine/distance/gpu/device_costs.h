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
  double staged_byte = 0;  // to copy a byte to the staging memory, on the CPU
  double launch = 0;
  double gpu_byte = 0;  // to copy a byte to the GPU, and to read it there once
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

// Splits a batch so that it is done soonest, if the GPU already has `backlog` seconds of queued work. The
// pairs of the returned octave and of all higher octaves should go to the GPU, because the GPU is better at
// cells than at bytes. Returns kCount if all pairs should stay on the CPU.
std::uint32_t FirstOctaveForGpu(const PairOctaves& pairs, const DeviceCosts& costs, double backlog);

// Returns the seconds that the GPU needs for these bytes and cells, without the launch.
double GpuSeconds(const DeviceCosts& costs, std::uint64_t bytes, std::uint64_t cells);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_GPU_DEVICE_COSTS_H_
