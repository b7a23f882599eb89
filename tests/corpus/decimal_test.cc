#include <gtest/gtest.h>

#include "corpus/json_tree.h"

namespace leafscore::internal::corpus {
namespace {

TEST(Decimal, FormatsAsPython) {
  EXPECT_EQ(FormatDecimal({0, 0}), "0");
  EXPECT_EQ(FormatDecimal({-70, 0}), "-70");
  EXPECT_EQ(FormatDecimal({0, 2}), "0.0");
  EXPECT_EQ(FormatDecimal({1250, 2}), "12.5");
  EXPECT_EQ(FormatDecimal({1200, 2}), "12.0");
  EXPECT_EQ(FormatDecimal({5, 2}), "0.05");
  EXPECT_EQ(FormatDecimal({-5, 1}), "-0.5");
  EXPECT_EQ(FormatDecimal({-18000000, 5}), "-180.0");
  EXPECT_EQ(FormatDecimal({999999999999999, 5}), "9999999999.99999");
}

TEST(Decimal, ParsesWhatItFormats) {
  for (const char* token : {"0", "-70", "0.0", "12.5", "0.05", "-0.5", "-180.0", "9999999999.99999"}) {
    EXPECT_EQ(FormatDecimal(ParseDecimal(token)), token);
  }
  EXPECT_EQ(ParseDecimal("-0.05").units, -5);
  EXPECT_EQ(ParseDecimal("-0.05").decimals, 2);
}

}  // namespace
}  // namespace leafscore::internal::corpus
