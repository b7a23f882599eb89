#include "kernels/gpu/gpu_slot.h"

#include <algorithm>
#include <limits>

namespace leafscore::internal::gpu {
namespace {

// Bytes of a column for each pair: few, because a GPU is used for many pairs of short strings.
constexpr std::size_t kColumnBytesPerPair = 32;

}  // namespace

GpuSlot::Arrays::Arrays(ScratchArena& arena, SlotCapacity capacity)
    : left_bytes(arena.Take<std::uint8_t>(capacity.column_bytes)),
      right_bytes(arena.Take<std::uint8_t>(capacity.column_bytes)),
      left_offsets(arena.Take<std::uint32_t>(std::size_t{capacity.pairs} + 1)),
      right_offsets(arena.Take<std::uint32_t>(std::size_t{capacity.pairs} + 1)),
      distance(arena.Take<std::uint32_t>(capacity.pairs)) {}

std::size_t GpuSlot::DeviceBytes(SlotCapacity capacity) {
  ScratchArena counting(nullptr);
  Arrays(counting, capacity);
  return counting.used() + GpuScratchBytes(capacity.pairs, capacity.column_bytes, capacity.column_bytes);
}

SlotCapacity CapacityWithin(std::size_t bytes) noexcept {
  // The arrays for a pair and its share of the columns are proportional to the number of pairs; the rest is
  // small.
  constexpr SlotCapacity kSample{.pairs = 1 << 20, .column_bytes = (1 << 20) * kColumnBytesPerPair};
  const std::size_t fixed = GpuSlot::DeviceBytes({});
  const std::size_t each = (GpuSlot::DeviceBytes(kSample) - fixed) / kSample.pairs + 1;
  constexpr std::size_t kMostPairs = std::numeric_limits<std::uint32_t>::max() / kColumnBytesPerPair / 2;
  const std::size_t pairs = bytes <= fixed ? 0 : std::min((bytes - fixed) / each, kMostPairs);
  return {.pairs = static_cast<std::uint32_t>(pairs),
          .column_bytes = static_cast<std::uint32_t>(pairs * kColumnBytesPerPair)};
}

GpuSlot::GpuSlot(GpuDevice& device, int stream, SlotCapacity capacity) noexcept
    : device_(device), stream_(stream), capacity_(capacity) {
  ScratchArena counting(nullptr);
  Arrays(counting, capacity);
  host_memory_ = static_cast<std::byte*>(device.AllocateOnHost(counting.used()));
  if (host_memory_ == nullptr) return;
  device_memory_ = static_cast<std::byte*>(device.Allocate(DeviceBytes(capacity)));
  ScratchArena arena(host_memory_);
  host_ = Arrays(arena, capacity);
}

GpuSlot::~GpuSlot() {
  device_.Free(device_memory_);
  device_.FreeOnHost(host_memory_);
}

bool GpuSlot::Run(std::uint32_t pairs, std::uint64_t max_cells) noexcept {
  ScratchArena arena(device_memory_);
  const Arrays device(arena, capacity_);
  GpuBatch batch;
  batch.left = {device.left_bytes, device.left_offsets, pairs};
  batch.right = {device.right_bytes, device.right_offsets, pairs};
  batch.max_cells = max_cells;
  batch.distance = device.distance;
  const std::uint32_t left_end = host_.left_offsets[pairs];
  const std::uint32_t right_end = host_.right_offsets[pairs];
  batch.TakeScratch(arena, pairs, left_end, right_end);

  const std::size_t offsets_bytes = (std::size_t{pairs} + 1) * sizeof(std::uint32_t);
  // The padding is copied, too, so that kernels never read bytes that were not written.
  return device_.CopyIn(device.left_bytes, host_.left_bytes, left_end + kStringPadding, stream_) &&
         device_.CopyIn(device.right_bytes, host_.right_bytes, right_end + kStringPadding, stream_) &&
         device_.CopyIn(device.left_offsets, host_.left_offsets, offsets_bytes, stream_) &&
         device_.CopyIn(device.right_offsets, host_.right_offsets, offsets_bytes, stream_) &&
         device_.Launch(batch, stream_) &&
         device_.CopyOut(host_.distance, device.distance, pairs * sizeof(std::uint32_t), stream_) &&
         device_.Wait(stream_);
}

}  // namespace leafscore::internal::gpu
