// kernels/gpu/gpu_device.h: a GPU as the rest of leafscore sees it: memory, copies and launches, in streams
// that run beside each other. Nothing throws; what fails says why in error().
// THREADS: any, with a stream each.
#ifndef LEAFSCORE_KERNELS_GPU_GPU_DEVICE_H_
#define LEAFSCORE_KERNELS_GPU_GPU_DEVICE_H_

#include <cstddef>
#include <string>

#include "kernels/gpu/gpu_batch.h"

namespace leafscore::internal::gpu {

inline constexpr int kStreams = 3;

class GpuDevice {
 public:
  GpuDevice() = default;
  GpuDevice(const GpuDevice&) = delete;
  GpuDevice& operator=(const GpuDevice&) = delete;
  virtual ~GpuDevice() = default;

  // Returns the vendor's name for it.
  virtual std::string name() const = 0;
  // Returns the bytes of its memory that are free, 0 when that cannot be found out.
  virtual std::size_t FreeBytes() noexcept = 0;

  // Each returns memory aligned to ScratchArena::kAlignment, null when there is none: the GPU's own, or the
  // host's, from which copies run at full speed.
  virtual void* Allocate(std::size_t bytes) noexcept = 0;
  virtual void* AllocateOnHost(std::size_t bytes) noexcept = 0;
  virtual void Free(void* memory) noexcept = 0;
  virtual void FreeOnHost(void* memory) noexcept = 0;

  // Each queues work behind what its stream has to do already. RETURNS: whether it could be queued.
  // REQUIRES: 0 <= stream < kStreams; memory that stays until Wait.
  virtual bool CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept = 0;
  virtual bool CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept = 0;
  // Sets the distances of a batch (see gpu_batch.h) whose columns, distances and scratch are the GPU's.
  virtual bool Launch(const GpuBatch& batch, int stream) noexcept = 0;

  // Waits for everything queued in the stream. RETURNS: whether it went well.
  virtual bool Wait(int stream) noexcept = 0;

  // Returns what failed first, in the vendor's words, or "".
  virtual std::string error() const = 0;
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_GPU_DEVICE_H_
