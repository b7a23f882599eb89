#include "kernels/gpu/emulated_device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/gpu/launch_batch.h"
#include "kernels/gpu/pair_group.h"
#include "kernels/scratch.h"

namespace leafscore::internal::gpu {
namespace {

// The only group of its warp. Its lanes run one after another.
template <std::uint32_t kClass>
class EmulatedGroup {
 public:
  using LaneOfClass = typename ClassKernel<kClass>::LaneOfClass;

  template <typename Function>
  void ForEachLane(const Function& function) {
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) function(lanes_[lane], lane);
  }
  void PassPackets() {
    for (std::uint32_t lane = kLanes - 1; lane > 0; --lane) lanes_[lane].packet = lanes_[lane - 1].packet;
  }
  std::uint32_t Longest(std::uint32_t steps) const { return steps; }
  template <typename T>
  T OfLastLane(T value) const {
    return value;  // the last lane was the last to set it
  }
  void Fence() const {}

 private:
  static constexpr std::uint32_t kLanes = ClassKernel<kClass>::kShape.lanes;
  LaneOfClass lanes_[kLanes];
};

struct EmulatedLauncher {
  bool Clear(std::uint32_t* array, std::size_t count) const {
    std::fill_n(array, count, 0u);
    return true;
  }

  template <typename Function>
  bool ForEach(std::uint32_t count, const Function& function) const {
    for (std::uint32_t i = 0; i < count; ++i) function(i);
    return true;
  }

  bool BeginClasses() const { return true; }
  bool EndClasses() const { return true; }

  template <std::uint32_t kClass>
  bool RunClass(const GpuBatch& batch) const {
    for (std::uint32_t i = batch.class_begin[kClass]; i < batch.class_begin[kClass + 1]; ++i) {
      const std::uint32_t pair = batch.order[i];
      RunPair<kClass, EmulatedGroup<kClass>>(batch.plans[pair], batch.PacketsOf(pair), batch.distance + pair);
    }
    return true;
  }
};

}  // namespace

std::size_t EmulatedDevice::FreeBytes() noexcept { return CallSucceeds() ? std::size_t{1} << 30 : 0; }

void* EmulatedDevice::Allocate(std::size_t bytes) noexcept {
  if (!CallSucceeds()) return nullptr;
  constexpr std::size_t kAlignment = ScratchArena::kAlignment;
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

void* EmulatedDevice::AllocateOnHost(std::size_t bytes) noexcept { return Allocate(bytes); }
void EmulatedDevice::Free(void* memory) noexcept { std::free(memory); }
void EmulatedDevice::FreeOnHost(void* memory) noexcept { std::free(memory); }

bool EmulatedDevice::CopyIn(void* device, const void* host, std::size_t bytes, int /*stream*/) noexcept {
  if (!CallSucceeds()) return false;
  std::memcpy(device, host, bytes);
  return true;
}

bool EmulatedDevice::CopyOut(void* host, const void* device, std::size_t bytes, int stream) noexcept {
  return CopyIn(host, device, bytes, stream);
}

bool EmulatedDevice::Launch(const GpuBatch& batch, int /*stream*/) noexcept {
  EmulatedLauncher launcher;
  return CallSucceeds() && LaunchBatch(batch, launcher);
}

bool EmulatedDevice::Wait(int /*stream*/) noexcept { return CallSucceeds(); }

std::string EmulatedDevice::error() const { return calls_ > failing_call_ ? "the emulated failure" : ""; }

}  // namespace leafscore::internal::gpu
