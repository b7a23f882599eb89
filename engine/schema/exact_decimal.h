// engine/schema/exact_decimal.h: JSON numbers as decimals, compared and divided without rounding. Plain
// values.
#ifndef LEAFSCORE_ENGINE_SCHEMA_EXACT_DECIMAL_H_
#define LEAFSCORE_ENGINE_SCHEMA_EXACT_DECIMAL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal {

// The number digits * 10^exponent. Equal numbers have equal members.
struct ExactDecimal {
  static constexpr std::size_t kMostDivisorDigits = 18;

  bool negative = false;
  std::string digits;         // without zeros at either end; empty for 0
  std::int64_t exponent = 0;  // 0 for 0; exponents beyond 10^17 count as that

  bool operator==(const ExactDecimal&) const = default;

  bool is_zero() const { return digits.empty(); }
  bool is_whole() const { return exponent >= 0; }
};

// RETURNS: the value of a number token with digits. REQUIRES: ClassifyNumber accepts the token, and it is not
// one for which IsNamedNumber returns true.
ExactDecimal ReadExactDecimal(std::string_view token);

// Returns whether a number token stands for a whole number, as 1.0 and 1e3 do; named numbers do not.
bool IsWholeNumber(std::string_view token);

// RETURNS: a negative number, 0 or a positive one, as `a` is less than, equal to or more than `b`.
int CompareDecimals(const ExactDecimal& a, const ExactDecimal& b);

// Returns whether a number is a whole multiple of a divisor. COST: linear in the digits.
// REQUIRES: the divisor is positive and has at most kMostDivisorDigits digits.
bool IsMultipleOf(const ExactDecimal& number, const ExactDecimal& divisor);

// Appends the number in the one form that all equal numbers have.
void AppendDecimal(const ExactDecimal& number, std::string& out);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_EXACT_DECIMAL_H_
