#include "engine/languages/python_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace leafscore::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<double> Float(std::string_view text) {
  double value = 0;
  return ReadPythonFloat(text, &value) ? std::optional(value) : std::nullopt;
}

TEST(PythonText, StripsWhatPythonCallsSpace) {
  EXPECT_EQ(StripSpace(""), "");
  EXPECT_EQ(StripSpace(" \t\n\v\f\r"), "");
  EXPECT_EQ(StripSpace(" a b\n"), "a b");
  EXPECT_EQ(StripSpace("\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u200aé\u2028\u2029\u202f\u205f\u3000"), "é");
  EXPECT_EQ(StripSpace("\u200ba\ufeff"), "\u200ba\ufeff");  // zero width, and the byte order mark
  EXPECT_EQ(StripSpace("\x1b"), "\x1b");
}

TEST(PythonText, FoldsRunsOfSpaceLikeSplitAndJoin) {
  const auto folded = [](std::string_view text) {
    std::string buffer;
    return std::string(FoldSpaceRuns(text, buffer));
  };
  EXPECT_EQ(folded(""), "");
  EXPECT_EQ(folded(" \n"), "");
  EXPECT_EQ(folded("a b"), "a b");
  EXPECT_EQ(folded(" a  b\tc\n"), "a b c");
  EXPECT_EQ(folded("a\u00a0b\u2003"), "a b");
  EXPECT_EQ(folded("à la `é à"), "à la `é à");  // the last byte of à and a space are not one blank
  EXPECT_EQ(folded("a\u200bb "), "a\u200bb");
}

TEST(PythonText, FloatReadsWhatPythonReads) {
  EXPECT_EQ(Float("12"), 12);
  EXPECT_EQ(Float(" -1.5e3\n"), -1500);
  EXPECT_EQ(Float("+.5"), 0.5);
  EXPECT_EQ(Float("5."), 5);
  EXPECT_EQ(Float("1_000.2_5e1_0"), 1000.25e10);
  EXPECT_EQ(Float("1e+2"), 100);
  EXPECT_EQ(Float("007"), 7);
  EXPECT_EQ(Float("४२"), 42);         // Devanagari
  EXPECT_EQ(Float("１２.３"), 12.3);  // full width
  EXPECT_EQ(Float("inf"), kInfinity);
  EXPECT_EQ(Float("-Infinity"), -kInfinity);
  EXPECT_EQ(Float("1e400"), kInfinity);
  EXPECT_EQ(Float("1e-400"), 0);
  ASSERT_TRUE(Float("NaN"));
  EXPECT_TRUE(std::isnan(*Float("NaN")));
}

TEST(PythonText, FloatRefusesWhatPythonRefuses) {
  for (const std::string_view text :
       {"",     " ",  ".",    "-",     "+-1",     "1 2",  "1__0", "_1",  "1_",    "1_.5", "1._5", "1e",
        "1e_5", "e5", "0x10", "1,000", "infinit", "nano", "12kg", "--1", "1.2.3", "½",    "三"}) {
    EXPECT_FALSE(Float(text)) << text;
  }
}

TEST(PythonText, DigitsOfAnyScript) {
  int digit = 0;
  EXPECT_EQ(ReadDigit("7", 0, &digit), 1u);
  EXPECT_EQ(digit, 7);
  EXPECT_EQ(ReadDigit("a٣", 1, &digit), 2u);
  EXPECT_EQ(digit, 3);
  EXPECT_EQ(ReadDigit("a٣", 0, &digit), 0u);
  EXPECT_EQ(ReadDigit("ß", 1, &digit), 0u);  // inside a character
  EXPECT_EQ(ReadDigit("7", 1, &digit), 0u);
}

}  // namespace
}  // namespace leafscore::internal
