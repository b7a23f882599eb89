// kernels/myers.h: the bit-parallel edit distance on 64-bit words.
//
// G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic programming", J.
// ACM 46(3), 1999; H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances",
// Nordic J. Computing 10, 2003. A word represents 64 rows of one column of the table by the differences
// between neighbouring rows: bit i of vp (vn) says that row i is one more (less) than row i - 1. A step
// advances a word from one column to the next.
//
// A pattern with more rows is cut into strips of kStripWords words. A strip runs over the whole text before
// the next one starts, so its match words stay in the first-level cache. The next strip starts from the
// horizontal differences along its last row.
#ifndef LEAFSCORE_KERNELS_MYERS_H_
#define LEAFSCORE_KERNELS_MYERS_H_

#include <bit>
#include <cstdint>

namespace leafscore::internal {

inline constexpr std::uint32_t kWordRows = 64;
inline constexpr int kStripWords = 4;
inline constexpr std::uint32_t kStripRows = kStripWords * kWordRows;

struct MyersWord {
  std::uint64_t vp = ~std::uint64_t{0};  // column 0 of the table counts 1, 2, 3, ...
  std::uint64_t vn = 0;
};

// The horizontal difference along one row boundary: +1, -1 or, with both bits clear, 0.
struct Carry {
  std::uint8_t plus;
  std::uint8_t minus;
};

// Advances `word` by one column.
// REQUIRES: bit i of `equal` says whether pattern row i equals the column's character; `above` is the
// difference along the row above the word.
// RETURNS: the difference along the last row of the word.
inline Carry MyersStep(std::uint64_t equal, Carry above, MyersWord& word) {
  const std::uint64_t xv = equal | word.vn;
  equal |= above.minus;
  const std::uint64_t xh = (((equal & word.vp) + word.vp) ^ word.vp) | equal;
  std::uint64_t hp = word.vn | ~(xh | word.vp);
  std::uint64_t hn = word.vp & xh;
  const Carry below = {static_cast<std::uint8_t>(hp >> 63), static_cast<std::uint8_t>(hn >> 63)};
  hp = hp << 1 | above.plus;
  hn = hn << 1 | above.minus;
  word.vp = hn | ~(xv | hp);
  word.vn = hp & xv;
  return below;
}

// RETURNS: the sum of the first `rows` (at least 1) vertical differences of a word.
inline std::int32_t SumRows(const MyersWord& word, std::uint32_t rows) {
  const std::uint64_t mask = rows >= kWordRows ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
  return std::popcount(word.vp & mask) - std::popcount(word.vn & mask);
}

// Advances the `words` of a strip of at most kWords * 64 rows over the columns of a text.
// REQUIRES: match[s * kWords + w] is zero for every symbol s; it is zero again afterwards. Without
// kOnlyStrip, carries[0, text_size) has the differences along the row above the strip. With kOnlyStrip,
// `carries` is neither read nor written: the row above the strip counts 1, 2, 3, ...
// RETURNS: in `words`, the last column; without kOnlyStrip, in `carries`, the differences along the last row
// of the last word.
template <int kWords, bool kOnlyStrip, typename Symbol>
void RunColumns(const Symbol* pattern, std::uint32_t rows, const Symbol* text, std::uint32_t text_size,
                std::uint64_t* match, Carry* carries, MyersWord (&words)[kWords]) {
  for (std::uint32_t i = 0; i < rows; ++i) {
    match[pattern[i] * kWords + i / kWordRows] |= std::uint64_t{1} << i % kWordRows;
  }
  MyersWord column[kWords];  // a copy, which no store below can alias
  for (int w = 0; w < kWords; ++w) column[w] = words[w];
  for (std::uint32_t j = 0; j < text_size; ++j) {
    const std::uint64_t* equal = match + text[j] * kWords;
    Carry carry = kOnlyStrip ? Carry{1, 0} : carries[j];
    for (int w = 0; w < kWords; ++w) carry = MyersStep(equal[w], carry, column[w]);
    if constexpr (!kOnlyStrip) carries[j] = carry;
  }
  for (int w = 0; w < kWords; ++w) words[w] = column[w];
  for (std::uint32_t i = 0; i < rows; ++i) match[pattern[i] * kWords + i / kWordRows] = 0;
}

// Runs one strip over the whole text, from the table's left edge, like RunColumns.
// RETURNS: the sum of the vertical differences of the last column over all rows. `carries` is as after
// RunColumns.
template <int kWords, bool kOnlyStrip, typename Symbol>
std::int32_t RunStrip(const Symbol* pattern, std::uint32_t rows, const Symbol* text, std::uint32_t text_size,
                      std::uint64_t* match, Carry* carries) {
  MyersWord words[kWords];
  RunColumns<kWords, kOnlyStrip>(pattern, rows, text, text_size, match, carries, words);
  std::int32_t sum = 0;
  for (std::uint32_t i = 0; i < rows; i += kWordRows) sum += SumRows(words[i / kWordRows], rows - i);
  return sum;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_MYERS_H_
