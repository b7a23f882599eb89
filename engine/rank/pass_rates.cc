#include "engine/rank/pass_rates.h"

#include <algorithm>
#include <cmath>

namespace leafscore::internal {

Interval WilsonInterval(double share, double n) {
  constexpr double kZ = 1.959963984540054;  // 97.5% of the normal distribution lie below
  const double centre = share + kZ * kZ / (2 * n);
  const double reach = kZ * std::sqrt(share * (1 - share) / n + kZ * kZ / (4 * n * n));
  const double scale = 1 + kZ * kZ / n;
  // The ends of a share of 0 or 1 are that share, but for rounding.
  return {share == 0 ? 0 : std::max(0.0, (centre - reach) / scale),
          share == 1 ? 1 : std::min(1.0, (centre + reach) / scale)};
}

double PassAtK(std::uint64_t n, std::uint64_t c, std::uint64_t k) { return 1 - PassHatK(n, n - c, k); }

// C(c, k) / C(n, k) = the product of (c - i) / (n - i) for i < k: of numbers that are never large.
double PassHatK(std::uint64_t n, std::uint64_t c, std::uint64_t k) {
  if (c < k) return 0;
  double share = 1;
  for (std::uint64_t i = 0; i < k; ++i) share *= static_cast<double>(c - i) / static_cast<double>(n - i);
  return share;
}

}  // namespace leafscore::internal
