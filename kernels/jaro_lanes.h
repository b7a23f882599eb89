// kernels/jaro_lanes.h: the Jaro-Winkler similarities of eight pairs of up to 64 ASCII characters at once,
// one pair a lane of 64 bits. The steps are those of kernels/jaro_bits.h, over all lanes, without a branch
// that depends on a pair. A second pass over the characters finds the matches that are out of order: the k-th
// matched character of a must be the one at the k-th matched place of b.
//
// Internal linkage as in kernels/lanes_avx512.h.
#ifndef LEAFSCORE_KERNELS_JARO_LANES_H_
#define LEAFSCORE_KERNELS_JARO_LANES_H_

#include <cstdint>

#include "kernels/jaro_matches.h"
#include "kernels/vector_of.h"

namespace leafscore::internal {
namespace {

// `Text` has 64 bytes of a string, and `HalfText` has 32. Word(c, 0) returns the places of a character, and
// HighBits() the places of bytes that are not ASCII.
template <int kVectorBytes, class Text, class HalfText>
class JaroLanes {
 public:
  // As JaroWinklerOf8Avx2.
  static std::uint32_t SimilaritiesOf8(const JaroGroup& group, double* similarity) {
    std::uint32_t longest_a = 0, longest_b = 0;
    for (std::uint32_t q = 0; q < kPairs; ++q) {
      if (group.a_size[q] > longest_a) longest_a = (group.a_size[q] + 7) / 8 * 8;  // few counts: predictable
      if (group.b_size[q] > longest_b) longest_b = group.b_size[q];
    }
    Words match[kMaxJaroLane];
    const std::uint32_t not_ascii = longest_b <= 32 ? FindMatches<HalfText>(group, longest_a, match)
                                                    : FindMatches<Text>(group, longest_a, match);
    FindSimilarities(group, longest_a, match, similarity);
    return not_ascii;
  }

 private:
  using Vector = typename VectorOf<std::uint64_t, kVectorBytes>::Type;
  using Numbers = typename VectorOf<double, kVectorBytes>::Type;
  static constexpr std::uint32_t kPairs = JaroGroup::kPairs;
  static constexpr std::uint32_t kVectors = kPairs * 8 / kVectorBytes;

  union Words {
    std::uint64_t lane[kPairs];
    Vector vector[kVectors];
  };
  union Reals {
    double lane[kPairs];
    Numbers vector[kVectors];
  };

  // For each character of a, sets its places in b. RETURNS: a bit for each pair that is not ASCII.
  template <class Compared>
  static std::uint32_t FindMatches(const JaroGroup& group, std::uint32_t longest, Words* match) {
    std::uint32_t not_ascii = 0;
    for (std::uint32_t q = 0; q < kPairs; ++q) {
      const std::uint8_t* const a = group.a[q];
      const Compared b(group.b[q]);
      const std::uint64_t high =
          (b.HighBits() & LowBits(group.b_size[q])) | (Compared(a).HighBits() & LowBits(group.a_size[q]));
      not_ascii |= static_cast<std::uint32_t>(high != 0) << q;
#pragma GCC unroll 8
      for (std::uint32_t i = 0; i < longest; ++i) match[i].lane[q] = b.Word(a[i], 0);
    }
    return not_ascii;
  }

  static void FindSimilarities(const JaroGroup& group, std::uint32_t longest, Words* match,
                               double* similarity) {
    Words open, window, a_size;
    for (std::uint32_t q = 0; q < kPairs; ++q) {
      open.lane[q] = LowBits(group.b_size[q]);
      window.lane[q] = (group.b_size[q] > 2 ? group.b_size[q] / 2 : 1) - 1;
      a_size.lane[q] = group.a_size[q];
    }
    const Words places = open;
    Words out_of_order{};
    for (std::uint32_t v = 0; v < kVectors; ++v) {
      Vector near = ((Vector{} + 2) << window.vector[v]) - 1;
      Vector still_open = open.vector[v];
      for (std::uint32_t i = 0; i < longest; ++i) {
        const Vector inside = Vector(a_size.vector[v] > i);
        const Vector hits = match[i].vector[v] & near & still_open & inside;
        still_open ^= hits & -hits;  // takes the lowest one
        match[i].vector[v] &= Vector(hits != 0);
        near = near + near - Vector(window.vector[v] > i);
      }
      open.vector[v] = still_open;
      Vector rest = places.vector[v] ^ still_open;
      Vector others{};
      for (std::uint32_t i = 0; i < longest; ++i) {
        const Vector is_matched = Vector(match[i].vector[v] != 0);
        const Vector place = rest & -rest & is_matched;
        others -= Vector((match[i].vector[v] & place) == 0) & is_matched;
        rest ^= place;
      }
      out_of_order.vector[v] = others;
    }
    Reals m, transpositions, prefix, a, b;
    for (std::uint32_t q = 0; q < kPairs; ++q) {
      m.lane[q] = __builtin_popcountll(places.lane[q] ^ open.lane[q]);
      const auto pairs_out_of_order = static_cast<std::uint32_t>(out_of_order.lane[q]) / 2;
      transpositions.lane[q] = pairs_out_of_order;
      prefix.lane[q] = PrefixOf(group.a[q], group.b[q], group.a_size[q]);
      a.lane[q] = group.a_size[q];
      b.lane[q] = group.b_size[q];
    }
    Reals result;
    for (std::uint32_t v = 0; v < kVectors; ++v) {
      const Numbers matches = m.vector[v];
      const Numbers jaro =
          (matches / a.vector[v] + matches / b.vector[v] + (matches - transpositions.vector[v]) / matches) /
          3;
      const Numbers boosted = jaro + prefix.vector[v] * 0.1 * (1 - jaro);
      const Numbers chosen = jaro <= 0.7 ? jaro : boosted;
      result.vector[v] = matches == 0 ? Numbers{} : chosen;
    }
    for (std::uint32_t q = 0; q < kPairs; ++q) similarity[q] = result.lane[q];
  }

  // REQUIRES: 1 <= count <= 64.
  static std::uint64_t LowBits(std::uint32_t count) { return ~std::uint64_t{0} >> (64 - count); }

  // RETURNS: the length of the common prefix, up to four characters.
  static std::uint32_t PrefixOf(const std::uint8_t* a, const std::uint8_t* b, std::uint32_t a_size) {
    std::uint32_t of_a, of_b;
    __builtin_memcpy(&of_a, a, sizeof of_a);
    __builtin_memcpy(&of_b, b, sizeof of_b);
    const std::uint64_t different = (of_a ^ of_b) | std::uint64_t{1} << (8 * (a_size < 4 ? a_size : 4));
    return static_cast<std::uint32_t>(__builtin_ctzll(different)) / 8;
  }
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_JARO_LANES_H_
