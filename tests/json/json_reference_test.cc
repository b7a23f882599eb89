#include "json/json_reference.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace leafscore::internal::reference {
namespace {

struct Case {
  std::string_view text;
  const char* shown;  // nullptr: not JSON
  bool nonstandard = false;
};

// Each verdict and tree is what json.loads of Python 3.11 gives (and, for lone surrogates, U+FFFD for them).
constexpr Case kCases[] = {
    {"null", "null"},
    {" \t\r\n true \n", "true"},
    {"false", "false"},
    {"0", "0"},
    {"-0", "-0"},
    {"-0.0e-0", "-0.0e-0"},
    {"12.50E+3", "12.50E+3"},
    {"18446744073709551615", "18446744073709551615"},
    {"18446744073709551616", "18446744073709551616", true},
    {"-9223372036854775808", "-9223372036854775808"},
    {"-9223372036854775809", "-9223372036854775809", true},
    {"1e308", "1e308"},
    {"1e309", "1e309", true},
    {"NaN", "NaN", true},
    {"[Infinity,-Infinity]", "[Infinity -Infinity]", true},
    {R"("")", "<>"},
    {R"("a\"\\\/\b\f\n\r\t")", "<a\"\\/\b\f\n\r\t>"},
    {R"("\u0041\u00e9\u20ac\ud83d\ude00")", "<Aé€😀>"},
    {R"("\uD83D\uDE00")", "<😀>"},
    {R"("\ud83d")", "<\xef\xbf\xbd>", true},
    {R"("\ude00\ud83d")", "<\xef\xbf\xbd\xef\xbf\xbd>", true},
    {R"("\ud83d\ud83d\ude00")", "<\xef\xbf\xbd😀>", true},
    {R"("\ud83dx\ude00")", "<\xef\xbf\xbdx\xef\xbf\xbd>", true},
    {"\"\x7f é 東京 😀\"", "<\x7f é 東京 😀>"},
    {"[]", "[]"},
    {"[ ]", "[]"},
    {"{ }", "{}"},
    {"[1,[2],{}]", "[1 [2] {}]"},
    {R"({"a":1,"b":[null]})", "{<a>:1 <b>:[null]}"},
    {R"({"a":1,"b":2,"a":3})", "{<a>:3 <b>:2}"},
    {R"({"\u0061":1,"a":2})", "{<a>:2}"},
    {R"({"":0})", "{<>:0}"},
    {"", nullptr},
    {" ", nullptr},
    {"nul", nullptr},
    {"nulll", nullptr},
    {"True", nullptr},
    {"nan", nullptr},
    {"-NaN", nullptr},
    {"+Infinity", nullptr},
    {"01", nullptr},
    {"-", nullptr},
    {"+1", nullptr},
    {".5", nullptr},
    {"5.", nullptr},
    {"1e", nullptr},
    {"1e+", nullptr},
    {"0x10", nullptr},
    {"1 2", nullptr},
    {"\"", nullptr},
    {R"("\")", nullptr},
    {R"("\x")", nullptr},
    {R"("\u12")", nullptr},
    {R"("\u12g4")", nullptr},
    {R"("\u+123")", nullptr},
    {R"("\U0041")", nullptr},
    {"\"\t\"", nullptr},
    {std::string_view("\"\0\"", 3), nullptr},
    {"'a'", nullptr},
    {"\"\xff\"", nullptr},
    {"[", nullptr},
    {"]", nullptr},
    {"[1,]", nullptr},
    {"[,1]", nullptr},
    {"[1 2]", nullptr},
    {"[1}", nullptr},
    {"{", nullptr},
    {"{]", nullptr},
    {R"({"a"})", nullptr},
    {R"({"a":})", nullptr},
    {R"({"a" 1})", nullptr},
    {R"({"a":1,})", nullptr},
    {R"({a:1})", nullptr},
    {R"({1:1})", nullptr},
    {"[1]]", nullptr},
    {"\f1", nullptr},
    {"\xc2\xa0", nullptr},
    {"\xef\xbb\xbf[]", nullptr},
};

TEST(JsonReference, AgreesWithPython) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.text);
    const std::optional<Parsed> parsed = Parse(c.text);
    ASSERT_EQ(parsed.has_value(), c.shown != nullptr);
    if (!parsed) continue;
    EXPECT_EQ(Show(parsed->value), c.shown);
    EXPECT_EQ(parsed->nonstandard, c.nonstandard);
  }
}

TEST(JsonReference, CountsLevels) {
  EXPECT_TRUE(Parse("1", 0));
  EXPECT_FALSE(Parse("[]", 0));
  EXPECT_TRUE(Parse("[{},[]]", 2));
  EXPECT_FALSE(Parse(R"({"a":[{}]})", 2));
}

TEST(ValidUtf8Prefix, FindsTheFirstBadByte) {
  EXPECT_EQ(ValidUtf8Prefix(""), 0u);
  EXPECT_EQ(ValidUtf8Prefix("aé€😀"), 10u);
  EXPECT_EQ(ValidUtf8Prefix("a\x80"), 1u);
  EXPECT_EQ(ValidUtf8Prefix("ab\xe2\x82"), 2u);
  EXPECT_EQ(ValidUtf8Prefix("ab\xe2\x82z"), 2u);
  EXPECT_EQ(ValidUtf8Prefix("\xed\xa0\x80"), 0u);          // a surrogate
  EXPECT_EQ(ValidUtf8Prefix("\xed\x9f\xbf\xc0\x80"), 3u);  // U+D7FF, then an overlong NUL
  EXPECT_EQ(ValidUtf8Prefix("\xf4\x8f\xbf\xbf\xf4\x90\x80\x80"), 4u);
}

// How many sequences of a length are valid follows from the number of code points of each encoded length.
TEST(ValidUtf8Prefix, AcceptsAsManySequencesAsThereAreCodePoints) {
  constexpr std::uint64_t kOne = 0x80;
  constexpr std::uint64_t kTwo = 0x800 - 0x80;
  constexpr std::uint64_t kThree = 0x10000 - 0x800 - 0x800;  // without the surrogates
  constexpr std::uint64_t kFour = 0x110000 - 0x10000;
  std::uint64_t two = 0;
  std::uint64_t three = 0;
  std::uint64_t four = 0;
  char bytes[4];
  for (std::uint32_t sequence = 0; sequence < 1u << 24; ++sequence) {
    for (int i = 0; i < 3; ++i) bytes[i] = static_cast<char>(sequence >> (8 * i));
    if (sequence < 1u << 16) two += ValidUtf8Prefix({bytes, 2}) == 2;
    three += ValidUtf8Prefix({bytes, 3}) == 3;
  }
  for (std::uint32_t sequence = 0; sequence < 1u << 22; ++sequence) {  // those that can be one code point
    bytes[0] = static_cast<char>(0xf0 | sequence >> 18);
    for (int i = 1; i < 4; ++i) bytes[i] = static_cast<char>(0x80 | (sequence >> (6 * (i - 1)) & 0x3f));
    four += ValidUtf8Prefix({bytes, 4}) == 4;
  }
  EXPECT_EQ(two, kOne * kOne + kTwo);
  EXPECT_EQ(three, kOne * kOne * kOne + 2 * kOne * kTwo + kThree);
  EXPECT_EQ(four, kFour);
}

}  // namespace
}  // namespace leafscore::internal::reference
