#include "engine/statistics/mean_estimate.h"

#include <algorithm>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <cstdint>
#include <utility>

namespace leafscore::internal {
namespace {

using boost::math::cdf;
using boost::math::complement;
using boost::math::quantile;
using StudentsT = boost::math::students_t;

// Returns how far the interval extends to each side, in standard errors.
double Reach(double degrees_of_freedom, double confidence) {
  return quantile(complement(StudentsT(degrees_of_freedom), (1 - confidence) / 2));
}

// Returns the chance that a t-statistic is above `critical` or below -critical, if the mean is `shift`
// standard errors away from 0.
double Power(double degrees_of_freedom, double critical, double shift) {
  const boost::math::non_central_t distribution(degrees_of_freedom, shift);
  return cdf(complement(distribution, critical)) + cdf(distribution, -critical);
}

}  // namespace

std::optional<MeanEstimate> EstimateMean(std::span<const Unit> units) {
  if (units.size() < 2) return std::nullopt;
  double sum = 0;
  double count = 0;
  for (const Unit& unit : units) {
    sum += unit.sum;
    count += unit.count;
  }
  MeanEstimate estimate{.mean = sum / count};
  double squares = 0;
  for (const Unit& unit : units) {
    const double residual = unit.sum - estimate.mean * unit.count;
    squares += residual * residual;
  }
  const auto size = static_cast<double>(units.size());
  estimate.degrees_of_freedom = size - 1;
  estimate.standard_error = std::sqrt(size / (size - 1) * squares) / count;
  return estimate;
}

double PairedTTest(const MeanEstimate& estimate) {
  if (estimate.standard_error == 0) return estimate.mean == 0 ? 1 : 0;
  const double t = std::abs(estimate.mean) / estimate.standard_error;
  return std::min(1.0, 2 * cdf(complement(StudentsT(estimate.degrees_of_freedom), t)));
}

Interval TInterval(const MeanEstimate& estimate, double confidence) {
  const double reach = Reach(estimate.degrees_of_freedom, confidence) * estimate.standard_error;
  return {estimate.mean - reach, estimate.mean + reach};
}

double DetectableMean(const MeanEstimate& estimate, double alpha, double power) {
  const double critical = Reach(estimate.degrees_of_freedom, 1 - alpha);
  double most = 1;
  while (Power(estimate.degrees_of_freedom, critical, most) < power) most *= 2;
  std::uintmax_t steps = 200;
  const auto [low, high] = boost::math::tools::toms748_solve(
      [&](double shift) { return Power(estimate.degrees_of_freedom, critical, shift) - power; }, 0.0, most,
      boost::math::tools::eps_tolerance<double>(40), steps);
  return (low + high) / 2 * estimate.standard_error;
}

}  // namespace leafscore::internal
