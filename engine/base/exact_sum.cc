#include "engine/base/exact_sum.h"

#include <cmath>

namespace leafscore::internal {

std::optional<double> ExactMoments::Variance(std::uint64_t zeros) const {
  const std::uint64_t count = sum_.count_ + zeros;
  if (count < 2) return std::nullopt;
  // The mean is `mean` + `rest` / count units. The sum of the squared deviations from it is the sum of the
  // squares, minus mean * (sum + rest), minus rest^2 / count. The first two terms have up to 188 bits.
  const auto mean = static_cast<std::uint64_t>(sum_.sum_ / count);
  const auto rest = static_cast<std::uint64_t>(sum_.sum_ % count);
  const unsigned __int128 factor = sum_.sum_ + rest;
  const unsigned __int128 high = (factor >> 64) * mean;
  const unsigned __int128 low = static_cast<unsigned __int128>(static_cast<std::uint64_t>(factor)) * mean;
  const unsigned __int128 product = low + (high << 64);
  const auto product_carry = static_cast<std::uint64_t>(high >> 64) + (product < low);
  const unsigned __int128 difference = squares_ - product;
  const std::uint64_t difference_carry = squares_carry_ - product_carry - (squares_ < product);
  const double squares =
      std::ldexp(static_cast<double>(difference_carry), 128) + static_cast<double>(difference);
  const auto n = static_cast<double>(count);
  const auto r = static_cast<double>(rest);
  return std::ldexp((squares - r * r / n) / (n - 1), -124);
}

}  // namespace leafscore::internal
