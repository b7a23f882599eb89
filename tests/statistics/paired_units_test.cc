#include "engine/statistics/paired_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/base/random.h"

namespace leafscore::internal {
namespace {

TEST(BlocksOf, KeepsUpTo4096Units) {
  for (const std::size_t size : {0u, 1u, 4095u, 4096u}) {
    EXPECT_EQ(BlocksOf(std::vector<Unit>(size, Unit{0.5, 2})).size(), size);
  }
}

TEST(BlocksOf, SharesMoreUnitsOutInTheirOrder) {
  for (const std::size_t size : {4097u, 10000u, 81920u}) {
    std::vector<Unit> units;
    for (std::size_t i = 0; i < size; ++i) units.push_back({static_cast<double>(i), 1});
    const std::vector<Unit> blocks = BlocksOf(units);
    ASSERT_EQ(blocks.size(), 4096u);
    double next = 0;  // the first unit of the block
    for (const Unit& block : blocks) {
      EXPECT_GE(block.count, size / 4096);
      EXPECT_LE(block.count, size / 4096 + 1);
      EXPECT_EQ(block.sum, block.count * next + block.count * (block.count - 1) / 2);
      next += block.count;
    }
    EXPECT_EQ(next, static_cast<double>(size));
  }
}

TEST(OrderFreeTotal, HasTheSameBitsForAnyOrder) {
  SplitMix64 random(1, 0);
  for (const std::size_t size : {1u, 2u, 3u, 1000u}) {
    std::vector<double> values;
    for (std::size_t i = 0; i < size; ++i) {
      values.push_back((static_cast<double>(random.Below(2001)) - 1000) / (i % 3 == 0 ? 7e8 : 70));
    }
    const double total = OrderFreeTotal(values);
    double plain = 0;
    for (const double value : values) plain += value;
    EXPECT_NEAR(total, plain, 1e-11);
    std::ranges::sort(values);
    EXPECT_EQ(OrderFreeTotal(values), total);
    std::ranges::reverse(values);
    EXPECT_EQ(OrderFreeTotal(values), total);
  }
}

TEST(OrderFreeTotal, IsTheExactSumRounded) {
  EXPECT_EQ(OrderFreeTotal({}), 0);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{0, 0}), 0);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{1, 0x1p-60, -1}), 0x1p-60);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>(10, 0.1)), 1);  // 0.1 is a little above a tenth: rounded once
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{1e300, 1e300, -1e300}), 1e300);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{-0.3}), -0.3);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{0.3, -0.3}), 0);
  EXPECT_EQ(OrderFreeTotal(std::vector<double>{0x1p-200, 0x1p-201}), 0x3p-201);  // small ones lose no bits
}

}  // namespace
}  // namespace leafscore::internal
