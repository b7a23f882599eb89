// engine/base/random.h: random numbers from integer arithmetic only, so that they are the same on every
// machine. They are predictable: do not use them for secrets.
#ifndef LEAFSCORE_ENGINE_BASE_RANDOM_H_
#define LEAFSCORE_ENGINE_BASE_RANDOM_H_

#include <cstdint>

namespace leafscore::internal {

// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
class SplitMix64 {
 public:
  // Different (seed, stream) pairs give unrelated sequences.
  SplitMix64(std::uint64_t seed, std::uint64_t stream) : state_(Mix(Mix(seed + kStep) + stream)) {}

  std::uint64_t Next() { return Mix(state_ += kStep); }

  // Returns a number in [0, count). REQUIRES: 0 < count <= 2^32.
  std::uint64_t Below(std::uint64_t count) { return ((Next() >> 32) * count) >> 32; }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

  static std::uint64_t Mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
    return x ^ (x >> 31);
  }

  std::uint64_t state_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_RANDOM_H_
