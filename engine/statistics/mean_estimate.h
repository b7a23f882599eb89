// engine/statistics/mean_estimate.h: the mean of paired differences and its standard error, and the paired
// t-test with its interval and its power. Distributions are Boost.Math's. Stateless.
//
// The standard error for clusters is from D. Miller, "Adding error bars to evals", arXiv:2411.00640, with the
// factor from A. C. Cameron and D. L. Miller, "A practitioner's guide to cluster-robust inference", J. Hum.
// Resour. 50, 2015. For units with one difference each, it equals the standard error in the paired t-test.
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
  double standard_error = 0;      // 0 if all units equal the mean
  double degrees_of_freedom = 0;  // the number of units minus 1
};

// RETURNS: nullopt for fewer than two units, because their spread is unknown.
std::optional<MeanEstimate> EstimateMean(std::span<const Unit> units);

// Returns the two-sided p-value of the hypothesis that the mean is 0. If the standard error is 0, p is 1 if
// the estimated mean is 0, and 0 otherwise.
double PairedTTest(const MeanEstimate& estimate);

// Returns the interval that contains the mean with this confidence, for example 0.95.
Interval TInterval(const MeanEstimate& estimate, double confidence);

// Returns the smallest mean above 0 that a two-sided t-test at level `alpha` finds with this power, if the
// number of units and the spread stay the same. It is computed from the noncentral t-distribution.
double DetectableMean(const MeanEstimate& estimate, double alpha, double power);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_MEAN_ESTIMATE_H_
