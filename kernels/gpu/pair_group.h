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
  using Reader = std::conditional_t<ReadsBytes(kClass), ByteReader, PacketReader>;
  using LaneOfClass = Lane<kSymbolBits[kClass / kShapeCount], kShape.words, Reader>;
};

// Computes the distance for a plan of class kClass. All threads of a warp must call this together: a group
// without a pair has an empty plan. Group has: ForEachLane(f), which calls f(lane, its number);
// PassPackets(), which gives each lane the packet of the lane before it; Longest(n), the largest n among the
// groups of the warp; Fence(), after which lanes see what others wrote.
template <std::uint32_t kClass, typename Group>
LEAFSCORE_HOST_DEVICE void RunPair(const PairPlan& plan, std::uint32_t* distance) {
  using Kernel = ClassKernel<kClass>;
  using LaneOfClass = typename Kernel::LaneOfClass;
  using Symbol = typename LaneOfClass::Symbol;
  constexpr std::uint32_t kLastLane = Kernel::kShape.lanes - 1;
  constexpr std::uint32_t kRows = Kernel::kShape.rows();

  Group group;
  const std::uint32_t strips = Kernel::kHasStrips ? (plan.pattern_size + kRows - 1) / kRows : 1;
  const std::uint32_t steps = group.Longest(plan.text_size == 0 ? 0 : plan.text_size + kLastLane);
  for (std::uint32_t strip = 0; strip < strips; ++strip) {
    // The pattern ends with the last strip, so its last row is the last row of the last lane.
    const std::int64_t first_row = std::int64_t{plan.pattern_size} - std::int64_t{strips - strip} * kRows;
    group.ForEachLane([&](LaneOfClass& lane, std::uint32_t number) {
      lane.Begin(static_cast<const Symbol*>(plan.pattern), first_row + number * LaneOfClass::kRows);
    });
    typename LaneOfClass::Reader text(static_cast<const Symbol*>(plan.text));
    for (std::uint32_t step = 0; step < steps; ++step) {
      group.PassPackets();
      group.ForEachLane([&](LaneOfClass& lane, std::uint32_t number) {
        const std::uint32_t column = step - number;  // very large before the first one
        if (column >= plan.text_size) return;
        if (number == 0) {
          const std::uint32_t packet = text.Next();
          lane.packet = strip == 0 ? (packet & kSymbolMask) | kPlusOne : packet;
        }
        lane.Step();
        // The next strip starts from the differences along the last row of this one.
        if constexpr (Kernel::kHasStrips) {
          if (number == kLastLane) {
            static_cast<std::uint32_t*>(const_cast<void*>(plan.text))[column] = lane.packet;
          }
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
