#include "engine/statistics/pass_rates.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/hypergeometric.hpp>
#include <cmath>

namespace leafscore::internal {

Interval WilsonInterval(double share, double n) {
  const double centre = share + kNormal975 * kNormal975 / (2 * n);
  const double reach =
      kNormal975 * std::sqrt(share * (1 - share) / n + kNormal975 * kNormal975 / (4 * n * n));
  const double scale = 1 + kNormal975 * kNormal975 / n;
  // For a share of 0 or 1, one end equals that share, apart from rounding.
  return {share == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          share == 1 ? 1 : std::min(1.0, (centre + reach) / scale)};
}

Interval ExactInterval(std::uint64_t passed, std::uint64_t n) {
  using boost::math::binomial;
  constexpr double kTail = 0.025;
  const auto trials = static_cast<double>(n);
  const auto successes = static_cast<double>(passed);
  return {passed == 0 ? 0 : binomial::find_lower_bound_on_p(trials, successes, kTail),
          passed == n ? 1 : binomial::find_upper_bound_on_p(trials, successes, kTail)};
}

double PassAtK(std::uint64_t n, std::uint64_t c, std::uint64_t k) { return 1 - PassHatK(n, n - c, k); }

// C(c, k) / C(n, k) is the product of (c - i) / (n - i) for i < k, in which no number is large.
double PassHatK(std::uint64_t n, std::uint64_t c, std::uint64_t k) {
  if (c < k) return 0;
  double share = 1;
  for (std::uint64_t i = 0; i < k; ++i) share *= static_cast<double>(c - i) / static_cast<double>(n - i);
  return share;
}

std::optional<double> FlakeRate(const Askings& askings) {
  if (askings.lines < 2) return std::nullopt;
  const auto lines = static_cast<double>(askings.lines);
  const auto passed = static_cast<double>(askings.passed);
  return 2 * passed * (lines - passed) / (lines * (lines - 1));
}

WorseTest TestOfWorse(const Askings& base, const Askings& now) {
  if (base.lines == 0 || now.lines == 0) return {};
  const std::uint64_t passed = base.passed + now.passed;
  const boost::math::hypergeometric_distribution<double> of_now(passed, now.lines, base.lines + now.lines);
  const std::uint64_t fewest = passed > base.lines ? passed - base.lines : 0;
  return {std::min(1.0, cdf(of_now, now.passed)), std::min(1.0, cdf(of_now, fewest))};
}

double AskingNoiseShare(std::span<const RepeatedScores> tests, double standard_error) {
  if (standard_error == 0) return 0;
  double noise = 0;
  for (const RepeatedScores& test : tests) {
    noise += test.base_variance / static_cast<double>(test.base_lines) +
             test.now_variance / static_cast<double>(test.now_lines);
  }
  const double error = standard_error * static_cast<double>(tests.size());
  return noise / (error * error);
}

}  // namespace leafscore::internal
