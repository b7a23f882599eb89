// engine/statistics/resamples.h: bootstrap resamples, drawn with replacement. Which units a resample has
// follows from its number, the seed and the number of units alone, so that they are the same on every machine
// and for any number of threads. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_RESAMPLES_H_
#define LEAFSCORE_ENGINE_STATISTICS_RESAMPLES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/base/random.h"

namespace leafscore::internal {

// Resamples made together, so that what they sum up is read from memory once for all of them.
constexpr std::size_t kResamplesTogether = 8;

// Counts how often each unit is in the resamples from `first` on: [unit * kResamplesTogether + resample -
// first]. A byte will do: where there are more than 255 units, chance does not draw one of them so often.
inline void DrawResamples(std::uint64_t seed, std::size_t first, std::span<std::uint8_t> counts) {
  const std::size_t units = counts.size() / kResamplesTogether;
  std::ranges::fill(counts, std::uint8_t{0});
  for (std::size_t resample = 0; resample < kResamplesTogether; ++resample) {
    SplitMix64 random(seed, first + resample);
    for (std::size_t draw = 0; draw < units; ++draw) {
      ++counts[random.Below(units) * kResamplesTogether + resample];
    }
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_RESAMPLES_H_
