// kernels/gpu/cuda_device.h: NVIDIA GPUs. Only builds with the CUDA Toolkit have it.
#ifndef LEAFSCORE_KERNELS_GPU_CUDA_DEVICE_H_
#define LEAFSCORE_KERNELS_GPU_CUDA_DEVICE_H_

#include <memory>
#include <string>

#include "kernels/gpu/gpu_device.h"

namespace leafscore::internal::gpu {

// Opens GPU `ordinal` (0 is the first) of compute capability 8.0 or higher.
// RETURNS: the device; or null, with the reason in `error`.
std::unique_ptr<GpuDevice> OpenCudaDevice(int ordinal, std::string& error);

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_CUDA_DEVICE_H_
