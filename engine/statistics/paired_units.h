// engine/statistics/paired_units.h: the data of paired statistics. A unit is drawn independently of the
// others: a record, or a cluster of records that depend on each other. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_
#define LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace leafscore::internal {

// The differences in a unit: now minus base.
struct Unit {
  double sum = 0;
  double count = 1;  // number of records
};

// Scores that differ by at most this count as equal, because the same score may be added up in different
// orders.
inline constexpr double kScoreRounding = 1e-12;

// Returns the sum of a unit's differences, or 0 if it is only a rounding error.
inline double SumOf(const Unit& unit) {
  return std::abs(unit.sum) <= kScoreRounding * unit.count ? 0 : unit.sum;
}

// If there are more units than this, resampling takes blocks of units.
inline constexpr std::size_t kMostBlocks = 4096;

// Returns the units or, if there are more than kMostBlocks, this number of blocks of neighbouring units.
// REQUIRES: the order of the units is as good as random, for example by the checksums of their ids, so that a
// block is a random sample of the units.
std::vector<Unit> BlocksOf(std::span<const Unit> units);

// Returns the sum of the values, with the same bits for any order. COST: two passes.
double OrderFreeTotal(std::span<const double> values);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_PAIRED_UNITS_H_
