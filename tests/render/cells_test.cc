#include "engine/render/cells.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

TEST(Cells, ThousandsAtEveryEdge) {
  EXPECT_EQ(WithThousands(0), "0");
  EXPECT_EQ(WithThousands(999), "999");
  EXPECT_EQ(WithThousands(1'000), "1,000");
  EXPECT_EQ(WithThousands(999'999), "999,999");
  EXPECT_EQ(WithThousands(1'000'000), "1,000,000");
  EXPECT_EQ(WithThousands(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Cells, BytesAtEveryEdge) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(999), "999 B");
  EXPECT_EQ(HumanBytes(1'000), "1.0 kB");
  EXPECT_EQ(HumanBytes(999'949), "999.9 kB");
  EXPECT_EQ(HumanBytes(999'950), "1.0 MB");
  EXPECT_EQ(HumanBytes(2'700'000'000), "2.7 GB");
  EXPECT_EQ(HumanBytes(UINT64_MAX), "18.4 EB");
}

}  // namespace
}  // namespace leafscore::internal
