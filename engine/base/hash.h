// engine/base/hash.h: the only hash function of the engine, for tables of keys. No result depends on its
// values.
#ifndef LEAFSCORE_ENGINE_BASE_HASH_H_
#define LEAFSCORE_ENGINE_BASE_HASH_H_

#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>

namespace leafscore::internal {

// Returns the random seed of this process, which is drawn once. Without it, people could prepare keys that
// collide.
inline std::uint64_t HashSeed() {
  static const std::uint64_t seed = (std::uint64_t{std::random_device{}()} << 32) ^ std::random_device{}();
  return seed;
}

// The bits that a hash keeps. Tests set this mask to 0 before anything is hashed, so that all keys collide.
inline std::uint64_t hash_mask = ~std::uint64_t{0};

// Multiplies to 128 bits and folds the halves together: every input bit reaches every output bit.
inline std::uint64_t HashMix(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{a} * b;
  return (static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64)) & hash_mask;
}

inline std::uint64_t HashBytes(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t kMultiplier = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = HashMix(seed ^ bytes.size(), kMultiplier);
  const char* next = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, next += 8) {
    std::uint64_t word;
    std::memcpy(&word, next, 8);
    hash = HashMix(hash ^ word, kMultiplier);
  }
  std::uint64_t tail = 0;
  if (left != 0) std::memcpy(&tail, next, left);
  return HashMix(hash ^ tail, seed | 1);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_HASH_H_
