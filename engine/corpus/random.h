// engine/corpus/random.h: the corpus's random numbers: integers only, so the same on every machine.
#ifndef LEAFSCORE_ENGINE_CORPUS_RANDOM_H_
#define LEAFSCORE_ENGINE_CORPUS_RANDOM_H_

#include <cstddef>
#include <cstdint>

namespace leafscore::internal::corpus {

// A probability in units of 2^-32; kCertain is 1.
using Probability = std::uint64_t;
inline constexpr Probability kCertain = std::uint64_t{1} << 32;

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class Random {
 public:
  // Different (seed, stream) give unrelated sequences.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(Mix(Mix(seed + kStep) + stream)) {}

  std::uint64_t Next() { return Mix(state_ += kStep); }

  // Each returns a number, in [0, count) or in [low, high].
  // REQUIRES: 0 < count <= 2^32; low <= high, less than 2^32 apart.
  std::uint64_t Below(std::uint64_t count) { return ((Next() >> 32) * count) >> 32; }
  std::int64_t Between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(Below(static_cast<std::uint64_t>(high - low + 1)));
  }

  bool Chance(Probability probability) { return Next() >> 32 < probability; }
  bool OneIn(std::uint64_t count) { return Below(count) == 0; }

  template <typename T, std::size_t kCount>
  const T& Pick(const T (&choices)[kCount]) {
    return choices[Below(kCount)];
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  static std::uint64_t Mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace leafscore::internal::corpus

#endif  // LEAFSCORE_ENGINE_CORPUS_RANDOM_H_
