#include "engine/json/shape_table.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace leafscore::internal {
namespace {

ShapeId ShapeOf(ShapeTable& table, const std::vector<std::string>& keys) {
  return table.ShapeOf(std::vector<std::string_view>(keys.begin(), keys.end()));
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

// Reads an object as JsonReader does; its keys are short and plain.
ShapeId Read(ShapeTable& table, ShapeTable::KeyRow row, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const std::string text = key + "\"" + std::string(ShapeTable::kKeyLookAhead, ' ');
    if (!table.Follow(text.data(), &row)) {
      table.Append(std::string_view(text).substr(0, key.size()), /*padded=*/true, &row);
    }
  }
  return table.Finish(row);
}

TEST(ShapeTable, ObjectsLeaveTheirTracks) {
  ShapeTable table;
  const std::vector<std::vector<std::string>> rows = {
      {"a", "b", "c"}, {"a", "b"}, {"a", "b", "c", "d"}, {"a", "c"}, {"b", "a", "c"}, {"c"},
      {"a", "b", "b"}, {},         {"a", "x", "c"}};
  std::vector<ShapeId> shapes;
  for (const std::vector<std::string>& row : rows) shapes.push_back(ShapeOf(table, row));
  for (std::size_t usual = 0; usual < rows.size(); ++usual) {
    for (std::size_t other = 0; other < rows.size(); ++other) {
      // Often enough that there is a track, and once more after something else.
      for (const std::size_t row : {usual, usual, usual, usual, other, usual}) {
        const ShapeTable::KeyRow begin = table.Within(table.Outermost(), /*in_object=*/false);
        EXPECT_EQ(Read(table, begin, rows[row]), shapes[row]) << row << " among " << usual;
      }
    }
  }
}

TEST(ShapeTable, ObjectsWithinOneOfTheSamePlace) {
  ShapeTable table;
  const ShapeId inner = ShapeOf(table, {"a", "b"});
  const ShapeId outer = ShapeOf(table, {"a", "b", "c"});
  const ShapeId outermost = ShapeOf(table, {"a"});
  for (int i = 0; i < 10; ++i) {
    ShapeTable::KeyRow around = table.Within(table.Outermost(), /*in_object=*/false);
    table.Append("a", /*padded=*/false, &around);
    ShapeTable::KeyRow row = table.Within(around, /*in_object=*/true);
    table.Append("a", /*padded=*/false, &row);
    for (int j = 0; j < 4; ++j) {  // makes a track while another row of the place is open
      EXPECT_EQ(Read(table, table.Within(row, /*in_object=*/true), {"a", "b"}), inner);
    }
    for (const char* key : {"b", "c"}) table.Append(key, /*padded=*/false, &row);
    EXPECT_EQ(table.Finish(row), outer);
    EXPECT_EQ(table.Finish(around), outermost);
  }
}

TEST(ShapeTable, ManyKeysAndShapes) {
  ShapeTable table;
  std::vector<std::string> keys;
  for (int i = 0; i < 5000; ++i) keys.push_back("key" + std::to_string(i));
  const ShapeTable::KeyRow begin = table.Within(table.Outermost(), /*in_object=*/false);
  const ShapeId all = Read(table, begin, keys);
  EXPECT_FALSE(table.HasDuplicateKeys(all));
  EXPECT_EQ(Read(table, begin, keys), all);  // more than any cache holds
  std::swap(keys[1000], keys[4000]);
  const ShapeId swapped = Read(table, begin, keys);
  EXPECT_NE(swapped, all);
  EXPECT_EQ(table.CorrespondingMembers(all, swapped)[1000], 4000u);
  keys.push_back("key7");
  EXPECT_TRUE(table.HasDuplicateKeys(Read(table, begin, keys)));

  // A new shape takes memory for its keys, not for those of its beginnings.
  const std::size_t before = table.memory_bytes();
  for (int i = 0; i < 100; ++i) {
    std::swap(keys[0], keys[static_cast<std::size_t>(i) + 1]);
    Read(table, begin, keys);
  }
  EXPECT_LE(table.memory_bytes() - before, 100 * (keys.size() * sizeof(std::uint32_t) + 1000));
}

}  // namespace
}  // namespace leafscore::internal
