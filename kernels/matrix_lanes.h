// kernels/matrix_lanes.h: the lanes of kernels/levenshtein_matrix.h. Each lane of a vector has one pattern,
// and a step advances all patterns over one code point of a text. The row of the code point in a table has
// the match words of all patterns, so no symbols are compared.
//
// A pattern ends at the highest bit of its lane. The bits below it are rows that match nothing and count 0 in
// the first column, so that the row above the pattern counts 1, 2, 3, ... as it must, and the distance is
// read from the highest bit.
//
// Internal linkage as in kernels/lanes_avx512.h.
#ifndef LEAFSCORE_KERNELS_MATRIX_LANES_H_
#define LEAFSCORE_KERNELS_MATRIX_LANES_H_

#include <cstddef>
#include <cstdint>

#include "kernels/levenshtein_isa.h"
#include "kernels/vector_of.h"

namespace leafscore::internal {
namespace {

template <typename Lane, int kVectorBytes>
class MatrixLanes {
 public:
  static void Run(const NumberedStrings& texts, const NumberedStrings& patterns, std::byte* table,
                  std::uint32_t* distance) {
    auto* const rows = reinterpret_cast<Row*>(table);
    for (std::uint32_t first = 0; first < patterns.size; first += kLanes) {
      const std::uint32_t count = patterns.size - first < kLanes ? patterns.size - first : kLanes;
      RunGroup(texts, patterns, first, count, rows, distance);
    }
  }

 private:
  using Vector = typename VectorOf<Lane, kVectorBytes>::Type;
  static constexpr std::uint32_t kBits = 8 * sizeof(Lane);
  static constexpr std::uint32_t kVectors = 2;  // vectors take turns, since a step waits for the step before
  static constexpr std::uint32_t kLanes = kVectors * kVectorBytes / sizeof(Lane);
  static_assert(kVectors * kVectorBytes <= kMatrixRowBytes);

  union Row {
    Lane lane[kLanes];
    Vector vector[kVectors];
  };

  static void RunGroup(const NumberedStrings& texts, const NumberedStrings& patterns, std::uint32_t first,
                       std::uint32_t count, Row* table, std::uint32_t* distance) {
    Row rows_of_pattern{}, sizes{};
    for (std::uint32_t lane = 0; lane < count; ++lane) {
      const std::uint32_t begin = patterns.begins[first + lane];
      const std::uint32_t size = patterns.begins[first + lane + 1] - begin;
      sizes.lane[lane] = static_cast<Lane>(size);
      for (std::uint32_t i = 0; i < size; ++i) {
        const Lane bit = static_cast<Lane>(Lane{1} << (kBits - size + i));
        rows_of_pattern.lane[lane] |= bit;
        table[patterns.numbers[begin + i]].lane[lane] |= bit;
      }
    }
    for (std::uint32_t t = 0; t < texts.size; ++t) {
      const Row distances = RunText(texts.numbers + texts.begins[t], texts.numbers + texts.begins[t + 1],
                                    rows_of_pattern, sizes, table);
      std::uint32_t* const to = distance + std::size_t{t} * patterns.size + first;
      for (std::uint32_t lane = 0; lane < count; ++lane) to[lane] = distances.lane[lane];
    }
    for (std::uint32_t i = patterns.begins[first]; i < patterns.begins[first + count]; ++i) {
      table[patterns.numbers[i]] = {};
    }
  }

  // Takes the step of kernels/myers.h for each code point of a text. RETURNS: the distances.
  static Row RunText(const std::uint32_t* text, const std::uint32_t* end, const Row& rows_of_pattern,
                     const Row& sizes, const Row* table) {
    Row vp = rows_of_pattern, vn{}, distances = sizes;
    for (; text != end; ++text) {
      const Row& match = table[*text];
      for (std::uint32_t v = 0; v < kVectors; ++v) {
        const Vector equal = match.vector[v];
        const Vector xv = equal | vn.vector[v];
        const Vector xh = (((equal & vp.vector[v]) + vp.vector[v]) ^ vp.vector[v]) | equal;
        Vector hp = vn.vector[v] | ~(xh | vp.vector[v]);
        Vector hn = vp.vector[v] & xh;
        distances.vector[v] += (hp >> (kBits - 1)) - (hn >> (kBits - 1));
        hp = hp << 1 | 1;
        hn = hn << 1;
        vp.vector[v] = hn | ~(xv | hp);
        vn.vector[v] = hp & xv;
      }
    }
    return distances;
  }
};

template <int kVectorBytes>
void RunMatrix(const NumberedStrings& texts, const NumberedStrings& patterns, std::uint32_t longest_pattern,
               std::byte* table, std::uint32_t* distance) {
  if (longest_pattern <= 16) {
    MatrixLanes<std::uint16_t, kVectorBytes>::Run(texts, patterns, table, distance);
  } else if (longest_pattern <= 32) {
    MatrixLanes<std::uint32_t, kVectorBytes>::Run(texts, patterns, table, distance);
  } else {
    MatrixLanes<std::uint64_t, kVectorBytes>::Run(texts, patterns, table, distance);
  }
}

}  // namespace
}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_MATRIX_LANES_H_
