#include "engine/match/field_finder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/json_reader.h"

namespace leafscore::internal {
namespace {

using Texts = std::vector<std::string>;

class FieldFinderTest : public ::testing::Test {
 protected:
  // RETURNS: the fields of a record as they are written, "-" for one that it lacks.
  Texts Find(FieldFinder& finder, const std::string& record) {
    reader_.Begin(record, /*lines=*/false, &table_);
    const NodeId root = reader_.Read(0, static_cast<std::uint32_t>(record.size())).root;
    Texts found;
    for (const NodeId node : finder.Find(table_, root)) {
      found.emplace_back(node == kNoNode ? "-" : table_.token(node));
    }
    return found;
  }

  ShapeTable shapes_;
  JsonReader reader_{&shapes_};
  LeafTable table_;
};

TEST_F(FieldFinderTest, FindsMembersAndPaths) {
  FieldFinder finder({"id", "meta.task", "output[1].text", "meta", "none", "meta.none"}, &shapes_);
  EXPECT_EQ(Find(finder, R"({"meta": {"n": 1, "task": "t"}, "output": [7, {"text": 8}], "id": 3})"),
            (Texts{"3", "t", "8", R"({"n": 1, "task": "t"})", "-", "-"}));
  EXPECT_EQ(Find(finder, R"({"meta": 5, "output": [{"text": 8}], "id": {}})"),
            (Texts{"{}", "-", "-", "5", "-", "-"}));
  EXPECT_EQ(Find(finder, "{}"), Texts(6, "-"));
  EXPECT_EQ(Find(finder, R"({"meta": {"task": [1]}})"),
            (Texts{"-", "[1]", "-", R"({"task": [1]})", "-", "-"}));
}

TEST_F(FieldFinderTest, AMemberWithTheWholeTextAsNameComesFirst) {
  FieldFinder finder({"a.b", "a[0]", "b c", ""}, &shapes_);
  EXPECT_EQ(Find(finder, R"({"a": {"b": 1}, "a.b": 2})"), (Texts{"2", "-", "-", "-"}));
  EXPECT_EQ(Find(finder, R"({"a": {"b": 1}})"), (Texts{"1", "-", "-", "-"}));
  EXPECT_EQ(Find(finder, R"({"a": [3], "a[0]": 4, "b c": 5, "": 6})"), (Texts{"-", "4", "5", "6"}));
  EXPECT_EQ(Find(finder, R"({"a": [3]})"), (Texts{"-", "3", "-", "-"}));
}

TEST_F(FieldFinderTest, ForgetsShapesThatWereCleared) {
  FieldFinder finder({"a", "m.a"}, &shapes_);
  EXPECT_EQ(Find(finder, R"({"a": 1, "m": {"a": 2}})"), (Texts{"1", "2"}));
  shapes_.Clear();
  finder.Reset();
  EXPECT_EQ(Find(finder, R"({"m": {"b": 3, "a": 4}, "a": 5})"), (Texts{"5", "4"}));
}

}  // namespace
}  // namespace leafscore::internal
