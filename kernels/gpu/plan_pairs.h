// kernels/gpu/plan_pairs.h: the launches before the distances: what to do with each pair, and in which order.
// Each function is the work of one thread.
#ifndef LEAFSCORE_KERNELS_GPU_PLAN_PAIRS_H_
#define LEAFSCORE_KERNELS_GPU_PLAN_PAIRS_H_

#include <cstdint>

#include "kernels/affix.h"
#include "kernels/gpu/gpu_batch.h"
#include "kernels/utf8.h"

namespace leafscore::internal::gpu {

// The number of code points in a string, and the number of bytes of the longest code point.
struct Utf8Size {
  std::uint32_t code_points = 0;
  std::uint32_t longest = 1;
};

LEAFSCORE_HOST_DEVICE inline Utf8Size MeasureUtf8(const std::uint8_t* bytes, std::uint32_t size) {
  constexpr std::uint64_t kTopBits = 0x8080808080808080u;
  std::uint32_t continuations = 0;
  std::uint64_t leads_of_2 = 0, leads_of_3 = 0, leads_of_4 = 0;  // leads of 2, 3, 4 or more bytes: top bits
  for (std::uint32_t i = 0; i < size; i += 8) {
    std::uint64_t word = LoadWord(bytes + i);
    if (size - i < 8) word &= (std::uint64_t{1} << (size - i) * 8) - 1;
    const std::uint64_t top_two = word & word << 1 & kTopBits;
    continuations += OneBits(word & kTopBits & ~top_two);
    leads_of_2 |= top_two;
    leads_of_3 |= top_two & word << 2;
    leads_of_4 |= top_two & word << 2 & word << 3;
  }
  return {.code_points = size - continuations,
          .longest = leads_of_4 != 0   ? 4u
                     : leads_of_3 != 0 ? 3u
                     : leads_of_2 != 0 ? 2u
                                       : 1u};
}

// Returns the smallest shape for `rows` rows; each shape has twice the rows of the one before.
LEAFSCORE_HOST_DEVICE inline std::uint32_t ShapeFor(std::uint32_t rows) {
  std::uint32_t shape = 0;
  while (shape != kStripShape && (kShapes[0].rows() << shape) < rows) ++shape;
  return shape;
}

// Returns the approximate cost of a pair whose pattern and text have these sizes: words times columns.
LEAFSCORE_HOST_DEVICE inline std::uint64_t CostOf(std::uint32_t pattern_size, std::uint32_t text_size) {
  const std::uint32_t rows = kShapes[0].rows() << ShapeFor(pattern_size);
  const std::uint32_t last_lane = (rows - 1) / 128;
  return std::uint64_t{(pattern_size + rows - 1) / rows} * (rows / 32) * (text_size + last_lane);
}

// Returns the bucket of a length: by octave and eighth of the octave, the longest first.
LEAFSCORE_HOST_DEVICE inline std::uint32_t LengthBucket(std::uint32_t size) {
  if (size < 8) return kLengthBuckets - 1 - size;
  const auto octave = static_cast<std::uint32_t>(63 - LeadingZeros(size));
  return kLengthBuckets - 1 - ((octave - 2) * 8 + (size >> (octave - 3) & 7));
}

// The first launch, over pairs. Sets a pair's plan. Sets the distance, too, if nothing is left to compute or
// the host must compute it (kLeftToHost).
struct PlanPair {
  GpuBatch batch;

  LEAFSCORE_HOST_DEVICE void operator()(std::uint32_t i) const {
    PairPlan plan;
    const BytePair rest = StripAffixes(PairAt(batch.left, batch.right, i));
    const Utf8Size a = MeasureUtf8(rest.a, rest.a_size);
    const Utf8Size b = MeasureUtf8(rest.b, rest.b_size);
    if (a.code_points == 0 || b.code_points == 0) {
      batch.distance[i] = a.code_points + b.code_points;
    } else if (std::uint64_t{a.code_points} * b.code_points > batch.max_cells) {
      batch.distance[i] = kLeftToHost;
    } else {
      const bool a_is_pattern = CostOf(a.code_points, b.code_points) <= CostOf(b.code_points, a.code_points);
      plan.pattern_size = a_is_pattern ? a.code_points : b.code_points;
      plan.text_size = a_is_pattern ? b.code_points : a.code_points;
      const std::uint32_t pair_class =
          ClassOf(a.longest > b.longest ? a.longest : b.longest, ShapeFor(plan.pattern_size));
      plan.pattern = a_is_pattern ? rest.a : rest.b;
      plan.text = a_is_pattern ? rest.b : rest.a;
      plan.key = pair_class * kLengthBuckets + LengthBucket(plan.text_size);
      plan.rank = TakeNumber(&batch.key_begin[plan.key]);
    }
    batch.plans[i] = plan;
  }
};

// The second launch, over runs of keys: counts the plans of a run.
struct SizeRun {
  GpuBatch batch;

  LEAFSCORE_HOST_DEVICE void operator()(std::uint32_t run) const {
    std::uint32_t plans = 0;
    for (std::uint32_t k = 0; k < kKeysOfRun; ++k) plans += batch.key_begin[run * kKeysOfRun + k];
    batch.run_size[run] = plans;
  }
};

// The third launch, over runs of keys: finds where the plans of each key of a run begin. If a class begins
// with the run, also finds where the plans of the class begin.
struct PlaceRun {
  GpuBatch batch;

  LEAFSCORE_HOST_DEVICE void operator()(std::uint32_t run) const {
    constexpr std::uint32_t kRunsOfClass = kLengthBuckets / kKeysOfRun;
    std::uint32_t begin = 0;
    for (std::uint32_t r = 0; r < run; ++r) begin += batch.run_size[r];
    if (run % kRunsOfClass == 0) batch.class_begin[run / kRunsOfClass] = begin;
    if (run == kRunCount - 1) batch.class_begin[kClassCount] = begin + batch.run_size[run];
    std::uint32_t* const keys = batch.key_begin + std::size_t{run} * kKeysOfRun;
    std::uint32_t plans[kKeysOfRun];  // loaded all at once
    for (std::uint32_t k = 0; k < kKeysOfRun; ++k) plans[k] = keys[k];
    for (std::uint32_t k = 0; k < kKeysOfRun; ++k) {
      keys[k] = begin;
      begin += plans[k];
    }
  }
};

// The fourth launch, over pairs: puts the pairs in order.
struct OrderPair {
  GpuBatch batch;

  LEAFSCORE_HOST_DEVICE void operator()(std::uint32_t i) const {
    const PairPlan& plan = batch.plans[i];
    if (plan.key != kNoKey) batch.order[batch.key_begin[plan.key] + plan.rank] = i;
  }
};

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_PLAN_PAIRS_H_
