#include "engine/base/name_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

TEST(NameTableTest, NumbersAndKeepsNames) {
  NameTable table;
  const std::string longer_than_a_block(3 << 20, 'x');
  EXPECT_EQ(table.Add("a"), 0u);
  EXPECT_EQ(table.Add(""), 1u);
  EXPECT_EQ(table.Add(longer_than_a_block), 2u);
  EXPECT_EQ(table.Add("a"), 0u);
  for (int i = 0; i < 100000; ++i)
    EXPECT_EQ(table.Add("id-" + std::to_string(i)), 3u + static_cast<unsigned>(i));
  EXPECT_EQ(table.Add(longer_than_a_block), 2u);
  table.EndAdding();
  EXPECT_EQ(table.size(), 100003u);
  EXPECT_EQ(table[1], "");
  EXPECT_EQ(table[2], longer_than_a_block);
  EXPECT_EQ(table[100002], "id-99999");
}

// The second file may skip names, repeat them and add its own.
TEST(NameTableTest, FindsNamesInAnyOrder) {
  NameTable table;
  for (const char* const name : {"c", "a", "b"}) table.Add(name);
  EXPECT_EQ(table.Add("c"), 0u);
  EXPECT_EQ(table.Add("b"), 2u);
  EXPECT_EQ(table.Add("a"), 1u);
  EXPECT_EQ(table.Add("a"), 1u);
  EXPECT_EQ(table.Add("ab"), 3u);
  EXPECT_EQ(table.Add("c"), 0u);
  EXPECT_EQ(table.Sorted(), (std::vector<std::uint32_t>{1, 3, 2, 0}));
}

TEST(NameTableTest, AnEmptyTableHasNoNames) {
  NameTable table;
  EXPECT_EQ(table.size(), 0u);
  EXPECT_TRUE(table.Sorted().empty());
  EXPECT_EQ(table.Add(""), 0u);
  EXPECT_EQ(table.Add(""), 0u);
}

}  // namespace
}  // namespace leafscore::internal
