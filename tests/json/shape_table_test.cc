#include "engine/json/shape_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

constexpr ShapeTable::Place kStart = ShapeTable::kStart;

ShapeId ShapeOf(ShapeTable& table, const std::vector<std::string>& keys) {
  ShapeTable::Place place = kStart;
  for (const std::string& key : keys) place = table.Extend(place, key);
  return table.Finish(place);
}

TEST(ShapeTable, SameKeysInSameOrderAreOneShape) {
  ShapeTable table;
  const ShapeId ab = ShapeOf(table, {"a", "b"});
  EXPECT_EQ(ShapeOf(table, {"a", "b"}), ab);
  EXPECT_NE(ShapeOf(table, {"b", "a"}), ab);
  EXPECT_NE(ShapeOf(table, {"a"}), ab);
  EXPECT_NE(ShapeOf(table, {"a", "bb"}), ab);
  EXPECT_EQ(ShapeOf(table, {"a", "b"}), ab);  // after other predictions
  EXPECT_EQ(ShapeOf(table, {}), ShapeTable::kEmptyShape);
}

TEST(ShapeTable, KeysComeBackInOrder) {
  ShapeTable table;
  const std::vector<std::string> keys = {"", "x", std::string("n\0l", 3), std::string(40000, 'k'), "ключ"};
  const ShapeId shape = ShapeOf(table, keys);
  ASSERT_EQ(table.member_count(shape), keys.size());
  const std::vector<std::string_view> stored = table.Keys(shape);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    EXPECT_EQ(stored[i], keys[i]);
    EXPECT_EQ(table.FindMember(shape, keys[i]), i);
  }
  EXPECT_EQ(table.FindMember(shape, "other"), ShapeTable::kNoMember);
}

TEST(ShapeTable, KeysOfEveryLengthAreToldApart) {
  ShapeTable table;
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string key(size, 'a');
    const ShapeId shape = ShapeOf(table, {key});
    EXPECT_EQ(ShapeOf(table, {key}), shape);
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = key;
      other[i] = 'b';
      EXPECT_NE(ShapeOf(table, {other}), shape) << size << " " << i;
      EXPECT_EQ(ShapeOf(table, {key}), shape);
    }
  }
}

TEST(ShapeTable, FindsDuplicateKeys) {
  ShapeTable table;
  EXPECT_FALSE(table.HasDuplicateKeys(ShapeTable::kEmptyShape));
  EXPECT_FALSE(table.HasDuplicateKeys(ShapeOf(table, {"a", "b", "c"})));
  EXPECT_TRUE(table.HasDuplicateKeys(ShapeOf(table, {"a", "b", "a"})));
  EXPECT_TRUE(table.HasDuplicateKeys(ShapeOf(table, {"a", "b", "a", "c"})));
  EXPECT_TRUE(table.HasDuplicateKeys(ShapeOf(table, {"a", "a"})));
  EXPECT_FALSE(table.HasDuplicateKeys(ShapeOf(table, {"a", "b"})));
}

TEST(ShapeTable, CorrespondingMembersGoByKey) {
  ShapeTable table;
  const ShapeId from = ShapeOf(table, {"a", "b", "c"});
  const ShapeId to = ShapeOf(table, {"c", "x", "a"});
  for (int again = 0; again < 2; ++again) {
    const std::uint32_t* members = table.CorrespondingMembers(from, to);
    EXPECT_EQ(members[0], 2u);
    EXPECT_EQ(members[1], ShapeTable::kNoMember);
    EXPECT_EQ(members[2], 0u);
  }
  EXPECT_EQ(table.CorrespondingMembers(to, from)[0], 2u);
}

TEST(ShapeTable, AnswersDoNotDependOnTheSeed) {
  for (const std::uint64_t seed : {0ull, 1ull, 0xffffffffffffffffull}) {
    ShapeTable table(seed);
    std::vector<std::string> keys;
    for (int i = 0; i < 300; ++i) keys.push_back("key" + std::to_string(i));
    const ShapeId forward = ShapeOf(table, keys);
    const ShapeId backward = ShapeOf(table, {keys.rbegin(), keys.rend()});
    EXPECT_FALSE(table.HasDuplicateKeys(forward));
    const std::uint32_t* members = table.CorrespondingMembers(forward, backward);
    for (std::uint32_t i = 0; i < 300; ++i) EXPECT_EQ(members[i], 299 - i);
  }
}

TEST(ShapeTable, ClearForgetsEverything) {
  ShapeTable table;
  ShapeOf(table, {"a", "b"});
  table.Clear();
  const ShapeId b = ShapeOf(table, {"b"});
  EXPECT_EQ(table.Keys(b), std::vector<std::string_view>{"b"});
}

}  // namespace
}  // namespace leafscore::internal
