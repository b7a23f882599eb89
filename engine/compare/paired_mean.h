// engine/compare/paired_mean.h: two means over the same records, their difference, and its significance.
//
// Records come unit by unit, sorted by the checksums of their ids. So figures have the same bits whatever the
// order of the lines. With more than 4,096 units, the interval is computed from 4,096 blocks of units. The
// order is as good as random, so each block is a random sample of the units.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/statistics/paired_units.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// The power for the smallest drop that the report calls detectable.
inline constexpr double kPower = 0.8;

// Fills the members of a figure that depend only on its units: the difference with its tests and its
// interval. REQUIRES: at least one unit. COST: the sign-flip test and its interval.
void FillTests(std::span<const Unit> units, const ComparisonOptions& options, ComparedFigure& figure);

// Fills the bounds, and the test of equivalence. The difference is `scale` times the mean of the units.
// REQUIRES: differences per record from -1 to 1; scale >= 1.
void FillBounds(std::span<const Unit> units, double scale, const ComparisonOptions& options,
                ComparedFigure& figure);

// Collects the data of one mean. THREADS: one at a time.
class PairedMean {
 public:
  // Makes room for `units` units, so that memory is allocated only once.
  void Reserve(std::size_t units) { units_.reserve(units); }

  // Adds a record. Records of one unit must be adjacent.
  void Add(std::uint32_t unit, double base, double now);

  std::uint64_t records() const { return records_; }
  std::uint64_t units() const { return units_.size(); }

  // Returns the standard error of the difference; nullopt for fewer than two units.
  std::optional<double> StandardError() const;

  // Returns how many units of equal size would have as much information: the square of the number of records,
  // divided by the sum of the squares of the units' numbers of records.
  double EffectiveUnits() const;

  // Returns all figures except the verdict and the correction for the family. Without records, nothing is
  // computed. COST: the sign-flip test and its interval; sorts the differences.
  ComparedFigure Figure(const ComparisonOptions& options) const;

 private:
  std::vector<Unit> units_;
  std::uint32_t last_unit_ = 0;
  std::uint64_t records_ = 0;
  double base_ = 0;
  double now_ = 0;
  std::uint64_t wins_ = 0;
  std::uint64_t losses_ = 0;
  bool has_fractions_ = false;  // some score is neither 0 nor 1
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRED_MEAN_H_
