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
  std::uint32_t out_of_order;  // matches that meet a different character, in order
};

// Each matches two ASCII strings of padded columns; a is not longer than b.
// REQUIRES: `prefix` characters are common, fewer than a has; b_size <= kMaxJaroBits; `places`, which only
// the portable one uses, has 2 * kAsciiSymbols zeros, and has them again afterwards; a CPU with the
// instruction set.
JaroMatches JaroMatchesPortable(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                                std::uint64_t* places) noexcept;
JaroMatches JaroMatchesAvx2(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                            std::uint64_t* places) noexcept;
JaroMatches JaroMatchesAvx512(const BytePair& pair, std::uint32_t window, std::uint32_t prefix,
                              std::uint64_t* places) noexcept;

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_JARO_MATCHES_H_
