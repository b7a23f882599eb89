// kernels/gpu/gpu_batch.h: one batch of string pairs in the memory of a GPU, and the arrays for its launches.
// Everything here is a view: the caller that launches owns the memory.
//
// The launches of a batch plan each pair (strip affixes, count code points, choose a class), count the plans
// of each key, put the pairs in the order of their keys, and run each class with its own kernel. A class
// determines how many threads share a pair and how many bits a symbol has. A key is a class and a length of
// text, so that neighbouring threads have about the same amount of work.
#ifndef LEAFSCORE_KERNELS_GPU_GPU_BATCH_H_
#define LEAFSCORE_KERNELS_GPU_GPU_BATCH_H_

#include <cstddef>
#include <cstdint>

#include "kernels/host_device.h"
#include "kernels/scratch.h"
#include "kernels/string_column.h"

namespace leafscore::internal::gpu {

// The number of neighbouring threads that share the rows of a pair, and the number of words of 32 rows in
// each thread.
struct GroupShape {
  int lanes;
  int words;

  LEAFSCORE_HOST_DEVICE constexpr std::uint32_t rows() const {
    return static_cast<std::uint32_t>(lanes * words) * 32;
  }
};
// The last shape also handles patterns with more rows, strip by strip.
inline constexpr GroupShape kShapes[] = {{1, 1}, {1, 2}, {1, 4}, {2, 4}, {4, 4}, {8, 4}, {16, 4}, {32, 4}};
inline constexpr std::uint32_t kShapeCount = sizeof kShapes / sizeof kShapes[0];
inline constexpr std::uint32_t kStripShape = kShapeCount - 1;

// The bits of a code point whose UTF-8 has 1, 2, 3 and 4 bytes. The longest code point of a pair decides.
inline constexpr int kSymbolBits[] = {7, 11, 16, 21};
inline constexpr std::uint32_t kClassCount = 4 * kShapeCount;

LEAFSCORE_HOST_DEVICE constexpr std::uint32_t ClassOf(std::uint32_t utf8_bytes, std::uint32_t shape) {
  return (utf8_bytes - 1) * kShapeCount + shape;
}

// Buckets of lengths, by octave and eighth of the octave. The longest come first, so that long work starts
// first.
inline constexpr std::uint32_t kLengthBuckets = 256;
inline constexpr std::uint32_t kKeyCount = kClassCount * kLengthBuckets;
inline constexpr std::uint32_t kNoKey = kKeyCount;  // the key of a pair that is done or left to the host
// The number of neighbouring keys that one thread counts and places. They are few enough for this to take
// hardly any time.
inline constexpr std::uint32_t kKeysOfRun = 32;
inline constexpr std::uint32_t kRunCount = kKeyCount / kKeysOfRun;

// The plan for one pair.
struct PairPlan {
  const std::uint8_t* pattern = nullptr;  // the string in the rows
  const std::uint8_t* text = nullptr;
  std::uint32_t pattern_size = 0;  // symbols
  std::uint32_t text_size = 0;
  std::uint32_t key = kNoKey;
  std::uint32_t rank = 0;  // position among the plans of its key
};

// The distance for a pair of more than max_cells cells, which the host must compute.
inline constexpr std::uint32_t kLeftToHost = ~std::uint32_t{0};

struct GpuBatch {
  StringColumn left;
  StringColumn right;  // with the same number of strings
  std::uint64_t max_cells = ~std::uint64_t{0};
  std::uint32_t* distance = nullptr;  // output, one per pair

  // Scratch.
  PairPlan* plans = nullptr;
  std::uint32_t* order = nullptr;        // pairs by key
  std::uint32_t* key_begin = nullptr;    // number of plans of each key, then where they begin in `order`
  std::uint32_t* run_size = nullptr;     // number of plans of each run of keys
  std::uint32_t* class_begin = nullptr;  // where each class begins in `order`; kClassCount + 1
  std::uint32_t* packets = nullptr;      // the packets of each pair; see PacketsOf

  // Returns the packets of a pair. There is one for each byte of both strings.
  LEAFSCORE_HOST_DEVICE std::uint32_t* PacketsOf(std::uint32_t pair) const {
    return packets + (std::size_t{left.offsets[pair]} + right.offsets[pair]);
  }

  // Takes the scratch arrays for `pairs` pairs and columns that end at these offsets.
  void TakeScratch(ScratchArena& arena, std::size_t pairs, std::size_t left_bytes, std::size_t right_bytes) {
    plans = arena.Take<PairPlan>(pairs);
    order = arena.Take<std::uint32_t>(pairs);
    key_begin = arena.Take<std::uint32_t>(kKeyCount);
    run_size = arena.Take<std::uint32_t>(kRunCount);
    class_begin = arena.Take<std::uint32_t>(kClassCount + 1);
    packets = arena.Take<std::uint32_t>(left_bytes + right_bytes);
  }
};

// Returns the bytes of scratch that a batch needs, in the memory of the GPU and aligned to
// ScratchArena::kAlignment.
inline std::size_t GpuScratchBytes(std::size_t pairs, std::size_t left_bytes, std::size_t right_bytes) {
  ScratchArena counting(nullptr);
  GpuBatch().TakeScratch(counting, pairs, left_bytes, right_bytes);
  return counting.used();
}

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_GPU_BATCH_H_
