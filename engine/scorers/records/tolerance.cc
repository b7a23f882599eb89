#include "engine/scorers/records/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace leafscore::internal {
namespace {

__extension__ using Digits = __int128;

// digits * 10^exponent
struct Decimal {
  Digits digits = 0;
  int exponent = 0;
};

// Digits that fit with room for a sum of two.
constexpr int kMostDigits = 37;

int DigitCount(Digits digits) {
  int count = 0;
  for (; digits != 0; digits /= 10) ++count;
  return count;
}

// Returns the shortest decimal of a finite number that is not negative; it has at most 17 digits.
Decimal DecimalOf(double number) {
  fmt::memory_buffer buffer;
  fmt::format_to(fmt::appender(buffer), "{}", number);
  Decimal decimal;
  bool behind_point = false;
  const std::string_view text(buffer.data(), buffer.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      behind_point = true;
    } else if (text[i] == 'e') {
      int exponent = 0;
      const std::size_t begin = text[i + 1] == '+' ? i + 2 : i + 1;
      std::from_chars(text.data() + begin, text.data() + text.size(), exponent);
      decimal.exponent += exponent;
      break;
    } else {
      decimal.digits = decimal.digits * 10 + (text[i] - '0');
      decimal.exponent -= behind_point;
    }
  }
  return decimal;
}

// Multiplies the digits until the exponent is as given. RETURNS: false where there are too many.
bool Lower(Decimal& decimal, int exponent) {
  const int zeros = decimal.exponent - exponent;
  if (decimal.digits == 0 || zeros <= 0) return true;
  if (DigitCount(decimal.digits) + zeros > kMostDigits) return false;
  for (int i = 0; i < zeros; ++i) decimal.digits *= 10;
  decimal.exponent = exponent;
  return true;
}

// Decides in decimals; nothing where these have too many digits.
std::optional<bool> IsWithinInDecimals(double expected, double actual, double tolerance, bool relative) {
  Decimal e = DecimalOf(std::abs(expected));
  Decimal a = DecimalOf(std::abs(actual));
  Decimal most = DecimalOf(tolerance);
  if (relative) {
    most.digits *= e.digits;  // of 17 digits each
    most.exponent += e.exponent;
  }
  int least = std::numeric_limits<int>::max();
  for (const Decimal* const decimal : {&e, &a, &most}) {
    if (decimal->digits != 0) least = std::min(least, decimal->exponent);
  }
  if (!Lower(e, least) || !Lower(a, least) || !Lower(most, least)) return std::nullopt;
  const Digits difference = (expected < 0 ? -e.digits : e.digits) - (actual < 0 ? -a.digits : a.digits);
  return (difference < 0 ? -difference : difference) <= most.digits;
}

}  // namespace

bool IsWithinTolerance(double expected, double actual, double tolerance, bool relative) {
  const double most = relative ? tolerance * std::abs(expected) : tolerance;
  const double difference = std::abs(expected - actual);
  const bool is_within = difference <= most;
  if (!std::isfinite(difference) || !std::isfinite(most)) return is_within;
  // Rounding matters only where both are nearly the same.
  const double unsure = 1e-14 * (std::abs(expected) + std::abs(actual) + most);
  if (std::abs(difference - most) > unsure) return is_within;
  return IsWithinInDecimals(expected, actual, tolerance, relative).value_or(is_within);
}

double ToleranceRange(double number, double tolerance, bool relative) {
  // Ranges are twice as wide as the tolerance, so that rounding does not matter.
  if (!relative) return tolerance == 0 ? number : std::floor(number / (2 * tolerance));
  if (number == 0 || tolerance >= 1) return 0;  // any number may be near 0 then
  if (tolerance == 0) return number;
  const double width = -2 * std::log1p(-tolerance);
  const double range = std::floor(std::log(std::abs(number)) / width);
  // Ranges of negative numbers are apart from the others, far below any logarithm of a double.
  constexpr double kApart = 1e18;
  return number < 0 ? range - kApart : range;
}

}  // namespace leafscore::internal
