// kernels/jaro_matches.h: the matching of short ASCII strings on each instruction set, behind
// kernels/jaro_winkler.h.
#ifndef LEAFSCORE_KERNELS_JARO_MATCHES_H_
#define LEAFSCORE_KERNELS_JARO_MATCHES_H_

#include <cstdint>

#include "kernels/affix.h"

namespace leafscore::internal {

// ASCII strings of up to this many characters have a bit for each place.
inline constexpr std::uint32_t kMaxJaroBits = 128;
inline constexpr std::uint32_t kAsciiSymbols = 128;

struct JaroMatches {
  std::uint32_t matches;       // including the common prefix
  std::uint32_t out_of_order;  // matched places where the matched characters of a and b, in order, differ
};

// Each matches two ASCII strings of padded columns; a is not longer than b.
// REQUIRES: the first `prefix` characters are equal, and a has more characters than these; b_size <=
// kMaxJaroBits; a CPU with the instruction set. For the portable function, `places` has 2 * kAsciiSymbols
// zeros; they are zeros again afterwards. The others do not use `places`.
JaroMatches JaroMatchesPortable(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                                std::uint64_t* places) noexcept;
JaroMatches JaroMatchesAvx2(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                            std::uint64_t* places) noexcept;
JaroMatches JaroMatchesAvx512(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                              std::uint64_t* places) noexcept;

// Pairs of up to this many ASCII characters go together.
inline constexpr std::uint32_t kMaxJaroLane = 64;

// Pairs of strings that are not empty and have at most kMaxJaroLane bytes; a is not longer than b.
struct JaroGroup {
  static constexpr std::uint32_t kPairs = 8;

  const std::uint8_t* a[kPairs];
  const std::uint8_t* b[kPairs];
  std::uint32_t a_size[kPairs];
  std::uint32_t b_size[kPairs];
};

// Each sets the similarities of a full group of padded columns. REQUIRES: a CPU with the instruction set.
// RETURNS: a bit for each pair that is not ASCII, whose similarity is arbitrary.
std::uint32_t JaroWinklerOf8Avx2(const JaroGroup& group, double* similarity) noexcept;
std::uint32_t JaroWinklerOf8Avx512(const JaroGroup& group, double* similarity) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_JARO_MATCHES_H_
