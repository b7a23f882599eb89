// engine/statistics/bca_bootstrap.h: intervals for means that need no distribution of what they are means of:
// the bias-corrected and accelerated bootstrap (B. Efron, "Better bootstrap confidence intervals", J. Amer.
// Statist. Assoc. 82, 1987). Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_STATISTICS_BCA_BOOTSTRAP_H_
#define LEAFSCORE_ENGINE_STATISTICS_BCA_BOOTSTRAP_H_

#include <optional>
#include <span>
#include <vector>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

struct BcaMean {
  Interval interval;
  // Two-sided, of the mean being 0: the interval with confidence 1 - p ends there. None where 0 is beyond all
  // resamples, so that p is below what they can tell, about 2 in 10,000.
  std::optional<double> p;
};

// Returns for each of several means the interval that holds it with this confidence, from the same 10,000
// resamples of the units, drawn with a fixed seed. `counts` has how many records each unit is of; `sums` has
// what they sum up to for each mean: [unit * means + mean]. The mean is the sum of all over the count of all.
// REQUIRES: a unit at least; its counts are above 0.
// RETURNS:  the mean itself, twice, where it is the same in all resamples, as it is of one unit.
// COST:     a nanosecond or two for each resample and unit, and another for each mean.
std::vector<BcaMean> BcaMeans(std::span<const double> counts, std::span<const double> sums,
                              double confidence);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_BCA_BOOTSTRAP_H_
