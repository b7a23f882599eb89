#include "engine/base/rounding.h"

#include <gtest/gtest.h>

namespace leafscore::internal {
namespace {

TEST(RoundToDecimals, RoundsTheBinaryValue) {
  EXPECT_EQ(RoundToDecimals(2.0 / 3, 4), 0.6667);
  EXPECT_EQ(RoundToDecimals(0.00005, 4), 0.0001);  // a little above 5e-5
  EXPECT_EQ(RoundToDecimals(0.5, 0), 0.0);         // a tie: to even
  EXPECT_EQ(RoundToDecimals(2.675, 2), 2.67);      // a little below
  EXPECT_EQ(RoundToDecimals(1e15 + 0.3, 4), 1e15 + 0.25);
  EXPECT_EQ(RoundToDecimals(1e22, 6), 1e22);
}

}  // namespace
}  // namespace leafscore::internal
