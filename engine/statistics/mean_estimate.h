// engine/statistics/mean_estimate.h: the mean of paired differences, how sure it is, and what it can tell:
// the paired t-test, its interval, two one-sided tests and its power. Distributions are Boost.Math's.
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

// Returns the p-value of the mean being outside (-margin, margin): the larger one of two one-sided tests
// (D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach", J.
// Pharmacokinet. Biopharm. 15, 1987). REQUIRES: margin > 0.
double EquivalenceTest(const MeanEstimate& estimate, double margin);

// Returns the smallest mean, other than 0, that a two-sided t-test at level `alpha` finds with this power, of
// as many units that are spread as these: from the noncentral t-distribution.
double DetectableMean(const MeanEstimate& estimate, double alpha, double power);

// Returns how many units in all, spread as these around the same mean, make the t-interval with this
// confidence leave out 0 or, if there is a margin, lie within (-margin, margin). RETURNS: nothing when none
// or more than 10^12 do.
std::optional<std::uint64_t> UnitsToDecide(const MeanEstimate& estimate, std::optional<double> margin,
                                           double confidence);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_MEAN_ESTIMATE_H_
