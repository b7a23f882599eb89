// kernels/lane_band.h: eight pairs in eight lanes, and the part of their tables that must be computed.
//
// All texts end in the same column, so that no lane has to stop; shorter texts begin later. A lane needs only
// Ukkonen's band of its table (see kernels/banded_strips.h): with at most k edits, an alignment stays within
// e = (k - |m - n|) / 2 of the diagonals through both corners. A group computes the band that covers all its
// lanes. A distance up to the limit k is exact; a larger one is an upper bound.
//
// V names an instruction set, see kernels/simd_batch.h.
#ifndef LEAFSCORE_KERNELS_LANE_BAND_H_
#define LEAFSCORE_KERNELS_LANE_BAND_H_

#include <cstdint>

#include "kernels/lane_space.h"
#include "kernels/pair_groups.h"

namespace leafscore::internal {

template <typename V>
class LaneBand {
 public:
  static constexpr std::uint32_t kLanes = LaneSpace::kLanes;

  // A range of columns or words: [begin, end).
  struct Range {
    std::uint32_t begin, end;
  };

  // REQUIRES: 1 to kLanes pairs, which do not move; neither string of a pair is empty.
  LaneBand(const WordPair* pairs, std::uint32_t count) : pairs_(pairs), count_(count) {
    for (std::uint32_t q = 0; q < count; ++q) {
      if (pairs[q].text_size > longest_) longest_ = pairs[q].text_size;
      if (pairs[q].text_size < shortest_) shortest_ = pairs[q].text_size;
      if (pairs[q].pattern_size > rows_) rows_ = pairs[q].pattern_size;
    }
    for (std::uint32_t q = 0; q < count; ++q) {
      start_[q] = static_cast<std::int32_t>(longest_ - pairs[q].text_size);
      SetLimit(q, Longer(q));  // no distance exceeds this
    }
  }

  std::uint32_t count() const { return count_; }
  std::uint32_t words() const { return (rows_ + 63) / 64; }
  std::uint32_t columns() const { return longest_; }
  std::uint32_t start(std::uint32_t q) const { return static_cast<std::uint32_t>(start_[q]); }

  // Returns the first column at which every lane has begun, or one past the last column if a lane has no
  // pair.
  std::uint32_t last_start() const { return count_ < kLanes ? longest_ : longest_ - shortest_; }
  // The last column at which a pair begins.
  std::uint32_t last_text_start() const { return longest_ - shortest_; }

  // Computes only what at most `limit` edits of a pair need.
  void SetLimit(std::uint32_t q, std::uint32_t limit) {
    const std::int32_t surplus = Surplus(q);
    limit_[q] = limit < Longer(q) ? limit : Longer(q);
    const std::int32_t reach = (static_cast<std::int32_t>(limit_[q]) - surplus) / 2 + 1;
    const bool is_text_longer = pairs_[q].text_size > pairs_[q].pattern_size;
    rows_below_[q] = reach + (is_text_longer ? 0 : surplus);
    rows_above_[q] = reach + (is_text_longer ? surplus : 0);
  }

  // Computes nothing more for a pair.
  void GiveUp(std::uint32_t q) { given_up_ |= 1u << q; }

  // RETURNS: whether a result for a pair is its distance.
  bool IsExact(std::uint32_t q, std::uint32_t result) const { return !IsGivenUp(q) && result <= limit_[q]; }

  // RETURNS: |m - n|, the least possible distance.
  std::int32_t Surplus(std::uint32_t q) const {
    const auto difference = static_cast<std::int32_t>(pairs_[q].text_size - pairs_[q].pattern_size);
    return difference < 0 ? -difference : difference;
  }

  // RETURNS: the words that these columns need.
  Range WordsOf(Range columns) const {
    std::int32_t low = static_cast<std::int32_t>(longest_), high = 0;
    for (std::uint32_t q = 0; q < count_; ++q) {
      if (IsGivenUp(q)) continue;
      low = Min(low, static_cast<std::int32_t>(columns.begin) - start_[q] - rows_above_[q]);
      high = Max(high, Min(static_cast<std::int32_t>(columns.end) - start_[q] + rows_below_[q],
                           static_cast<std::int32_t>(pairs_[q].pattern_size)));
    }
    return {static_cast<std::uint32_t>(Max(low, 0)) / 64, (static_cast<std::uint32_t>(high) + 63) / 64};
  }

  // RETURNS: the columns that these words need; the range may be empty.
  Range ColumnsOf(Range words) const {
    std::int32_t low = static_cast<std::int32_t>(longest_), high = 0;
    for (std::uint32_t q = 0; q < count_; ++q) {
      if (IsGivenUp(q)) continue;
      low = Min(low, start_[q] + static_cast<std::int32_t>(64 * words.begin) - rows_below_[q]);
      high = Max(high, start_[q] + static_cast<std::int32_t>(64 * words.end) + rows_above_[q]);
    }
    return {static_cast<std::uint32_t>(Max(low, 0)),
            static_cast<std::uint32_t>(Min(high, static_cast<std::int32_t>(longest_)))};
  }

 private:
  static std::int32_t Min(std::int32_t a, std::int32_t b) { return a < b ? a : b; }
  static std::int32_t Max(std::int32_t a, std::int32_t b) { return a < b ? b : a; }

  std::uint32_t Longer(std::uint32_t q) const {
    return pairs_[q].text_size < pairs_[q].pattern_size ? pairs_[q].pattern_size : pairs_[q].text_size;
  }
  bool IsGivenUp(std::uint32_t q) const { return (given_up_ >> q & 1) != 0; }

  const WordPair* pairs_;
  std::uint32_t count_;
  std::uint32_t longest_ = 0, shortest_ = ~0u, rows_ = 0;
  std::uint32_t given_up_ = 0;
  std::int32_t start_[kLanes];  // the column in which a lane's text begins
  std::uint32_t limit_[kLanes];
  std::int32_t rows_below_[kLanes], rows_above_[kLanes];  // the band's extent from the diagonal at the start
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_KERNELS_LANE_BAND_H_
