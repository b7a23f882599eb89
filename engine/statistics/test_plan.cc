#include "engine/statistics/test_plan.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/non_central_t.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "engine/statistics/families.h"

namespace leafscore::internal {
namespace {

using boost::math::binomial;
using boost::math::cdf;
using boost::math::complement;
using boost::math::pdf;
using boost::math::quantile;

// Returns how many of `turned` changed verdicts may be rises at most, so that McNemar's p is still below
// alpha; -1 if even 0 rises are too many. The search starts at the normal approximation, which is off by at
// most a few.
std::int64_t MostRises(std::int64_t turned, double alpha) {
  const auto size = static_cast<double>(turned);
  const binomial fair(size, 0.5);
  const auto few_enough = [&](std::int64_t rises) {
    return 2 * rises < turned && 2 * cdf(fair, static_cast<double>(rises)) < alpha;
  };
  const double z = quantile(complement(boost::math::normal(), alpha / 2));
  auto rises = static_cast<std::int64_t>(std::clamp((size - z * std::sqrt(size)) / 2, 0.0, size / 2));
  while (rises >= 0 && !few_enough(rises)) --rises;
  while (few_enough(rises + 1)) ++rises;
  return rises;
}

}  // namespace

double VerdictPower(std::uint64_t records, double churn, double drop, double alpha) {
  const auto size = static_cast<double>(records);
  const binomial turning(size, churn);
  const double rising = (churn - drop) / (2 * churn);  // share of rises among the changed verdicts
  // Less than 1e-17 of the distribution is beyond this reach.
  const double reach = 9 * std::sqrt(size * churn * (1 - churn)) + 50;
  const auto first = static_cast<std::int64_t>(std::max(0.0, std::floor(size * churn - reach)));
  const auto last = static_cast<std::int64_t>(std::min(size, std::ceil(size * churn + reach)));
  // If there are many terms, some represent their neighbours, which have about the same power.
  constexpr std::int64_t kMostTerms = 2000;
  const std::int64_t stride = 1 + (last - first) / kMostTerms;
  double power = 0;
  for (std::int64_t turned = std::max<std::int64_t>(first, 1); turned <= last; turned += stride) {
    const std::int64_t rises = MostRises(turned, alpha);
    if (rises < 0) continue;
    const binomial rise(static_cast<double>(turned), rising);
    power += static_cast<double>(stride) * pdf(turning, static_cast<double>(turned)) *
             cdf(rise, static_cast<double>(rises));
  }
  return std::min(1.0, power);
}

double ScorePower(std::uint64_t records, double sd, double drop, double alpha, ScoreDrop kind) {
  if (!CouldFail(records, 1, alpha)) return 0;
  constexpr double kCertain = 40;  // standard errors beyond the critical value
  const auto size = static_cast<double>(records);
  const double spread = kind == ScoreDrop::kAllALittle ? sd : std::sqrt(sd * sd + drop * (1 - drop));
  if (spread == 0) return drop > 0 ? 1 : 0;
  const double shift = drop * std::sqrt(size) / spread;
  const double critical = quantile(complement(boost::math::students_t(size - 1), alpha / 2));
  if (shift > 2 * critical + kCertain) return 1;
  const boost::math::non_central_t distribution(size - 1, shift);
  return cdf(complement(distribution, critical)) + cdf(distribution, -critical);
}

std::optional<std::uint64_t> RecordsForPower(const std::function<double(std::uint64_t)>& power_of_records,
                                             double power) {
  std::uint64_t enough = 4;
  while (power_of_records(enough) < power) {
    enough *= 2;
    if (enough > kMostPlanned) return std::nullopt;
  }
  std::uint64_t too_few = enough / 2;
  while (enough - too_few > 1) {
    const std::uint64_t middle = too_few + (enough - too_few) / 2;
    (power_of_records(middle) < power ? too_few : enough) = middle;
  }
  return enough;
}

std::optional<double> DropForPower(const std::function<double(double)>& power_of_drop, double power,
                                   double most) {
  constexpr double kCloseEnough = 1e-6;
  if (power_of_drop(most) < power) return std::nullopt;
  double too_small = 0;
  double enough = most;
  while (enough - too_small > kCloseEnough) {
    const double middle = (too_small + enough) / 2;
    (power_of_drop(middle) < power ? too_small : enough) = middle;
  }
  return enough;
}

double ConditionalPowerOf(const Interim& interim, std::uint64_t in_all, double drift, double alpha) {
  const boost::math::normal normal;
  const auto all = static_cast<double>(in_all);
  const double share = static_cast<double>(interim.units) / all;
  const double z =
      std::copysign(quantile(complement(normal, std::max(interim.p, 1e-300) / 2)), interim.difference);
  const double critical = quantile(complement(normal, alpha / 2));
  const double mean = z * std::sqrt(share) + drift * std::sqrt(all) * (1 - share) / interim.sd;
  const double rest = std::sqrt(1 - share);
  return cdf(complement(normal, (critical - mean) / rest)) + cdf(normal, (-critical - mean) / rest);
}

}  // namespace leafscore::internal
