// strict_json: literals computed by hand, and its definition over the slow references of its two parts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "json/json_reference.h"
#include "scorers/json_similarity_reference.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

using reference::Value;
using Kind = reference::Value::Kind;

constexpr char kStrictJson[] = "type: strict_json";

bool Equal(const Value& e, const Value& a) {
  if (e.kind != a.kind || e.items.size() != a.items.size()) return false;
  if (e.kind == Kind::kNumber) {
    return std::strtod(e.text.c_str(), nullptr) == std::strtod(a.text.c_str(), nullptr);
  }
  if (e.text != a.text) return false;
  for (std::size_t i = 0; i < e.items.size(); ++i) {
    const Value* const other = e.kind == Kind::kObject ? Find(a, e.keys[i]) : &a.items[i];
    if (other == nullptr || !Equal(e.items[i], *other)) return false;
  }
  return true;
}

// The score of two objects.
double StrictJsonReference(const Value& e, const Value& a) {
  double penalties = 0;
  const auto keys = static_cast<double>(e.keys.size());
  std::size_t extra = a.keys.size();
  for (std::size_t i = 0; i < e.keys.size(); ++i) {
    const Value* const actual = Find(a, e.keys[i]);
    if (actual == nullptr) {
      penalties += 100 / keys;
      continue;
    }
    --extra;
    if (Equal(e.items[i], *actual)) continue;
    penalties += (reference::JsonSimilarity(e.items[i], *actual).score() >= 0.5 ? 50 : 100) / keys;
  }
  if (e.keys.empty()) return extra == 0 ? 1 : 0;
  penalties += 10 / keys * static_cast<double>(extra);
  return std::max(0.0, 100 - penalties) / 100;
}

TEST(StrictJson, DeductsForEachKey) {
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": [1, 2]})", R"({"b": [1.0, 2], "a": 1})"), 1.0);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": 2, "c": 3, "d": 4})", R"({"a": 1, "b": 2, "c": 3})"), 0.75);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": 2})", R"({"a": 1, "b": "2"})"), 0.5);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": "text"})", R"({"a": 1, "b": "test"})"), 0.75);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": 2})", R"({"a": 1, "b": 2, "c": 3, "d": null})"), 0.9);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1})", R"({"x": 1})"), 0.0);  // 110 points are no less than nothing
}

TEST(StrictJson, SimilarIsFromTheThreshold) {
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": [1, 2]})", R"({"a": [1, true]})"), 0.5);
  EXPECT_EQ(ScoreOf("type: strict_json, similar_threshold: 0.51", R"({"a": [1, 2]})", R"({"a": [1, true]})"),
            0.0);
  EXPECT_EQ(ScoreOf("type: strict_json, similar_threshold: 0", R"({"a": 1})", R"({"a": true})"), 0.5);
}

TEST(StrictJson, WithoutKeys) {
  EXPECT_EQ(ScoreOf(kStrictJson, "{}", "{}"), 1.0);
  EXPECT_EQ(ScoreOf(kStrictJson, "{}", R"({"a": 1})"), 0.0);
  EXPECT_EQ(ScoreOf(kStrictJson, "{}", "[]"), 0.0);
  EXPECT_EQ(ScoreOf(kStrictJson, R"({"a": 1, "b": 2})", "5"), 0.0);
  EXPECT_EQ(ScoreOf(kStrictJson, "[1, 2]", "[1, 2]"), 1.0);
  EXPECT_EQ(ScoreOf(kStrictJson, "[1, 2]", "[1, 3]"), 0.5);
  EXPECT_EQ(ScoreOf(kStrictJson, "[1, 2]", R"({"a": 1})"), 0.0);
}

TEST(StrictJson, TheDetailsAreTheInventory) {
  EXPECT_EQ(
      DetailsOf(kStrictJson, R"({"a": 1, "b": "text", "c": 3, "d": 4})",
                R"({"x\"": 0, "c": "3", "b": "test", "a": 1})"),
      R"({"identical_keys": 1, "similar_keys": 1, "wrong_keys": 1, "missing_keys": 1, "extra_keys": 1, )"
      R"("keys": [{"key": "a", "verdict": "identical", "penalty": 0}, )"
      R"({"key": "b", "verdict": "similar", "penalty": 12.5, "similarity": 0.75}, )"
      R"({"key": "c", "verdict": "wrong", "penalty": 25, "similarity": 0}, )"
      R"({"key": "d", "verdict": "missing", "penalty": 25}, )"
      R"({"key": "x\"", "verdict": "extra", "penalty": 2.5}]})");
  EXPECT_EQ(
      DetailsOf(kStrictJson, "[1]", "[1]"),
      R"({"identical_keys": 1, "similar_keys": 0, "wrong_keys": 0, "missing_keys": 0, "extra_keys": 0, )"
      R"("keys": [{"key": "*", "verdict": "identical", "penalty": 0}]})");
}

TEST(StrictJson, TargetKeys) {
  const std::string expected = R"({"r": {"a": 1, "b": 2}, "s": "x"})";
  const std::string actual = R"({"r": {"a": 1, "b": 9}, "s": "x"})";
  EXPECT_EQ(ScoreOf("type: strict_json, target_output_key: r", expected, actual), 0.5);
  EXPECT_EQ(ScoreOf("type: strict_json, target_output_key: [r.b, s]", expected, actual), 0.5);
  EXPECT_EQ(
      DetailsOf("type: strict_json, target_output_key: [r.a]", expected, actual),
      R"({"identical_keys": 1, "similar_keys": 0, "wrong_keys": 0, "missing_keys": 0, "extra_keys": 0, )"
      R"("keys": [{"key": "r.a", "verdict": "identical", "penalty": 0}]})");
}

TEST(StrictJson, AgreesWithTheReference) {
  RandomJson random(3);
  const Plan plan({"strict_json"});
  int objects = 0;
  while (objects < 2000) {
    const std::string expected = random.Value(3);
    const std::string actual = random.Value(3);
    if (expected[0] != '{' || actual[0] != '{') continue;
    ++objects;
    ASSERT_NEAR(Runner(plan).ScorePair(expected, actual)[0].score[0],
                StrictJsonReference(reference::Parse(expected)->value, reference::Parse(actual)->value),
                1e-12)
        << expected << "\n"
        << actual;
  }
}

}  // namespace
}  // namespace leafscore::internal
