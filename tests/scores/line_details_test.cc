#include "engine/scores/line_details.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(LineDetailsTest, PositionsAreLeftOut) {
  EXPECT_EQ(WithoutPositions("items[0].price"), "items[*].price");
  EXPECT_EQ(WithoutPositions("[12][3]"), "[*][*]");
  EXPECT_EQ(WithoutPositions("a[\"0\"].b[7]"), "a[\"0\"].b[*]");
  EXPECT_EQ(WithoutPositions("a[]"), "a[]");
  EXPECT_EQ(WithoutPositions("a[1"), "a[1");
  EXPECT_EQ(WithoutPositions("a["), "a[");
  EXPECT_EQ(WithoutPositions(""), "");
}

}  // namespace
}  // namespace leafscore::internal
