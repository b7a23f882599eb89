#include "engine/scores/padded_ids.h"

#include <gtest/gtest.h>

#include <string_view>

namespace leafscore::internal {
namespace {

bool ArePadded(std::string_view a, std::string_view b) {
  PaddedIds ids;
  ids.AddLeft(a);
  ids.AddRight(b);
  return ids.pairs() == 1;
}

TEST(PaddedIds, DifferInBlanksCaseAndLeadingZeros) {
  EXPECT_TRUE(ArePadded("t034", "t34"));
  EXPECT_TRUE(ArePadded("t36 ", "t36"));
  EXPECT_TRUE(ArePadded("T36", "\tt36"));
  EXPECT_TRUE(ArePadded("007", "7"));
  EXPECT_TRUE(ArePadded("0", "000"));
  EXPECT_TRUE(ArePadded("a00-b01", "a0-b1"));
}

TEST(PaddedIds, OtherIdsAreOthers) {
  EXPECT_FALSE(ArePadded("t34", "t34"));  // it joins
  EXPECT_FALSE(ArePadded("t34", "t340"));
  EXPECT_FALSE(ArePadded("t304", "t34"));
  EXPECT_FALSE(ArePadded("1.05", "1.5"));
  EXPECT_FALSE(ArePadded("a", "b"));
}

TEST(PaddedIds, AreTold) {
  PaddedIds ids;
  for (const std::string_view id : {"q01", "q02", "q03"}) ids.AddLeft(id);
  for (const std::string_view id : {"q4", "q2", "q3"}) ids.AddRight(id);
  EXPECT_EQ(ids.pairs(), 2u);
  EXPECT_EQ(ids.Text(),
            "\"q02\" and \"q2\" are probably the same id, written differently, and so are 1 more; write ids "
            "the same way");
}

}  // namespace
}  // namespace leafscore::internal
