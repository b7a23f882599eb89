#include "engine/lint/path_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/json/json_value.h"

namespace leafscore::internal {
namespace {

class PathTreeTest : public ::testing::Test {
 protected:
  void Add(const std::string& json) {
    ASSERT_TRUE(value_.Read(json).present()) << json;
    tree_.AddGold(value_.table(), value_.shapes(), 0);
  }

  std::vector<std::string> Paths(bool constant_only = false) const {
    std::vector<std::string> paths;
    for (std::uint32_t place = 0; place < tree_.places().size(); ++place) {
      if (!constant_only || tree_.IsConstant(place)) paths.push_back(tree_.Text(place));
    }
    return paths;
  }

  JsonValue value_{JsonOptions()};
  PathTree tree_;
};

TEST_F(PathTreeTest, ElementsOfAnArrayAreOnePlace) {
  Add(R"({"a": [{"b": 1}, {"b": 2, "c.d": [[3]]}], "": 4})");
  EXPECT_EQ(Paths(), (std::vector<std::string>{"*", "a", "a[*]", "a[*].b", "a[*][\"c.d\"]",
                                               "a[*][\"c.d\"][*]", "a[*][\"c.d\"][*][*]", "[\"\"]"}));
  EXPECT_EQ(tree_.leaves(), 4u);
  EXPECT_EQ(tree_.places()[3].records, 1u);
  EXPECT_EQ(tree_.places()[3].leaves, 2u);
}

TEST_F(PathTreeTest, ConstantIsWhatIsTheSameInThreeRecordsAndATenth) {
  for (int i = 0; i < 3; ++i) Add("{\"a\": [1, 1], \"b\": " + std::to_string(i) + ", \"c\": {}}");
  EXPECT_EQ(Paths(true), std::vector<std::string>{"a[*]"});
  Add("{\"a\": [1, 2]}");
  EXPECT_TRUE(Paths(true).empty());
  for (int i = 0; i < 3; ++i) Add("{\"d\": 1}");
  EXPECT_EQ(Paths(true), std::vector<std::string>{"d"});
  for (int i = 0; i < 24; ++i) Add("{}");
  EXPECT_TRUE(Paths(true).empty());
}

TEST_F(PathTreeTest, AContainerInOneRecordAndALeafInAnotherIsNotTheSame) {
  Add("{\"a\": 1}");
  Add("{\"a\": [1]}");
  Add("{\"a\": 1}");
  EXPECT_TRUE(Paths(true).empty());
}

TEST_F(PathTreeTest, AnswersMarkWhatTheGoldHas) {
  Add(R"({"a": {"b": 1}, "c": 2})");
  ASSERT_TRUE(value_.Read(R"({"a": {"x": 1}, "y": [{"c": 2}]})").present());
  tree_.MarkAnswer(value_.table(), value_.shapes(), 0);
  std::vector<bool> marks;
  for (const PathTree::Place& place : tree_.places()) marks.push_back(place.in_answer);
  EXPECT_EQ(marks, (std::vector<bool>{true, true, false, false}));  // *, a, a.b, c
}

TEST_F(PathTreeTest, KeysThatAreDataDoNotTakeTheMemory) {
  std::string json = "{";
  for (std::size_t i = 0; i < PathTree::kMaxPlaces + 10; ++i) {
    json += (i == 0 ? "\"k" : ", \"k") + std::to_string(i) + "\": {\"x\": 1}";
  }
  Add(json + "}");
  EXPECT_EQ(tree_.places().size(), PathTree::kMaxPlaces);
  EXPECT_EQ(tree_.leaves(), PathTree::kMaxPlaces + 10);
}

}  // namespace
}  // namespace leafscore::internal
