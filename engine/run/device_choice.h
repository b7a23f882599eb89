// engine/run/device_choice.h: chooses the device that computes the edit distances of a run.
#ifndef LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_
#define LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_

#include <cstdint>
#include <memory>
#include <string_view>

#include "engine/distance/pair_offload.h"

namespace leafscore::internal {

// Returns whether OpenDevice may need host memory for a device of this name, where pairs wait for it.
bool MayOpenDevice(std::string_view name);

// Opens the device of that name: "cpu" for none; "auto", a GPU for what it does sooner than the CPU, where
// there is one; "cuda" or "cuda:N", NVIDIA GPU 0 or N for all that it has room for.
// RETURNS: null for none. A GPU that was asked for by name and cannot be had is an offload that takes nothing
//          and warns. It takes at most so many bytes of the GPU, and as many of the host. The run has so
//          many threads.
// ERRORS:  Error(kUsage) for another name.
std::unique_ptr<PairOffload> OpenDevice(std::string_view name, std::uint64_t gpu_memory_bytes,
                                        unsigned threads);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_DEVICE_CHOICE_H_
