// kernels/pair_groups.h: where pairs wait until enough of their kind are there to fill all lanes of a vector.
// Plain memory in the caller's scratch; one thread at a time.
#ifndef LEAFSCORE_KERNELS_PAIR_GROUPS_H_
#define LEAFSCORE_KERNELS_PAIR_GROUPS_H_

#include <cstdint>

namespace leafscore {

// Pairs of up to kBits = 8, 16, 32 or 64 characters, one pair a lane of kBits bits. Pair s has its pattern in
// pattern[s * kBits, (s + 1) * kBits), its text likewise; what lies behind either is of no consequence.
struct ByteGroup {
  static constexpr std::uint32_t kMaxBytes = 512;
  static constexpr std::uint32_t kMaxPairs = 64;
  static constexpr std::uint32_t kOverrun = 64;  // pairs are stored 64 bytes at a time, whatever their size

  std::uint8_t pattern[kMaxBytes + kOverrun];
  std::uint8_t text[kMaxBytes + kOverrun];
  std::uint8_t pattern_size[kMaxPairs];
  std::uint8_t text_size[kMaxPairs];
  std::uint32_t index[kMaxPairs];
  std::uint32_t count;
};

// A longer pair stays where it is: a kernel reads it in place, up to kStringPadding bytes beyond either end.
struct WordPair {
  const std::uint8_t* pattern;
  const std::uint8_t* text;
  std::uint32_t pattern_size;
  std::uint32_t text_size;
  std::uint32_t index;
};

struct WordGroup {
  static constexpr std::uint32_t kMaxPairs = 8;
  WordPair pairs[kMaxPairs];
  std::uint32_t count;
};

}  // namespace leafscore

#endif  // LEAFSCORE_KERNELS_PAIR_GROUPS_H_
