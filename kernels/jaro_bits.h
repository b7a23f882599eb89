// kernels/jaro_bits.h: finds which characters of two short ASCII strings match in Jaro's sense, with a bit
// for each place: a character of the shorter string takes the lowest open bit of an equal character in the
// window. Match words come from a table or from comparing bytes, depending on the instruction set.
//
// The code is a template in an unnamed namespace: each instruction set compiles its own copy, which must
// never be merged with the copy of another.
#ifndef LEAFSCORE_KERNELS_JARO_BITS_H_
#define LEAFSCORE_KERNELS_JARO_BITS_H_

#include <cstdint>

#include "kernels/affix.h"
#include "kernels/jaro_matches.h"

namespace leafscore::internal {
namespace {

// A bit for each place of a string of up to 64 * kWords characters.
template <int kWords>
struct PlaceBits {
  std::uint64_t words[kWords] = {};

  // Returns the bits of all places below `count`.
  static PlaceBits Below(std::uint32_t count) {
    PlaceBits bits;
    for (int w = 0; w < kWords; ++w) {
      const std::uint32_t first = 64 * static_cast<std::uint32_t>(w);
      const std::uint32_t here = count > first ? count - first : 0;
      bits.words[w] = here >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
    }
    return bits;
  }
  void ShiftUp(std::uint64_t bit) {
    for (int w = 0; w < kWords; ++w) {
      const std::uint64_t next = words[w] >> 63;
      words[w] = words[w] << 1 | bit;
      bit = next;
    }
  }
};

// Matches the parts of two strings after a common prefix. `match.Word(c, w)` returns word w of the places of
// character c in b; `match.CountOthers` does the same as CountOtherBytes.
// REQUIRES: the prefix is shorter than a; a_size <= b_size <= 64 * kWords.
template <int kWords, class Match>
JaroMatches MatchBits(const BytePair& pair, std::uint32_t window, std::uint32_t prefix, const Match& match) {
  using Bits = PlaceBits<kWords>;
  const std::uint32_t a_size = pair.a_size;
  // `closed` has the places that are taken or beyond the string; `near` has the places in the window.
  const Bits before = Bits::Below(prefix);
  Bits closed = Bits::Below(pair.b_size);
  for (int w = 0; w < kWords; ++w) closed.words[w] = ~closed.words[w] | before.words[w];
  const Bits closed_first = closed;
  Bits near = Bits::Below(prefix + window + 1);
  if (prefix > window) {
    const Bits left_behind = Bits::Below(prefix - window);
    for (int w = 0; w < kWords; ++w) near.words[w] &= ~left_behind.words[w];
  }
  std::uint8_t in_order[64 * kWords] = {};  // the characters of a that match
  std::uint32_t matches = 0;
  for (std::uint32_t i = prefix; i < a_size; ++i) {
    std::uint64_t looks = ~std::uint64_t{0};  // ones until a word has a place
    std::uint64_t hits = 0;
    for (int w = 0; w < kWords; ++w) {
      const std::uint64_t open = match.Word(pair.a[i], w) & near.words[w] & ~closed.words[w] & looks;
      closed.words[w] |= open & (0 - open);  // takes the lowest one
      hits |= open;
      if (w + 1 < kWords) looks = open != 0 ? 0 : looks;
    }
    in_order[matches] = pair.a[i];
    matches += hits != 0;
    near.ShiftUp(i < window);
  }
  for (int w = 0; w < kWords; ++w) closed.words[w] ^= closed_first.words[w];
  return {prefix + matches, match.CountOthers(in_order, matches, pair.b, closed)};
}

// Compares the characters of a row, in order, with the characters at these places of a string, and returns
// how many differ.
template <int kWords>
std::uint32_t CountOtherBytes(const std::uint8_t* row, const std::uint8_t* text,
                              const PlaceBits<kWords>& places) {
  std::uint32_t others = 0;
  for (int w = 0; w < kWords; ++w) {
    for (std::uint64_t bits = places.words[w]; bits != 0; bits &= bits - 1) {
      others += *row++ != text[64 * w + __builtin_ctzll(bits)];  // std::countr_zero is a shared function
    }
  }
  return others;
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_JARO_BITS_H_
