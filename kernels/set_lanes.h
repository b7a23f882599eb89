// kernels/set_lanes.h: the sets of characters of eight pairs at once, for kernels/character_jaccard.h. A
// string's set is two words with a bit for each ASCII character, one word in each of two vectors. A step adds
// one character of each string.
//
// Internal linkage as in kernels/lanes_avx512.h.
#ifndef LEAFSCORE_KERNELS_SET_LANES_H_
#define LEAFSCORE_KERNELS_SET_LANES_H_

#include <cstdint>

#include "kernels/character_jaccard.h"
#include "kernels/vector_of.h"

namespace leafscore::internal {
namespace {

template <int kVectorBytes>
class SetLanes {
 public:
  // As CharacterJaccardOf8Avx2.
  static std::uint32_t SimilaritiesOf8(const std::uint8_t* left, const std::uint32_t* left_offsets,
                                       const std::uint8_t* right, const std::uint32_t* right_offsets,
                                       double* similarity) {
    Sets a, b;
    a.Add(left, left_offsets);
    b.Add(right, right_offsets);
    std::uint32_t not_ascii = 0;
    for (std::uint32_t i = 0; i < kPairs; ++i) {
      const std::uint64_t low[] = {a.low.lane[i], b.low.lane[i]};
      const std::uint64_t high[] = {a.high.lane[i], b.high.lane[i]};
      const int in_both = __builtin_popcountll(low[0] & low[1]) + __builtin_popcountll(high[0] & high[1]);
      const int in_either = __builtin_popcountll(low[0] | low[1]) + __builtin_popcountll(high[0] | high[1]);
      similarity[i] = in_either == 0 ? 1 : static_cast<double>(in_both) / in_either;
      not_ascii |= static_cast<std::uint32_t>(((a.seen.lane[i] | b.seen.lane[i]) & kHighBits) != 0) << i;
    }
    return not_ascii;
  }

 private:
  using Vector = typename VectorOf<std::uint64_t, kVectorBytes>::Type;
  static constexpr std::uint32_t kPairs = 8;
  static constexpr std::uint32_t kVectors = 64 / kVectorBytes;
  static constexpr std::uint64_t kHighBits = 0x8080808080808080;

  union Words {
    std::uint64_t lane[kPairs];
    Vector vector[kVectors];
  };

  struct Sets {
    Words low{}, high{};
    Words seen{};  // the OR of all bytes

    void Add(const std::uint8_t* bytes, const std::uint32_t* offsets) {
      std::uint32_t longest = 0;
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        const std::uint32_t size = offsets[i + 1] - offsets[i];
        if (size > longest) longest = size;
      }
      for (std::uint32_t at = 0; at < longest; at += 8) {
        Words words;
        for (std::uint32_t i = 0; i < kPairs; ++i)
          words.lane[i] = WordAt(bytes, offsets[i], offsets[i + 1], at);
        AddLast(longest - at < 8 ? longest - at : 8, words);
      }
      for (std::uint32_t i = 0; i < kPairs; ++i) {
        if (offsets[i] == offsets[i + 1]) low.lane[i] = high.lane[i] = seen.lane[i] = 0;
      }
    }

    // RETURNS: eight bytes of a string from `at` on, or the last eight if the string ends before. If the
    // string is shorter than eight bytes, copies of its last byte fill the word.
    static std::uint64_t WordAt(const std::uint8_t* bytes, std::uint32_t begin, std::uint32_t end,
                                std::uint32_t at) {
      const std::uint32_t size = end - begin;
      std::uint64_t word;
      __builtin_memcpy(&word, bytes + (at + 8 <= size ? begin + at : end - 8), sizeof word);
      if (size >= 8) return word;
      const std::uint64_t inside = ~std::uint64_t{0}
                                   << ((64 - 8 * size) & 63);  // for an empty string, the result is not used
      return (word & inside) | (~inside & (word >> 56) * 0x0101010101010101);
    }

    // Adds the last `count` bytes of each word.
    void AddLast(std::uint32_t count, const Words& words) {
      for (std::uint32_t v = 0; v < kVectors; ++v) {
        Vector rest = words.vector[v];
        seen.vector[v] |= rest;
        for (std::uint32_t i = 0; i < count; ++i) {
          const Vector bit = (Vector{} + 1) << (rest >> 56 & 63);
          const Vector is_high = -(rest >> 62 & 1);
          low.vector[v] |= bit & ~is_high;
          high.vector[v] |= bit & is_high;
          rest <<= 8;
        }
      }
    }
  };
};

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_SET_LANES_H_
