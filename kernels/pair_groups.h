// kernels/pair_groups.h: collects pairs until there are enough of one kind to fill all lanes of a vector. The
// groups are plain memory in the caller's scratch, for one thread at a time.
#ifndef LEAFSCORE_KERNELS_PAIR_GROUPS_H_
#define LEAFSCORE_KERNELS_PAIR_GROUPS_H_

#include <cstddef>
#include <cstdint>

namespace leafscore::internal {

// Pairs of up to kBits = 8, 16, 32 or 64 characters, one pair a lane of kBits bits. The strings stay in place
// until the group is full: if each pair were copied when it arrives, wide stores would come between the loads
// of the next pairs, and a load stalls if an earlier store has the same low 12 bits of its address.
struct ByteGroup {
  static constexpr std::uint32_t kMaxPairs = 64;

  // Patterns, then texts. kStringPadding bytes beyond either end are readable.
  const std::uint8_t* strings[2][kMaxPairs];
  std::uint8_t pattern_size[kMaxPairs];
  std::uint8_t text_size[kMaxPairs];
  std::uint32_t index[kMaxPairs];
};

// The facts about a ByteGroup that its kernel needs.
struct GroupShape {
  std::uint32_t pairs;      // number of pairs, in the first slots
  std::uint32_t shortest;   // every text has at least this many symbols
  std::uint32_t longest;    // every text has at most this many symbols
  std::size_t high_offset;  // from a wide symbol's low byte to its high byte
};

// Copies kBytes bytes of each string, from `offset` on, to its place in bytes[0, places * kBytes), even if a
// string is shorter. The places from `count` to `places` become zero. Always inlined, because files for
// several instruction sets include it and must not share a copy.
template <std::uint32_t kBytes>
[[gnu::always_inline]] inline void GatherStrings(const std::uint8_t* const* strings, std::size_t offset,
                                                 std::uint32_t count, std::uint32_t places,
                                                 std::uint8_t* bytes) {
  for (std::size_t i = 0; i < count; ++i) __builtin_memcpy(bytes + i * kBytes, strings[i] + offset, kBytes);
  for (std::size_t i = count; i < places; ++i) __builtin_memset(bytes + i * kBytes, 0, kBytes);
}

// A longer pair stays in place: a kernel reads it there, up to kStringPadding bytes beyond either end.
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
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_PAIR_GROUPS_H_
