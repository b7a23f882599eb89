// bench/gpu_pairs.h: pairs of two columns on the CPU and on a GPU, for gpu_check. Whatever fails ends the
// program with exit status 1, after saying what.
#ifndef LEAFSCORE_BENCH_GPU_PAIRS_H_
#define LEAFSCORE_BENCH_GPU_PAIRS_H_

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "engine/distance/kernel_memory.h"
#include "kernels/gpu/gpu_slot.h"
#include "kernels/levenshtein.h"

namespace leafscore::internal::gpu {

inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// Ends the program with what the GPU says of a failure.
[[noreturn]] inline void Fail(const GpuDevice& device, const char* what) {
  std::printf("gpu_check: %s failed: %s\n", what, device.error().c_str());
  std::exit(1);
}

// Two columns, and pairs [begin, end) of them.
struct Part {
  StringColumn left, right;
  std::size_t begin, end;

  std::size_t size() const { return end - begin; }
  Part Of(std::size_t first, std::size_t last) const { return {left, right, begin + first, begin + last}; }
};

inline Part All(const StringColumnBuilder& left, const StringColumnBuilder& right) {
  return {left.column(), right.column(), 0, left.column().size};
}

inline StringColumn Slice(const StringColumn& column, std::size_t begin, std::size_t end) {
  return {column.bytes, column.offsets + begin, end - begin};
}

inline std::uint32_t BytesOf(const StringColumn& column, std::size_t begin, std::size_t end) {
  return column.offsets[end] - column.offsets[begin];
}

inline std::string_view StringAt(const StringColumn& column, std::size_t i) {
  return {reinterpret_cast<const char*>(column.string(i)), column.string_bytes(i)};
}

inline void RunOnCpu(const Part& part, std::uint32_t* distance, KernelScratch& scratch) {
  const StringColumn left = Slice(part.left, part.begin, part.end);
  const StringColumn right = Slice(part.right, part.begin, part.end);
  LevenshteinBatch(left, right, {distance, left.size}, scratch.OfSize(LevenshteinScratchBytes(left, right)));
}

inline SlotCapacity CapacityFor(const Part& part) {
  const std::uint32_t left = BytesOf(part.left, part.begin, part.end);
  const std::uint32_t right = BytesOf(part.right, part.begin, part.end);
  return {.pairs = static_cast<std::uint32_t>(part.size()),
          .column_bytes = std::max(left, right) + 2 * static_cast<std::uint32_t>(kStringPadding)};
}

inline std::unique_ptr<GpuSlot> MakeSlot(GpuDevice& device, int stream, SlotCapacity capacity) {
  auto slot = std::make_unique<GpuSlot>(device, stream, capacity);
  if (!slot->ready()) Fail(device, "taking memory");
  return slot;
}

inline void FillColumn(const StringColumn& column, std::size_t begin, std::size_t end, std::uint8_t* bytes,
                       std::uint32_t* offsets) {
  std::memcpy(bytes + kStringPadding, column.string(begin), BytesOf(column, begin, end));
  const std::uint32_t moved = column.offsets[begin] - static_cast<std::uint32_t>(kStringPadding);
  for (std::size_t i = begin; i <= end; ++i) offsets[i - begin] = column.offsets[i] - moved;
}

inline void Fill(GpuSlot& slot, const Part& part) {
  FillColumn(part.left, part.begin, part.end, slot.left_bytes(), slot.left_offsets());
  FillColumn(part.right, part.begin, part.end, slot.right_bytes(), slot.right_offsets());
}

inline void RunFilled(GpuDevice& device, GpuSlot& slot, std::size_t pairs,
                      std::uint64_t max_cells = kNoLimit) {
  if (!slot.Run(static_cast<std::uint32_t>(pairs), max_cells)) Fail(device, "a batch");
}

// Compares what the GPU computed of a part with what is right; a distance left to the host must be of a pair
// of more than max_cells cells. Ends the program at the first difference.
inline void ExpectDistances(const Part& part, const std::uint32_t* actual, const std::uint32_t* expected,
                            const std::string& name, std::uint64_t max_cells = kNoLimit) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (actual[i] == expected[i]) continue;
    const std::string_view a = StringAt(part.left, part.begin + i);
    const std::string_view b = StringAt(part.right, part.begin + i);
    if (actual[i] == kLeftToHost && std::uint64_t{a.size()} * b.size() > max_cells) continue;
    std::printf("gpu_check: %s, pair %zu of %zu: the GPU says %u instead of %u\n%.*s\n%.*s\n", name.c_str(),
                i, part.size(), actual[i], expected[i], static_cast<int>(a.size()), a.data(),
                static_cast<int>(b.size()), b.data());
    std::exit(1);
  }
}

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_BENCH_GPU_PAIRS_H_
