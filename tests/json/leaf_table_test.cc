#include "engine/json/leaf_table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace leafscore::internal {
namespace {

// Adds [1,[2,3],[],4] over the bytes below.
constexpr char kBytes[] = "[1,[2,3],[],4]";
void AddValue(LeafTable& table) {
  table.Reserve(7, 7);
  LeafTable::Writer writer(table);
  const std::uint32_t root = writer.Open(ValueKind::kArray, 0);
  writer.AddLeaf(ValueKind::kNumber, 1, 2);
  const std::uint32_t inner = writer.Open(ValueKind::kArray, 3);
  writer.AddLeaf(ValueKind::kNumber, 4, 5);
  writer.AddLeaf(ValueKind::kNumber, 6, 7);
  writer.Close(inner, 8, ShapeTable::kEmptyShape);
  writer.Close(writer.Open(ValueKind::kArray, 9), 11, ShapeTable::kEmptyShape);
  writer.AddLeaf(ValueKind::kNumber, 12, 13);
  writer.Close(root, 14, ShapeTable::kEmptyShape);
  writer.Commit();
}

void ExpectValue(const LeafTable& table, NodeId root) {
  EXPECT_EQ(table.token(root), kBytes);
  EXPECT_EQ(table.end(root), root + 7);
  EXPECT_EQ(table.leaf_count(root), 4u);
  const NodeId inner = table.Child(root, 1);
  EXPECT_EQ(inner, root + 2);
  EXPECT_EQ(table.token(inner), "[2,3]");
  EXPECT_EQ(table.leaf_count(inner), 2u);
  EXPECT_EQ(table.leaf_count(table.Child(root, 2)), 0u);
  EXPECT_EQ(table.token(table.Child(root, 3)), "4");
  EXPECT_EQ(table.leaf_count(table.Child(root, 3)), 1u);
}

TEST(LeafTable, ValuesStandOneBehindTheOther) {
  LeafTable table;
  for (int again = 0; again < 2; ++again) {
    table.Reset(kBytes, /*padded=*/false);
    EXPECT_EQ(table.size(), 0u);
    AddValue(table);
    AddValue(table);
    ASSERT_EQ(table.size(), 14u);
    ExpectValue(table, 0);
    ExpectValue(table, 7);
  }
}

TEST(LeafTable, TruncateForgetsAndAppendAdds) {
  LeafTable table;
  table.Reset(kBytes, /*padded=*/false);
  AddValue(table);
  AddValue(table);
  table.Truncate(7);
  ASSERT_EQ(table.size(), 7u);
  ExpectValue(table, 0);
  LeafTable other;
  other.Reset(kBytes, /*padded=*/false);
  AddValue(other);
  table.Append(other);
  table.Append(other);
  ASSERT_EQ(table.size(), 21u);
  for (const NodeId root : {0u, 7u, 14u}) ExpectValue(table, root);
}

}  // namespace
}  // namespace leafscore::internal
