#include "engine/json/json_scalar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/random.h"

namespace leafscore::internal {
namespace {

constexpr double kMax = std::numeric_limits<double>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ParseNumber, Literals) {
  EXPECT_EQ(ParseNumber("0"), 0.0);
  EXPECT_EQ(ParseNumber("-12.50E+3"), -12500.0);
  EXPECT_EQ(ParseNumber("0.1"), 0.1);
  EXPECT_EQ(ParseNumber("9007199254740991"), 9007199254740991.0);
  EXPECT_EQ(ParseNumber("9007199254740993"), 9007199254740992.0);  // to even
  EXPECT_EQ(ParseNumber("-9007199254740995"), -9007199254740996.0);
  EXPECT_EQ(ParseNumber("9223372036854775808"), 0x1p63);
  EXPECT_EQ(ParseNumber("18446744073709551615"), 0x1p64);
  EXPECT_EQ(ParseNumber("18446744073709551616"), 0x1p64);
  EXPECT_EQ(ParseNumber("-9223372036854775809"), -0x1p63);
  EXPECT_EQ(ParseNumber("1e308"), 1e308);
  EXPECT_EQ(ParseNumber("5e-324"), 5e-324);
  EXPECT_EQ(ParseNumber("2.2250738585072011e-308"), 2.2250738585072011e-308);  // subnormal
  EXPECT_EQ(ParseNumber("0.5" + std::string(5000, '0')), 0.5);
  EXPECT_EQ(ParseNumber("7" + std::string(4999, '0') + "e-4999"), 7.0);
}

TEST(ParseNumber, WhatIsTooSmallIsZero) {
  for (const char* token : {"-0.0", "-0", "-1e-400", "-2e-324"}) {
    EXPECT_EQ(ParseNumber(token), 0.0) << token;
    EXPECT_TRUE(std::signbit(ParseNumber(token))) << token;
  }
  EXPECT_EQ(ParseNumber("1e-400"), 0.0);
  EXPECT_FALSE(std::signbit(ParseNumber("1e-99999999999999999999")));
}

TEST(ParseNumber, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(ParseNumber("1e309"), kInfinity);
  EXPECT_EQ(ParseNumber("-1e400"), -kInfinity);
  EXPECT_EQ(ParseNumber("1.7976931348623159e308"), kInfinity);
  EXPECT_EQ(ParseNumber("1e99999999999999999999"), kInfinity);
  EXPECT_EQ(ParseNumber(std::string(5000, '7')), kInfinity);
  EXPECT_EQ(ParseNumber("-" + std::string(5000, '7') + ".5"), -kInfinity);
}

TEST(EqualNumbers, AsDoubles) {
  const std::vector<std::pair<std::string, std::string>> equal = {
      {"1", "1.0"},    {"-0", "0"},
      {"0", "-0.0"},   {"10", "1e1"},
      {"0.1", "0.10"}, {"9007199254740992", "9007199254740992.0"},
      {"1e-400", "0"}, {"9007199254740993", "9007199254740992.0"}};
  for (const auto& [first, second] : equal) {
    EXPECT_TRUE(EqualNumbers(first, second)) << first;
    EXPECT_TRUE(EqualNumbers(second, first)) << first;
  }
  EXPECT_FALSE(EqualNumbers("1", "1.0000000000000002"));
  EXPECT_FALSE(EqualNumbers("NaN", "1"));
}

TEST(EqualNumbers, IntegersByTheirDigits) {
  const std::string large(400, '7');
  for (const std::string& number :
       {std::string("9007199254740993"), std::string("18446744073709551616"), large}) {
    EXPECT_TRUE(EqualNumbers(number, number));
    EXPECT_FALSE(EqualNumbers(number, "-" + number));
    EXPECT_FALSE(EqualNumbers(number, number.substr(0, number.size() - 1) + "2")) << number;
  }
  EXPECT_FALSE(EqualNumbers("9007199254740992", "9007199254740993"));
  EXPECT_TRUE(EqualNumbers("9007199254740991", "9007199254740991"));
}

TEST(EqualNumbers, BeyondTheRangeOnlyWhatIsWrittenAlike) {
  EXPECT_TRUE(EqualNumbers("1e400", "1e400"));
  EXPECT_TRUE(EqualNumbers("Infinity", "Infinity"));
  EXPECT_TRUE(EqualNumbers("NaN", "NaN"));
  for (const char* other : {"1.7976931348623157e308", "Infinity", "2e400", "-1e400", "-Infinity", "NaN"}) {
    EXPECT_FALSE(EqualNumbers("1e400", other)) << other;
    EXPECT_FALSE(EqualNumbers(other, "1e400")) << other;
  }
}

TEST(ParseNumber, Names) {
  EXPECT_TRUE(std::isnan(ParseNumber("NaN")));
  EXPECT_EQ(ParseNumber("Infinity"), kInfinity);
  EXPECT_EQ(ParseNumber("-Infinity"), -kInfinity);
}

TEST(ParseNumber, RandomNumbersAreWhatStrtodSays) {
  corpus::Random random(5, 0);
  const auto digits = [&](std::string& token, std::uint64_t most) {
    for (std::uint64_t n = 1 + random.Below(most); n != 0; --n)
      token += static_cast<char>('0' + random.Below(10));
  };
  for (int i = 0; i < 50000; ++i) {
    std::string token = random.OneIn(2) ? "-" : "";
    token += static_cast<char>('1' + random.Below(9));
    digits(token, 25);
    if (random.OneIn(2)) digits(token += '.', 25);
    if (random.OneIn(2)) token += (random.OneIn(2) ? "e-" : "E") + std::to_string(random.Below(340));
    const double wanted = std::strtod(token.c_str(), nullptr);
    ASSERT_EQ(ParseNumber(token), wanted) << token;
    ASSERT_NE(ClassifyNumber(token), TokenClass::kInvalid) << token;
  }
}

TEST(ClassifyNumber, TheLargestDoubleIsStandard) {
  for (const char* token : {"1.7976931348623157e308", "-1.7976931348623157E+308", "1.7976931348623158e308"}) {
    EXPECT_EQ(ClassifyNumber(token), TokenClass::kStandard) << token;
    EXPECT_EQ(std::abs(ParseNumber(token)), kMax) << token;
  }
  EXPECT_EQ(ClassifyNumber("1.7976931348623159e308"), TokenClass::kNonstandard);
}

TEST(ClassifyEscapes, FindsTheFirstFault) {
  struct Case {
    std::string_view inside;
    TokenClass token_class;
    std::size_t fault;
  };
  for (const Case& c : {Case{R"(\n)", TokenClass::kStandard, 0},
                        {R"(a\ud83d\ude00b\\)", TokenClass::kStandard, 0},
                        {R"(a\ud83d)", TokenClass::kNonstandard, 1},
                        {R"(ab\ude00\ud83d)", TokenClass::kNonstandard, 2},
                        {R"(\ud83d\q)", TokenClass::kInvalid, 6},
                        {R"(\\\a)", TokenClass::kInvalid, 2},
                        {R"(x\u12)", TokenClass::kInvalid, 1},
                        {R"(x\u12 4)", TokenClass::kInvalid, 1},
                        {"\\", TokenClass::kInvalid, 0},
                        {std::string_view("\\\0", 2), TokenClass::kInvalid, 0}}) {
    std::size_t fault = 0;
    EXPECT_EQ(ClassifyEscapes(c.inside, &fault), c.token_class) << c.inside;
    EXPECT_EQ(fault, c.fault) << c.inside;
  }
}

TEST(AppendUnescaped, AppendsTheText) {
  std::string text = "x";
  AppendUnescaped(R"(plain \u0061\u00E9\u20ac\ud83d\ude00 \"\\\/\b\f\n\r\t \ud83d!)", text);
  EXPECT_EQ(text, "xplain aé€😀 \"\\/\b\f\n\r\t \xef\xbf\xbd!");
}

// Texts of plain bytes and escapes in any order and at any place of a word, classified and unescaped.
TEST(AppendUnescaped, PlacesOfEscapes) {
  constexpr std::string_view kEscapes = R"("\/bfnrt)";
  constexpr std::string_view kCharacters = "\"\\/\b\f\n\r\t";
  corpus::Random random(7, 0);
  for (int i = 0; i < 20000; ++i) {
    std::string inside;
    std::string wanted = "before";
    std::vector<std::size_t> plain;  // where escapes and plain bytes begin and no escape is cut
    for (std::uint64_t pieces = random.Below(12); pieces != 0; --pieces) {
      for (std::uint64_t n = random.Below(20); n != 0; --n) {
        plain.push_back(inside.size());
        inside += static_cast<char>(random.OneIn(3) ? 0x80 + random.Below(128) : '[');
        wanted += inside.back();
      }
      plain.push_back(inside.size());
      const std::uint64_t escape = random.Below(kEscapes.size() + 1);
      inside += escape == kEscapes.size() ? "\\u005C" : std::string("\\") + kEscapes[escape];
      wanted += escape == kEscapes.size() ? '\\' : kCharacters[escape];
    }
    std::size_t fault = 0;
    ASSERT_EQ(ClassifyEscapes(inside, &fault), TokenClass::kStandard) << inside;
    std::string text = "before";
    AppendUnescaped(inside, text);
    ASSERT_EQ(text, wanted) << inside;
    if (plain.empty()) continue;
    const std::size_t at = plain[random.Below(plain.size())];
    ASSERT_EQ(ClassifyEscapes(inside.insert(at, "\\x"), &fault), TokenClass::kInvalid) << inside;
    ASSERT_EQ(fault, at) << inside;
  }
}

// Every code point, written as one escape or two, is its UTF-8.
TEST(AppendUnescaped, EveryCodePoint) {
  constexpr char kHex[] = "0123456789aBcDeF";
  const auto escape = [&](std::uint32_t unit) {
    std::string text = "\\u";
    for (int shift = 12; shift >= 0; shift -= 4) text += kHex[unit >> shift & 15];
    return text;
  };
  std::string previous;
  for (std::uint32_t c = 0; c < 0x110000; ++c) {
    if (c >= 0xd800 && c < 0xe000) continue;
    std::string text;
    AppendUnescaped(c < 0x10000
                        ? escape(c)
                        : escape(0xd800 + (c - 0x10000) / 1024) + escape(0xdc00 + (c - 0x10000) % 1024),
                    text);
    std::uint32_t decoded = 0;
    for (const char byte : text) {
      const auto bits = static_cast<unsigned char>(byte);
      decoded = bits < 0x80   ? bits
                : bits < 0xc0 ? decoded * 64 + bits % 64
                              : bits % (bits < 0xe0   ? 32u
                                        : bits < 0xf0 ? 16u
                                                      : 8u);
    }
    ASSERT_EQ(decoded, c);
    ASSERT_EQ(text.size(), c < 0x80 ? 1u : c < 0x800 ? 2u : c < 0x10000 ? 3u : 4u);
    ASSERT_TRUE(c == 0 || text > previous);  // UTF-8 sorts as its code points do
    previous = text;
  }
}

// The short cut must never take what the grammar refuses, and must take what it is there for.
TEST(IsPlainNumber, TakesOnlyStandardNumbers) {
  constexpr std::string_view kAlphabet = "019.-e/:";
  for (std::uint32_t code = 0; code < 1u << 18; ++code) {
    for (std::size_t size = 1; size <= 6; ++size) {
      std::string padded;
      for (std::size_t i = 0; i < size; ++i) padded += kAlphabet[code >> 3 * i & 7];
      const std::string token = padded;
      padded += "12345678";  // what follows in the text does not matter
      if (IsPlainNumber({padded.data(), size})) {
        ASSERT_EQ(ClassifyNumber(token), TokenClass::kStandard) << token;
      }
    }
  }
  for (const std::string token : {"0", "7", "0.5", "120.5", "33.25", "12345678", "1234.678"}) {
    EXPECT_TRUE(IsPlainNumber(std::string_view((token + ",,,,,,,,").data(), token.size()))) << token;
  }
  for (const std::string token : {"123456789", "01", "1.", ".5", "1.2.3", "-1", "1e5"}) {
    EXPECT_FALSE(IsPlainNumber({(token + "00000000").data(), token.size()})) << token;
  }
}

}  // namespace
}  // namespace leafscore::internal
