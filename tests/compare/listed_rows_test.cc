#include "engine/compare/listed_rows.h"

#include <gtest/gtest.h>

#include "engine/compare/id_pool.h"

namespace leafscore::internal {
namespace {

TEST(ListedRowsTest, PositionsAreLeftOut) {
  EXPECT_EQ(WithoutPositions("items[0].price"), "items[*].price");
  EXPECT_EQ(WithoutPositions("[12][3]"), "[*][*]");
  EXPECT_EQ(WithoutPositions("a[\"0\"].b[7]"), "a[\"0\"].b[*]");
  EXPECT_EQ(WithoutPositions("a[]"), "a[]");
  EXPECT_EQ(WithoutPositions("a[1"), "a[1");
  EXPECT_EQ(WithoutPositions("a["), "a[");
  EXPECT_EQ(WithoutPositions(""), "");
}

TEST(IdPoolTest, NumbersAndKeepsIds) {
  IdPool pool;
  const std::string longer_than_a_block(3 << 20, 'x');
  EXPECT_EQ(pool.Add("a"), 0u);
  EXPECT_EQ(pool.Add(""), 1u);
  EXPECT_EQ(pool.Add(longer_than_a_block), 2u);
  EXPECT_EQ(pool.Add("a"), 0u);
  for (int i = 0; i < 100000; ++i)
    EXPECT_EQ(pool.Add("id-" + std::to_string(i)), 3u + static_cast<unsigned>(i));
  EXPECT_EQ(pool.Add(longer_than_a_block), 2u);
  pool.EndAdding();
  EXPECT_EQ(pool.size(), 100003u);
  EXPECT_EQ(pool[1], "");
  EXPECT_EQ(pool[2], longer_than_a_block);
  EXPECT_EQ(pool[100002], "id-99999");
}

}  // namespace
}  // namespace leafscore::internal
