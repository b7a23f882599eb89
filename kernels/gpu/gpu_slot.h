// kernels/gpu/gpu_slot.h: memory for one batch on its way to a GPU and back: host memory for the strings of
// many callers, memory of the GPU, and a stream. A caller with several slots fills one while others run. Owns
// its memory. THREADS: one at a time, but different parts of the columns may be written at once.
#ifndef LEAFSCORE_KERNELS_GPU_GPU_SLOT_H_
#define LEAFSCORE_KERNELS_GPU_GPU_SLOT_H_

#include <cstddef>
#include <cstdint>

#include "kernels/gpu/gpu_device.h"

namespace leafscore::internal::gpu {

// The capacity of a slot: pairs, and the bytes of each of its two columns, including padding.
struct SlotCapacity {
  std::uint32_t pairs = 0;
  std::uint32_t column_bytes = 0;
};

// Returns the capacity of a slot that uses at most `bytes` of the GPU's memory.
SlotCapacity CapacityWithin(std::size_t bytes) noexcept;

class GpuSlot {
 public:
  // Allocates the memory; see ready(). REQUIRES: device outlives this; no other slot uses the stream.
  GpuSlot(GpuDevice& device, int stream, SlotCapacity capacity) noexcept;
  ~GpuSlot();
  GpuSlot(const GpuSlot&) = delete;
  GpuSlot& operator=(const GpuSlot&) = delete;

  // Returns whether it got its memory. If not, call nothing else.
  bool ready() const { return device_memory_ != nullptr && host_memory_ != nullptr; }
  SlotCapacity capacity() const { return capacity_; }

  // The columns to write, laid out like a StringColumn: strings from byte kStringPadding on, pairs + 1
  // offsets.
  std::uint8_t* left_bytes() const { return host_.left_bytes; }
  std::uint8_t* right_bytes() const { return host_.right_bytes; }
  std::uint32_t* left_offsets() const { return host_.left_offsets; }
  std::uint32_t* right_offsets() const { return host_.right_offsets; }

  // Computes the first `pairs` pairs of the columns, and waits for the result.
  // REQUIRES: left_offsets()[pairs] + kStringPadding <= capacity().column_bytes, and the same on the right.
  // RETURNS: whether it succeeded. If not, do not use the device again.
  bool Run(std::uint32_t pairs, std::uint64_t max_cells) noexcept;

  // After Run: the distance of each pair; kLeftToHost for a pair with more than max_cells cells.
  const std::uint32_t* distance() const { return host_.distance; }

 private:
  struct Arrays {
    std::uint8_t* left_bytes = nullptr;
    std::uint8_t* right_bytes = nullptr;
    std::uint32_t* left_offsets = nullptr;
    std::uint32_t* right_offsets = nullptr;
    std::uint32_t* distance = nullptr;

    Arrays() = default;
    Arrays(ScratchArena& arena, SlotCapacity capacity);
  };
  // Returns the bytes that the device needs for a slot.
  static std::size_t DeviceBytes(SlotCapacity capacity);
  friend SlotCapacity CapacityWithin(std::size_t bytes) noexcept;

  GpuDevice& device_;
  int stream_;
  SlotCapacity capacity_;
  std::byte* host_memory_ = nullptr;
  std::byte* device_memory_ = nullptr;
  Arrays host_;
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_GPU_SLOT_H_
