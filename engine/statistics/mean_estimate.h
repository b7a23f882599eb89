// engine/statistics/mean_estimate.h: the mean of paired differences, how sure it is, and what it can tell:
// the paired t-test, its interval and its power. Distributions are Boost.Math's.
// Stateless.
//
// Clusters have the standard error of D. Miller, "Adding error bars to evals", arXiv:2411.00640, with the
// factor of A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference", J. Hum.
// Resour. 50, 2015. For units of one difference each it is that of the paired t-test.
#ifndef LEAFSCORE_ENGINE_STATISTICS_MEAN_ESTIMATE_H_
#define LEAFSCORE_ENGINE_STATISTICS_MEAN_ESTIMATE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "engine/statistics/paired_units.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;      // 0 when no unit differs from the mean
  double degrees_of_freedom = 0;  // the units less one
};

// RETURNS: nothing for less than two units, of which nothing tells how far they are spread.
std::optional<MeanEstimate> EstimateMean(std::span<const Unit> units);

// Returns the two-sided p-value of the mean being 0. Without a standard error: 1 or 0.
double PairedTTest(const MeanEstimate& estimate);

// Returns the interval that holds the mean with this confidence, as 0.95.
Interval TInterval(const MeanEstimate& estimate, double confidence);

// Returns the smallest mean, other than 0, that a two-sided t-test at level `alpha` finds with this power, of
// as many units that are spread as these: from the noncentral t-distribution.
double DetectableMean(const MeanEstimate& estimate, double alpha, double power);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_MEAN_ESTIMATE_H_
