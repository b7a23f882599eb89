// kernels/gpu/gpu_device.h: the interface of a GPU: memory, copies and launches, in streams that run in
// parallel. Nothing throws; after a failure, error() says why.
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

  // Returns the vendor's name for the GPU.
  virtual std::string name() const = 0;
  // Returns the free bytes of its memory; 0 if unknown.
  virtual std::size_t FreeBytes() noexcept = 0;

  // Each returns memory aligned to ScratchArena::kAlignment, or null if it cannot be allocated. Allocate
  // returns memory of the GPU. AllocateOnHost returns memory of the host; copies between it and the GPU run
  // at full speed.
  virtual void* Allocate(std::size_t bytes) noexcept = 0;
  virtual void* AllocateOnHost(std::size_t bytes) noexcept = 0;
  virtual void Free(void* memory) noexcept = 0;
  virtual void FreeOnHost(void* memory) noexcept = 0;

  // Each queues work in a stream, after the work already queued. RETURNS: whether it could be queued.
  // REQUIRES: 0 <= stream < kStreams; memory that is valid until Wait.
  virtual bool CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept = 0;
  virtual bool CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept = 0;
  // Sets the distances of a batch (see gpu_batch.h). Its columns, distances and scratch are in the GPU's
  // memory.
  virtual bool Launch(const GpuBatch& batch, int stream) noexcept = 0;

  // Waits for all work queued in the stream. RETURNS: whether it succeeded.
  virtual bool Wait(int stream) noexcept = 0;

  // Returns the first failure, in the vendor's words, or "".
  virtual std::string error() const = 0;
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_GPU_DEVICE_H_
