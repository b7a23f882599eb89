#include "engine/statistics/looks.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <numbers>
#include <vector>

namespace leafscore::internal {
namespace {

double LogCosh(double x) { return std::abs(x) + std::log1p(std::exp(-2 * std::abs(x))) - std::numbers::ln2; }

// Returns the p-value 1/e of AnytimeP, at most 1, for units whose means add up to `total`.
// sum_of_log_cosh(theta) is the sum of log cosh(theta x).
template <class SumOfLogCosh>
double PForTotal(double total, const SumOfLogCosh& sum_of_log_cosh) {
  std::vector<double> logs;  // logarithms of the products, one for each theta
  for (int j = -4; j <= 14; ++j) {
    const double theta = std::exp2(j / 2.0);
    const double log_cosh = sum_of_log_cosh(theta);
    for (const double sign : {-1, 1}) logs.push_back(sign * theta * total - log_cosh);
  }
  const double largest = std::ranges::max(logs);
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - largest);
  const double log_e = largest + std::log(sum / static_cast<double>(logs.size()));
  return std::min(1.0, std::exp(-log_e));
}

}  // namespace

double SpentAlpha(double share, double alpha) {
  const boost::math::normal normal;
  return 2 * cdf(normal, quantile(normal, alpha / 2) / std::sqrt(std::min(share, 1.0)));
}

double AnytimeP(std::span<const Unit> units) {
  std::vector<double> means;
  for (const Unit& unit : units) {
    if (const double sum = SumOf(unit); sum != 0) means.push_back(sum / unit.count);
  }
  const double total = OrderFreeTotal(means);
  for (double& mean : means) mean = std::abs(mean);
  std::ranges::sort(means);
  return PForTotal(total, [&](double theta) {
    double log_cosh = 0;
    for (std::size_t begin = 0, end = 0; begin < means.size(); begin = end) {
      while (end < means.size() && means[end] == means[begin]) ++end;
      log_cosh += static_cast<double>(end - begin) * LogCosh(theta * means[begin]);
    }
    return log_cosh;
  });
}

double LeastAnytimeP(std::uint64_t units) {
  const auto count = static_cast<double>(units);
  return PForTotal(count, [&](double theta) { return count * LogCosh(theta); });
}

}  // namespace leafscore::internal
