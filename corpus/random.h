// corpus/random.h: the corpus's random numbers and choices.
#ifndef LEAFSCORE_CORPUS_RANDOM_H_
#define LEAFSCORE_CORPUS_RANDOM_H_

#include <cstddef>
#include <cstdint>

#include "engine/base/random.h"

namespace leafscore::internal::corpus {

// A probability in units of 2^-32; kCertain is 1.
using Probability = std::uint64_t;
inline constexpr Probability kCertain = std::uint64_t{1} << 32;

class Random : public SplitMix64 {
 public:
  using SplitMix64::SplitMix64;

  // Returns a number in [low, high]. REQUIRES: low <= high, less than 2^32 apart.
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(Below(static_cast<std::uint64_t>(high - low + 1)));
  }

  bool Chance(Probability probability) { return Next() >> 32 < probability; }
  bool OneIn(std::uint64_t count) { return Below(count) == 0; }

  template <typename T, std::size_t kCount>
  const T& Pick(const T (&choices)[kCount]) {
    return choices[Below(kCount)];
  }
};

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_CORPUS_RANDOM_H_
