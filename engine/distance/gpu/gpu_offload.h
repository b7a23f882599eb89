// engine/distance/gpu/gpu_offload.h: lets a GPU compute some of the string pairs of a run. Pairs that arrive
// at about the same time share a launch: while the GPU works on one slot, batches fill the next. Each slot
// has a thread, which waits for the GPU. After the first failure the GPU gets no more pairs.
#ifndef LEAFSCORE_ENGINE_DISTANCE_GPU_GPU_OFFLOAD_H_
#define LEAFSCORE_ENGINE_DISTANCE_GPU_GPU_OFFLOAD_H_

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/distance/gpu/device_costs.h"
#include "engine/distance/pair_offload.h"
#include "kernels/gpu/gpu_device.h"
#include "kernels/gpu/gpu_slot.h"

namespace leafscore::internal {

// Which pairs go to the GPU, as far as it has room.
enum class OffloadPolicy {
  kWhenSooner,  // if their batch is then done sooner
  kAlways,
};

class GpuOffload final : public PairOffload {
 public:
  // Takes at most `memory_bytes` of the GPU's memory, and measures the costs if `policy` needs them. If this
  // fails, the offload takes no pairs and reports why.
  GpuOffload(std::unique_ptr<gpu::GpuDevice> device, std::uint64_t memory_bytes, OffloadPolicy policy);
  ~GpuOffload() override;

  std::unique_ptr<Handle> Take(const StringColumn& expected, const StringColumn& actual,
                               std::uint64_t max_cells) override;
  DeviceReport Report() const override;

 private:
  class GpuHandle;

  // A GpuSlot, and the state of the handles whose pairs are in it.
  struct SharedSlot {
    enum class State { kFilling, kRunning, kDone };

    SharedSlot(gpu::GpuDevice& device, int stream, gpu::SlotCapacity capacity)
        : slot(device, stream, capacity) {}

    bool HasRoom(const std::vector<std::uint32_t>& pairs, std::uint64_t left, std::uint64_t right) const;
    void Reset();

    gpu::GpuSlot slot;
    State state = State::kFilling;
    bool sealed = false;  // about to run: accepts no more pairs
    bool went_well = false;
    std::uint32_t pairs = 0;
    std::uint32_t left_end = kStringPadding;
    std::uint32_t right_end = kStringPadding;
    std::uint32_t writers = 0;  // threads that still copy strings into it
    std::uint32_t shares = 0;   // handles whose results were not collected yet
    double seconds = 0;         // expected time on the GPU
    std::thread thread;
  };

  bool Open(std::uint64_t memory_bytes);
  void Run(SharedSlot& shared);
  SharedSlot* FindRoom(const std::vector<std::uint32_t>& pairs, std::uint64_t left, std::uint64_t right);
  double Backlog() const;
  void Fail();

  std::unique_ptr<gpu::GpuDevice> device_;
  OffloadPolicy policy_;
  DeviceCosts costs_;
  std::vector<std::unique_ptr<SharedSlot>> slots_;

  mutable std::mutex mutex_;  // guards everything below, and the slots except their memory
  std::condition_variable changed_;
  bool stopping_ = false;
  bool failed_ = false;
  std::uint32_t running_ = 0;
  DeviceReport summary_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_DISTANCE_GPU_GPU_OFFLOAD_H_
