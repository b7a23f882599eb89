// kernels/gpu/emulated_device.h: a GPU emulated on the CPU: its memory is the host's, and a launch does the
// work of its threads one by one. With it, tests can run the GPU's code without a GPU, and see what happens
// when a call fails.
#ifndef LEAFSCORE_KERNELS_GPU_EMULATED_DEVICE_H_
#define LEAFSCORE_KERNELS_GPU_EMULATED_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <limits>

#include "kernels/gpu/gpu_device.h"

namespace leafscore::internal::gpu {

class EmulatedDevice final : public GpuDevice {
 public:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  // From call number `failing_call` on (0 is the first call), all calls that can fail do fail. Calls of Free
  // and FreeOnHost are not counted.
  explicit EmulatedDevice(std::uint32_t failing_call = kNever) : failing_call_(failing_call) {}

  std::string name() const override { return "emulated"; }
  std::size_t FreeBytes() noexcept override;
  void* Allocate(std::size_t bytes) noexcept override;
  void* AllocateOnHost(std::size_t bytes) noexcept override;
  void Free(void* memory) noexcept override;
  void FreeOnHost(void* memory) noexcept override;
  bool CopyIn(void* device, const void* host, std::size_t bytes, int stream) noexcept override;
  bool CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept override;
  bool Launch(const GpuBatch& batch, int stream) noexcept override;
  bool Wait(int stream) noexcept override;
  std::string error() const override;

  std::uint32_t calls() const { return calls_; }

 private:
  bool CallSucceeds() { return calls_++ < failing_call_; }

  std::uint32_t failing_call_;
  std::atomic<std::uint32_t> calls_ = 0;
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_EMULATED_DEVICE_H_
