// kernels/banded_strips.h: long patterns, strip by strip, in Ukkonen's band.
//
// E. Ukkonen, "Algorithms for approximate string matching", Information and Control 64, 1985: an alignment of
// at most k edits, of m rows and n >= m columns, stays on the diagonals (column - row) from -e to n - m + e,
// where e = (k - (n - m)) / 2. A strip needs only the columns that these diagonals cross. Outside the band,
// each step from cell to cell is taken to cost one edit. Some alignment has the resulting cost, so the result
// is never too small, and it is exact if it is at most k. The first k is extrapolated from the first rows. If
// the result exceeds this k, it becomes the k of a second pass.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_BANDED_STRIPS_H_
#define LEAFSCORE_KERNELS_BANDED_STRIPS_H_

#include <cstdint>

#include "kernels/pair_groups.h"
#include "kernels/workspace.h"

namespace leafscore::internal {

template <typename V>
class BandedStrips {
 public:
  BandedStrips(const WordPair& pair, const StripArrays& space) : pair_(pair), space_(space) {}

  // RETURNS: the distance.
  std::uint32_t Distance() {
    if (pair_.pattern_size < kBandedFrom)
      return RunPass(pair_.pattern_size, pair_.text_size, pair_.text_size);
    const std::uint32_t limit = GuessLimit();
    const std::uint32_t distance = RunPass(pair_.pattern_size, pair_.text_size, limit);
    return distance <= limit ? distance : RunPass(pair_.pattern_size, pair_.text_size, distance);
  }

 private:
  static constexpr std::uint32_t kSampleRows = 1024;  // whole strips of every instruction set
  static constexpr std::uint32_t kBandedFrom = 2 * kSampleRows;

  // Returns the horizontal difference at a column, along the row above the next strip.
  std::int64_t Difference(std::uint32_t column) const {
    return std::int64_t{1} - static_cast<std::int64_t>(space_.not_hp[column] >> 63) -
           static_cast<std::int64_t>(space_.hn[column] >> 63);
  }

  std::int64_t SumDifferences(std::uint32_t from, std::uint32_t to) const {
    std::int64_t sum = 0;
    for (std::uint32_t j = from; j < to; ++j) sum += Difference(j);
    return sum;
  }

  // Returns a limit that the distance probably does not exceed: the edits of the first rows, scaled up, plus
  // a quarter.
  std::uint32_t GuessLimit() {
    const std::uint32_t surplus = pair_.text_size - pair_.pattern_size;
    const std::uint32_t columns = Min(pair_.text_size, kSampleRows + surplus + kSampleRows / 2);
    RunPass(kSampleRows, columns, columns);
    std::int64_t here = kSampleRows;
    std::int64_t fewest = here;
    for (std::uint32_t j = 0; j < columns; ++j) {
      here += Difference(j);
      if (here < fewest) fewest = here;
    }
    const std::uint64_t expected = static_cast<std::uint64_t>(fewest) * pair_.pattern_size / kSampleRows;
    const std::uint64_t limit = surplus + expected + expected / 4 + 64;
    return limit < pair_.text_size ? static_cast<std::uint32_t>(limit) : pair_.text_size;
  }

  // Computes the first `rows` rows and `columns` columns of the table, as far as `limit` edits need them.
  // REQUIRES: limit >= columns - rows.
  // RETURNS: the distance if it is at most `limit`. Otherwise an upper bound of the distance, at most rows +
  // columns.
  std::uint32_t RunPass(std::uint32_t rows, std::uint32_t columns, std::uint32_t limit) {
    // The row above all strips counts 1, 2, 3, ...: all differences are +1.
    for (std::uint32_t j = 0; j < columns; ++j) space_.not_hp[j] = space_.hn[j] = 0;
    // If the limit is at least `columns`, no cell is outside the band; the pattern may then be longer than
    // the text.
    const bool banded = limit < columns;
    const std::uint32_t surplus = banded ? columns - rows : 0;
    const std::uint32_t reach = banded ? (limit - surplus + 1) / 2 : rows + columns;
    std::int64_t corner = 0;  // the value of the table at (row, begin)
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0;; row += V::kStripRows) {
      const std::uint32_t strip_rows = Min(V::kStripRows, rows - row);
      const std::uint32_t next_begin = row > reach ? row - reach : 0;
      corner += SumDifferences(begin, next_begin);
      begin = next_begin;
      const std::uint32_t end = Min(columns, row + strip_rows + surplus + reach);
      const StripArrays strip = {
          .match = space_.match, .not_hp = space_.not_hp + begin, .hn = space_.hn + begin};
      const bool last = row + strip_rows == rows;
      if (last) corner += SumDifferences(begin, end);
      const std::int64_t last_column =
          V::RunStrip(pair_.pattern + row, strip_rows, pair_.text + begin, end - begin, strip);
      if (last) return static_cast<std::uint32_t>(corner + last_column);
      corner += strip_rows;
    }
  }

  static std::uint32_t Min(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

  const WordPair& pair_;
  const StripArrays& space_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_BANDED_STRIPS_H_
