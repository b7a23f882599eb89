#include "engine/schema/exact_decimal.h"

#include <algorithm>
#include <charconv>

#include "engine/json/json_scalar.h"

namespace leafscore::internal {
namespace {

constexpr std::int64_t kMostExponent = 100'000'000'000'000'000;

__extension__ using WideProduct = unsigned __int128;

std::uint64_t MultiplyModulo(std::uint64_t a, std::uint64_t b, std::uint64_t modulus) {
  return static_cast<std::uint64_t>(WideProduct{a} * b % modulus);
}

// Returns 10^exponent modulo `modulus`.
std::uint64_t PowerOfTenModulo(std::int64_t exponent, std::uint64_t modulus) {
  std::uint64_t power = 1 % modulus;
  std::uint64_t square = 10 % modulus;
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) power = MultiplyModulo(power, square, modulus);
    square = MultiplyModulo(square, square, modulus);
  }
  return power;
}

std::int64_t ReadExponent(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  std::int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc()) return text.starts_with('-') ? -kMostExponent : kMostExponent;
  return std::clamp(exponent, -kMostExponent, kMostExponent);
}

// Returns one more than the exponent of the first digit.
std::int64_t Magnitude(const ExactDecimal& number) {
  return number.exponent + static_cast<std::int64_t>(number.digits.size());
}

}  // namespace

ExactDecimal ReadExactDecimal(std::string_view token) {
  ExactDecimal number;
  if (token.starts_with('-')) {
    number.negative = true;
    token.remove_prefix(1);
  }
  const std::size_t end = std::min(token.find_first_of("eE"), token.size());
  if (end != token.size()) number.exponent = ReadExponent(token.substr(end + 1));
  bool is_fraction = false;
  for (const char c : token.substr(0, end)) {
    if (c == '.') {
      is_fraction = true;
      continue;
    }
    if (c != '0' || !number.digits.empty()) number.digits += c;
    number.exponent -= is_fraction;
  }
  while (number.digits.ends_with('0')) {
    number.digits.pop_back();
    ++number.exponent;
  }
  return number.digits.empty() ? ExactDecimal() : number;
}

bool IsWholeNumber(std::string_view token) {
  return IsIntegerToken(token) || (!IsNamedNumber(token) && ReadExactDecimal(token).is_whole());
}

int CompareDecimals(const ExactDecimal& a, const ExactDecimal& b) {
  const auto sign = [](const ExactDecimal& number) {
    return number.is_zero() ? 0 : number.negative ? -1 : 1;
  };
  if (sign(a) != sign(b)) return sign(a) - sign(b);
  if (a.is_zero()) return 0;
  const std::int64_t size = Magnitude(a) - Magnitude(b);
  const int order = size != 0 ? (size < 0 ? -1 : 1) : a.digits.compare(b.digits);
  return a.negative ? -order : order;
}

// Digits never end in a zero. So a number whose exponent is below the divisor's exponent cannot be a
// multiple.
bool IsMultipleOf(const ExactDecimal& number, const ExactDecimal& divisor) {
  if (number.is_zero()) return true;
  const std::int64_t shift = number.exponent - divisor.exponent;
  if (shift < 0) return false;
  std::uint64_t modulus = 0;
  std::from_chars(divisor.digits.data(), divisor.digits.data() + divisor.digits.size(), modulus);
  std::uint64_t rest = 0;
  for (const char digit : number.digits) {
    rest = (MultiplyModulo(rest, 10, modulus) + static_cast<std::uint64_t>(digit - '0')) % modulus;
  }
  return MultiplyModulo(rest, PowerOfTenModulo(shift, modulus), modulus) == 0;
}

void AppendDecimal(const ExactDecimal& number, std::string& out) {
  if (number.negative) out += '-';
  out += number.digits;
  out += 'e';
  out += std::to_string(number.exponent);
}

}  // namespace leafscore::internal
