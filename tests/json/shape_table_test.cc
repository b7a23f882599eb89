#include "engine/json/shape_table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
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

TEST(ShapeTable, RowsThatComeOnceDoNotMakeTheTreeGrow) {
  ShapeTable table;
  std::vector<std::string> keys;
  for (int i = 0; i < 1000; ++i) keys.push_back("key" + std::to_string(i));
  ShapeOf(table, keys);
  const std::size_t once = table.memory_bytes();
  for (int i = 0; i < 3; ++i) ShapeOf(table, keys);
  EXPECT_GT(table.memory_bytes(), once + 1000 * sizeof(ShapeId));
}

TEST(ShapeTable, TheBeginningOfAPlantedRowIsAShape) {
  ShapeTable table;
  const ShapeId once = ShapeOf(table, {"a", "b"});
  for (int i = 0; i < 5; ++i) ShapeOf(table, {"a", "b", "c"});
  const std::vector<std::string_view> keys = {"a", "b"};
  EXPECT_EQ(table.Keys(ShapeOf(table, {"a", "b"})), keys);
  EXPECT_EQ(table.Keys(once), keys);
  EXPECT_EQ(table.CorrespondingMembers(once, ShapeOf(table, {"a", "b"}))[1], 1u);
}

// Objects within each other, whose keys come from a small set, so that rows are planted, begun and left in
// all ways.
TEST(ShapeTable, AnyRowsComeBackAsTheyWere) {
  const std::vector<std::string> names = {"a", "b", "c", "", "q\"", "a key that is too long to be predicted"};
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same rows each time
  ShapeTable table;
  std::map<ShapeId, std::vector<std::string>> known;
  const auto read_object = [&](auto& self, ShapeTable::Place place, unsigned depth) -> void {
    std::vector<std::string> keys;
    for (auto left = random() % 6; left != 0; --left) {
      keys.push_back(names[random() % (random() % 4 == 0 ? names.size() : 3)]);
      place = table.Extend(place, keys.back());
      if (depth != 0 && random() % 3 == 0) self(self, ShapeTable::Within(place), depth - 1);
    }
    const ShapeId shape = table.Finish(place);
    const std::vector<std::string_view> stored = table.Keys(shape);
    ASSERT_EQ(std::vector<std::string>(stored.begin(), stored.end()), keys);
    ASSERT_EQ(known.emplace(shape, keys).first->second, keys);
    ASSERT_EQ(table.HasDuplicateKeys(shape), std::set(keys.begin(), keys.end()).size() != keys.size());
  };
  for (int i = 0; i < 20000 && !HasFatalFailure(); ++i) read_object(read_object, kStart, 3);
  for (const auto& [shape, keys] : known) {
    const std::vector<std::string_view> stored = table.Keys(shape);
    ASSERT_EQ(std::vector<std::string>(stored.begin(), stored.end()), keys);
  }
}

TEST(ShapeTable, ObjectsThatDoNotEndAreDropped) {
  ShapeTable table;
  table.Extend(ShapeTable::Within(table.Extend(kStart, "left")), "open");
  table.BeginText();
  EXPECT_EQ(table.Keys(ShapeOf(table, {"a", "b"})), (std::vector<std::string_view>{"a", "b"}));
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
