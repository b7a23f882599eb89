// Trimming and numbers as JavaScript has them.
#include "engine/languages/javascript_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace leafscore::internal {
namespace {

TEST(JavaScriptText, TrimsWhiteSpaceAndLineTerminatorsOnly) {
  EXPECT_EQ(JavaScriptTrim(" \t\r\n\v\f\u00A0\u2003\uFEFF\u2028x y\u3000\n"), "x y");
  EXPECT_EQ(JavaScriptTrim("\u0085x\u200B"), "\u0085x\u200B");
  EXPECT_EQ(JavaScriptTrim("\x1Cx"), "\x1Cx");
  EXPECT_EQ(JavaScriptTrim(" \u2029 "), "");
  EXPECT_EQ(JavaScriptTrim("é"), "é");
}

TEST(JavaScriptText, ReadsTheNumberAtTheStart) {
  EXPECT_EQ(JavaScriptParseFloat("1889.00 USD"), 1889);
  EXPECT_EQ(JavaScriptParseFloat("12abc"), 12);
  EXPECT_EQ(JavaScriptParseFloat("1.006,00"), 1.006);
  EXPECT_EQ(JavaScriptParseFloat(" \u00A0-3.5e2x"), -350);
  EXPECT_EQ(JavaScriptParseFloat("1e"), 1);
  EXPECT_EQ(JavaScriptParseFloat("1e+"), 1);
  EXPECT_EQ(JavaScriptParseFloat(".5"), 0.5);
  EXPECT_EQ(JavaScriptParseFloat("5."), 5);
  EXPECT_EQ(JavaScriptParseFloat("007"), 7);
  EXPECT_EQ(JavaScriptParseFloat("0x10"), 0);
  EXPECT_EQ(JavaScriptParseFloat("+2"), 2);
  EXPECT_TRUE(std::isinf(JavaScriptParseFloat("-Infinityx")));
  for (const char* const text : {"", ".", "-", "abc", "$5", "+-1", "e5", "inf", "NaN"}) {
    EXPECT_TRUE(std::isnan(JavaScriptParseFloat(text))) << text;
  }
}

TEST(JavaScriptText, WritesNumbersInTheFewestDigits) {
  EXPECT_EQ(JavaScriptNumberText(5), "5");
  EXPECT_EQ(JavaScriptNumberText(-0.0), "0");
  EXPECT_EQ(JavaScriptNumberText(-120.25), "-120.25");
  EXPECT_EQ(JavaScriptNumberText(0.1), "0.1");
  EXPECT_EQ(JavaScriptNumberText(0.000001), "0.000001");
  EXPECT_EQ(JavaScriptNumberText(0.00000015), "1.5e-7");
  EXPECT_EQ(JavaScriptNumberText(1e20), "100000000000000000000");
  EXPECT_EQ(JavaScriptNumberText(1e21), "1e+21");
  EXPECT_EQ(JavaScriptNumberText(-1.25e300), "-1.25e+300");
  EXPECT_EQ(JavaScriptNumberText(-INFINITY), "-Infinity");
  EXPECT_EQ(JavaScriptNumberText(NAN), "NaN");
}

}  // namespace
}  // namespace leafscore::internal
