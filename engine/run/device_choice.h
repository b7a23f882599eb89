// engine/run/device_choice.h: chooses the device that computes the edit distances of a run.
#ifndef LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_
#define LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/distance/pair_offload.h"

namespace leafscore::internal {

// Returns whether OpenDevice may open a device for this name. The pairs that wait for a device take host
// memory.
bool MayOpenDevice(std::string_view name);

// Opens the device of this name. "cpu" is no device. "auto" is a GPU, if there is one; it gets the pairs that
// it finishes sooner than `threads` threads of the CPU. "cuda" or "cuda:N" is NVIDIA GPU 0 or N; it gets all
// pairs that it has room for. A GPU uses at most `gpu_memory_bytes` of its own memory, and at most the same
// amount of host memory.
// RETURNS: null for no device. If a GPU was named and cannot be used, an offload that takes no pairs and
// reports a warning.
// ERRORS: Error(kUsage) for another name.
std::unique_ptr<PairOffload> OpenDevice(std::string_view name, std::uint64_t gpu_memory_bytes,
                                        unsigned threads);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_
