// engine/base/rating_sums.h: how far raters agree over any number of items. The agreement is computed from
// sums, which do not depend on the order of the items. The sums of parts of a run can therefore be added.
// THREADS: one writer, as for an int.
#ifndef LEAFSCORE_ENGINE_BASE_RATING_SUMS_H_
#define LEAFSCORE_ENGINE_BASE_RATING_SUMS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/base/packed_bytes.h"

namespace leafscore::internal {

class RatingSums {
 public:
  // Adds an item with the raters' scores, which are rounded to six decimals.
  // REQUIRES: 0 <= score <= 1; at least two scores, and the same number for each item.
  void Add(std::span<const double> scores);
  // REQUIRES: items with the same number of raters.
  RatingSums& operator+=(const RatingSums& other);

  std::uint64_t items() const { return items_; }

  // Returns Krippendorff's alpha on an interval scale (engine/statistics/krippendorff_alpha.h).
  // RETURNS: nullopt if there are no items, or all their scores are equal.
  std::optional<double> Alpha() const;

  void Pack(PackedWriter& out) const;
  static RatingSums Unpack(PackedReader& in);

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t items_ = 0;
  std::uint64_t raters_ = 0;
  Wide sum_ = 0;      // sum of the scores, in millionths
  Wide squares_ = 0;  // sum of their squares
  Wide within_ = 0;   // sum of the squared differences between the scores of an item
};

// How far judges agree over some records.
struct RaterSums {
  RatingSums models;   // the models of a panel
  RatingSums samples;  // the answers of one model; each question is an item

  RaterSums& operator+=(const RaterSums& other) {
    models += other.models;
    samples += other.samples;
    return *this;
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_RATING_SUMS_H_
