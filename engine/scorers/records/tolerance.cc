#include "engine/scorers/records/tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace leafscore::internal {
namespace {

__extension__ using Digits = __int128;

// digits * 10^exponent
struct Decimal {
  Digits digits = 0;
  int exponent = 0;
};

// Two numbers with at most this many digits can be added without overflow.
constexpr int kMostDigits = 37;

int DigitCount(Digits digits) {
  int count = 0;
  for (; digits != 0; digits /= 10) ++count;
  return count;
}

// Returns the absolute value of a number as written; nullopt if it has too many digits.
std::optional<Decimal> ReadDecimal(std::string_view text) {
  Decimal decimal;
  bool behind_point = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '.') {
      behind_point = true;
    } else if (text[i] == 'e' || text[i] == 'E') {
      const std::size_t begin = text[i + 1] == '+' ? i + 2 : i + 1;
      int exponent = 0;
      const auto end = std::from_chars(text.data() + begin, text.data() + text.size(), exponent);
      if (end.ec != std::errc() || std::abs(exponent) > 1000) return std::nullopt;
      decimal.exponent += exponent;
      break;
    } else if (text[i] >= '0' && text[i] <= '9') {
      if (DigitCount(decimal.digits) == kMostDigits) return std::nullopt;
      decimal.digits = decimal.digits * 10 + (text[i] - '0');
      decimal.exponent -= behind_point;
    }
  }
  return decimal;
}

// Returns the absolute value of a finite number: an integer above 2^53 exactly, others as their shortest
// decimal.
std::optional<Decimal> DecimalOf(const WrittenNumber& number) {
  if (!number.digits.empty()) return ReadDecimal(number.digits);
  const double size = std::abs(number.value);
  return ReadDecimal(size > 0x1p53 && size < 1e37 ? fmt::format("{:.0f}", size) : fmt::format("{}", size));
}

// Appends zeros to the digits until the exponent has the given value. RETURNS: false if there are too many
// digits.
bool Lower(Decimal& decimal, int exponent) {
  const int zeros = decimal.exponent - exponent;
  if (decimal.digits == 0 || zeros <= 0) return true;
  if (DigitCount(decimal.digits) + zeros > kMostDigits) return false;
  for (int i = 0; i < zeros; ++i) decimal.digits *= 10;
  decimal.exponent = exponent;
  return true;
}

// Decides with decimal arithmetic; nullopt if there are too many digits.
std::optional<bool> IsWithinInDecimals(const WrittenNumber& expected, const WrittenNumber& actual,
                                       double tolerance, bool relative) {
  std::optional<Decimal> e = DecimalOf(expected);
  std::optional<Decimal> a = DecimalOf(actual);
  std::optional<Decimal> most = DecimalOf({tolerance});
  if (!e || !a || !most) return std::nullopt;
  if (relative) {
    if (DigitCount(most->digits) + DigitCount(e->digits) > kMostDigits) return std::nullopt;
    most->digits *= e->digits;
    most->exponent += e->exponent;
  }
  int least = std::numeric_limits<int>::max();
  for (const Decimal& decimal : {*e, *a, *most}) {
    if (decimal.digits != 0) least = std::min(least, decimal.exponent);
  }
  if (!Lower(*e, least) || !Lower(*a, least) || !Lower(*most, least)) return std::nullopt;
  const Digits difference =
      (expected.value < 0 ? -e->digits : e->digits) - (actual.value < 0 ? -a->digits : a->digits);
  return (difference < 0 ? -difference : difference) <= most->digits;
}

}  // namespace

bool IsWithinTolerance(const WrittenNumber& expected, const WrittenNumber& actual, double tolerance,
                       bool relative) {
  const double most = relative ? tolerance * std::abs(expected.value) : tolerance;
  const double difference = std::abs(expected.value - actual.value);
  const bool is_within = difference <= most;
  if (!std::isfinite(difference) || !std::isfinite(most)) return is_within;
  // Rounding matters only if the two are nearly equal.
  const double unsure = 1e-14 * (std::abs(expected.value) + std::abs(actual.value) + most);
  if (std::abs(difference - most) > unsure) return is_within;
  return IsWithinInDecimals(expected, actual, tolerance, relative).value_or(is_within && most > 0);
}

double ToleranceRange(double number, double tolerance, bool relative) {
  // Ranges are twice as wide as the tolerance, so that rounding does not matter.
  if (!relative) return tolerance == 0 ? number : std::floor(number / (2 * tolerance));
  if (number == 0 || tolerance >= 1) return 0;  // then any number may be near 0
  if (tolerance == 0) return number;
  const double width = -2 * std::log1p(-tolerance);
  const double range = std::floor(std::log(std::abs(number)) / width);
  // Ranges of negative numbers are separate from the others, far below any logarithm of a double.
  constexpr double kApart = 1e18;
  return number < 0 ? range - kApart : range;
}

}  // namespace leafscore::internal
