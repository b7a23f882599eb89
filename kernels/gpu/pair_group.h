// kernels/gpu/pair_group.h: one pair computed by a group of lanes. The lanes are neighbouring threads of a
// warp, or, when emulated, an array.
#ifndef LEAFSCORE_KERNELS_GPU_PAIR_GROUP_H_
#define LEAFSCORE_KERNELS_GPU_PAIR_GROUP_H_

#include <cstdint>
#include <type_traits>

#include "kernels/gpu/gpu_batch.h"
#include "kernels/gpu/lane.h"

namespace leafscore::internal::gpu {

// The kernel of a class: its lanes, and the type of its symbols.
template <std::uint32_t kClass>
struct ClassKernel {
  static constexpr GroupShape kShape = kShapes[kClass % kShapeCount];
  static constexpr bool kHasStrips = kClass % kShapeCount == kStripShape;
  static constexpr int kLongest = kClass / kShapeCount + 1;
  using Reader = std::conditional_t<kLongest == 1, ByteReader, Utf8Reader<kLongest>>;
  using LaneOfClass = Lane<kSymbolBits[kClass / kShapeCount], kShape.words, Reader>;
};

// Computes the distance of a plan of class kClass. All threads of a warp must come here together: a group
// without a pair has an empty plan. If the class has strips, `packets` has room for the packets of the text.
// Group has: ForEachLane(f), which calls f(lane, its number); PassPackets(), which gives each lane the packet
// of the lane before; Longest(n), which returns the largest n of all groups of the warp; OfLastLane(x), which
// returns the x of the last lane; Fence(), after which each lane sees what the other lanes wrote.
template <std::uint32_t kClass, typename Group>
LEAFSCORE_HOST_DEVICE void RunPair(const PairPlan& plan, std::uint32_t* packets, std::uint32_t* distance) {
  using Kernel = ClassKernel<kClass>;
  using LaneOfClass = typename Kernel::LaneOfClass;
  constexpr std::uint32_t kLastLane = Kernel::kShape.lanes - 1;
  constexpr std::uint32_t kRows = Kernel::kShape.rows();

  Group group;
  const std::uint32_t strips = Kernel::kHasStrips ? (plan.pattern_size + kRows - 1) / kRows : 1;
  const std::uint32_t steps = group.Longest(plan.text_size == 0 ? 0 : plan.text_size + kLastLane);
  // The last row of the pattern is the last row of the last strip, in the last lane. So the pattern may begin
  // in the middle of the first strip.
  std::int64_t first_row = std::int64_t{plan.pattern_size} - std::int64_t{strips} * kRows;
  const std::uint8_t* pattern = plan.pattern;
  for (std::uint32_t strip = 0; strip < strips; ++strip) {
    const std::uint8_t* end = nullptr;
    group.ForEachLane([&](LaneOfClass& lane, std::uint32_t number) {
      end = lane.Begin(pattern, first_row + number * LaneOfClass::kRows);
    });
    if constexpr (Kernel::kHasStrips) {
      pattern = group.OfLastLane(end);
      first_row = 0;
    }
    typename LaneOfClass::Reader text(plan.text);
    for (std::uint32_t step = 0; step < steps; ++step) {
      group.PassPackets();
      group.ForEachLane([&](LaneOfClass& lane, std::uint32_t number) {
        const std::uint32_t column = step - number;  // very large before the first one
        if (column >= plan.text_size) return;
        // Each later strip starts from the differences along the last row of the strip before it.
        if (number == 0) lane.packet = strip == 0 ? text.Next() | kPlusOne : packets[column];
        lane.Step();
        if constexpr (Kernel::kHasStrips) {
          if (number == kLastLane) packets[column] = lane.packet;
        }
      });
    }
    group.Fence();
  }
  group.ForEachLane([&](LaneOfClass& lane, std::uint32_t number) {
    if (number == kLastLane && plan.text_size != 0) {
      *distance = plan.pattern_size + static_cast<std::uint32_t>(lane.sum);
    }
  });
}

}  // namespace leafscore::internal::gpu

#endif  // LEAFSCORE_KERNELS_GPU_PAIR_GROUP_H_
