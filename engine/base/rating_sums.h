// engine/base/rating_sums.h: how far raters agree over any number of items, in sums that depend on no order,
// so that parts of a run may be added. THREADS: one writer, as for an int.
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
  // Adds an item that raters have given these scores; each counts to six decimals.
  // REQUIRES: 0 <= score <= 1; at least two, and as many for each item.
  void Add(std::span<const double> scores);
  // REQUIRES: items of as many raters.
  RatingSums& operator+=(const RatingSums& other);

  std::uint64_t items() const { return items_; }

  // Returns Krippendorff's alpha on an interval scale (engine/statistics/krippendorff_alpha.h).
  // RETURNS: nothing when there are no items, or all their scores are equal.
  std::optional<double> Alpha() const;

  void Pack(PackedWriter& out) const;
  static RatingSums Unpack(PackedReader& in);

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t items_ = 0;
  std::uint64_t raters_ = 0;
  Wide sum_ = 0;      // of the scores, in millionths
  Wide squares_ = 0;  // of their squares
  Wide within_ = 0;   // of the squared differences of the pairs of scores in each item
};

// How far those agree who judged some records.
struct VoiceSums {
  RatingSums models;   // of a panel
  RatingSums samples;  // of one model, each question an item

  VoiceSums& operator+=(const VoiceSums& other) {
    models += other.models;
    samples += other.samples;
    return *this;
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_BASE_RATING_SUMS_H_
