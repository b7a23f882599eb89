// engine/compare/paired_mean.h: two means over the same records, their difference, and what it tells.
//
// Records come unit by unit in one order for all means, that of their ids' checksums, so that figures have
// the same bits for any order of the lines. Beyond 4,096 units, the interval is that of 4,096 blocks of them:
// the order being as good as random, a block is a random sample of the units.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/statistics/paired_units.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// The power with which a drop is said to be seen.
inline constexpr double kPower = 0.8;

// Gathers what is known of one mean. THREADS: one at a time.
class PairedMean {
 public:
  // Makes room for so many units, so that memory of many is taken once.
  void Reserve(std::size_t units) { units_.reserve(units); }

  // Adds a record. Records of one unit come one after the other.
  void Add(std::uint32_t unit, double base, double now);

  std::uint64_t records() const { return records_; }
  std::uint64_t units() const { return units_.size(); }

  // Returns the standard error of the difference; nothing for less than two units.
  std::optional<double> StandardError() const;

  // Returns how many units of one size would tell as much: the square of the records over the sum of the
  // squares of each unit's.
  double EffectiveUnits() const;

  // Returns all figures but the verdict and what is corrected for the family. Without a record there are
  // none. COST: that of the sign-flip test and its interval; sorts the differences.
  ComparedFigure Figure(const ComparisonOptions& options) const;

 private:
  std::vector<Unit> units_;
  std::uint32_t last_unit_ = 0;
  std::uint64_t records_ = 0;
  double base_ = 0;
  double now_ = 0;
  std::uint64_t wins_ = 0;
  std::uint64_t losses_ = 0;
  bool has_fractions_ = false;  // a score is neither 0 nor 1
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
