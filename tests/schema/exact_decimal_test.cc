// Decimals: literals, and random numbers against 128-bit arithmetic.
#include "engine/schema/exact_decimal.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace leafscore::internal {
namespace {

std::string Canonical(std::string_view token) {
  std::string text;
  AppendDecimal(ReadExactDecimal(token), text);
  return text;
}

TEST(ExactDecimal, EqualNumbersHaveOneForm) {
  EXPECT_EQ(Canonical("1"), Canonical("1.0"));
  EXPECT_EQ(Canonical("1"), Canonical("10e-1"));
  EXPECT_EQ(Canonical("1200"), "12e2");
  EXPECT_EQ(Canonical("-0.0120"), "-12e-3");
  EXPECT_EQ(Canonical("-0.0"), Canonical("0e9"));
  EXPECT_EQ(Canonical("98249283749234923498293171823948729348710298301928331"),
            "98249283749234923498293171823948729348710298301928331e0");
  EXPECT_NE(Canonical("9007199254740993"), Canonical("9007199254740992"));
  EXPECT_EQ(Canonical("1e99999999999999999999999"), "1e100000000000000000");
}

TEST(ExactDecimal, Whole) {
  for (const char* const whole : {"0", "-0.0", "1.0", "1e3", "1.5e1", "-7", "123456789012345678901234567890"})
    EXPECT_TRUE(IsWholeNumber(whole)) << whole;
  for (const char* const other : {"0.5", "1e-1", "-1.25e1", "NaN", "Infinity", "-Infinity"})
    EXPECT_FALSE(IsWholeNumber(other)) << other;
}

TEST(ExactDecimal, Multiples) {
  const auto is_multiple = [](std::string_view number, std::string_view divisor) {
    return IsMultipleOf(ReadExactDecimal(number), ReadExactDecimal(divisor));
  };
  EXPECT_TRUE(is_multiple("0.0075", "0.0001"));
  EXPECT_FALSE(is_multiple("0.00751", "0.0001"));
  EXPECT_TRUE(is_multiple("4.02", "0.01"));  // which doubles get wrong
  EXPECT_TRUE(is_multiple("19.99", "0.01"));
  EXPECT_TRUE(is_multiple("0", "0.7"));
  EXPECT_TRUE(is_multiple("-35", "7"));
  EXPECT_FALSE(is_multiple("1e308", "0.123456789"));
  EXPECT_TRUE(is_multiple("1e308", "0.5"));
  EXPECT_TRUE(is_multiple("999999999999999999", "999999999999999999"));
  EXPECT_FALSE(is_multiple("1", "3e100"));
}

TEST(ExactDecimal, AreComparedAndDividedAsIntegersAre) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto any = [&](int digits) {
      std::int64_t limit = 1;
      for (int d = 0; d < digits; ++d) limit *= 10;
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * limit)) - limit;
    };
    const std::int64_t a = any(1 + i % 17);
    const std::int64_t b = random() % 4 == 0 ? a : any(1 + i % 13);
    const ExactDecimal first = ReadExactDecimal(std::to_string(a));
    const ExactDecimal second = ReadExactDecimal(std::to_string(b) + (i % 2 == 0 ? "" : "000e-3"));
    const int order = CompareDecimals(first, second);
    ASSERT_EQ(order < 0, a < b) << a << " " << b;
    ASSERT_EQ(order == 0, a == b) << a << " " << b;
    ASSERT_EQ(first == second, a == b) << a << " " << b;
    const std::int64_t divisor = 1 + static_cast<std::int64_t>(random() % 1000);
    ASSERT_EQ(IsMultipleOf(first, ReadExactDecimal(std::to_string(divisor))), a % divisor == 0)
        << a << " " << divisor;
  }
}

}  // namespace
}  // namespace leafscore::internal
