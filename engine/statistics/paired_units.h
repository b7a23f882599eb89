// engine/statistics/paired_units.h: what paired statistics are made of. A unit is what was drawn
// independently: a record, or a cluster of records that depend on each other. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_
#define LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace leafscore::internal {

// The differences of a unit, now less base.
struct Unit {
  double sum = 0;
  double count = 1;  // records
};

// Scores that differ by no more are equal: the same score is computed in more than one order of additions.
inline constexpr double kScoreRounding = 1e-12;

// Returns the sum of a unit's differences, 0 where rounding alone made it.
inline double SumOf(const Unit& unit) {
  return std::abs(unit.sum) <= kScoreRounding * unit.count ? 0 : unit.sum;
}

// Resampling beyond this many units takes blocks of them.
inline constexpr std::size_t kMostBlocks = 4096;

// Returns the units, or kMostBlocks blocks of neighbours where there are more. REQUIRES: the order of the
// units is as good as random, as that of their ids' checksums is; then a block is a random sample of the
// units.
std::vector<Unit> BlocksOf(std::span<const Unit> units);

// Returns the sum of the values, which has the same bits for any order of them. COST: two passes.
double OrderFreeTotal(std::span<const double> values);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_
