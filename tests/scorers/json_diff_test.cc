// What the vectors do not cover of json_diff. The oracle is the definition, written as a recursion.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "engine/json/json_text.h"
#include "json/json_reference.h"
#include "sanitized.h"
#include "scorers/json_similarity_reference.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

using reference::Value;
using Kind = reference::Value::Kind;

constexpr char kJsonDiff[] = "type: json_diff";

double TextSimilarity(const std::string& a, const std::string& b) {
  const auto length = [](const std::string& text) {
    return static_cast<double>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
  };
  const double longer = std::max(length(a), length(b));
  return longer == 0 ? 1 : 1 - static_cast<double>(reference::EditDistance(a, b)) / longer;
}

bool IsNumeric(const Value& value) {
  return value.kind == Kind::kNumber || value.kind == Kind::kTrue || value.kind == Kind::kFalse;
}

double NumberOf(const Value& value) {
  return value.kind == Kind::kNumber ? std::strtod(value.text.c_str(), nullptr) : value.kind == Kind::kTrue;
}

// The compact text with sorted keys.
std::string SortedText(const Value& value) {
  switch (value.kind) {
    case Kind::kNull:
      return "null";
    case Kind::kFalse:
      return "false";
    case Kind::kTrue:
      return "true";
    case Kind::kNumber:
      return value.text;
    case Kind::kString:
      return '"' + value.text + '"';  // of letters
    case Kind::kArray: {
      std::string text;
      for (const Value& item : value.items) text += "," + SortedText(item);
      return "[" + (text.empty() ? "" : text.substr(1)) + "]";
    }
    case Kind::kObject: {
      std::set<std::string> members;
      for (std::size_t i = 0; i < value.keys.size(); ++i) {
        members.insert('"' + value.keys[i] + "\":" + SortedText(value.items[i]));
      }
      std::string text;
      for (const std::string& member : members) text += "," + member;
      return "{" + (text.empty() ? "" : text.substr(1)) + "}";
    }
  }
  return "";
}

double JsonDiffReference(const Value& e, const Value& a) {
  if (e.kind == Kind::kObject && a.kind == Kind::kObject) {
    std::set<std::string> keys(e.keys.begin(), e.keys.end());
    keys.insert(a.keys.begin(), a.keys.end());
    if (keys.empty()) return 1;
    double sum = 0;
    for (const std::string& key : keys) {
      const Value* const in_e = Find(e, key);
      const Value* const in_a = Find(a, key);
      sum += JsonDiffReference(in_e == nullptr ? Value{} : *in_e, in_a == nullptr ? Value{} : *in_a);
    }
    return sum / static_cast<double>(keys.size());
  }
  if (e.kind == Kind::kArray && a.kind == Kind::kArray) {
    const std::size_t longer = std::max(e.items.size(), a.items.size());
    if (longer == 0) return 1;
    double sum = 0;
    for (std::size_t i = 0; i < std::min(e.items.size(), a.items.size()); ++i) {
      sum += JsonDiffReference(e.items[i], a.items[i]);
    }
    return sum / static_cast<double>(longer);
  }
  if (e.kind == Kind::kNull || a.kind == Kind::kNull) return e.kind == a.kind;
  if (e.kind == Kind::kString && a.kind == Kind::kString) return TextSimilarity(e.text, a.text);
  if (IsNumeric(e) && IsNumeric(a)) {
    const double sum = std::fabs(NumberOf(e)) + std::fabs(NumberOf(a));
    return sum == 0 ? 1 : 1 - std::fabs(NumberOf(e) - NumberOf(a)) / sum;
  }
  return TextSimilarity(SortedText(e), SortedText(a));
}

TEST(JsonDiff, DocumentedExampleProfile) {
  EXPECT_NEAR(
      ScoreOf(kJsonDiff, R"({"name": "John A. Smith", "age": 31, "skills": ["python", "typescript"]})",
              R"({"name": "John Smith", "age": 30, "skills": ["python", "javascript"]})"),
      0.8509457755359394, 1e-12);
}

TEST(JsonDiff, DocumentedExampleNumbers) {
  EXPECT_NEAR(ScoreOf(kJsonDiff, "100", "105"), 0.975609756097561, 1e-12);
}

TEST(JsonDiff, DocumentedExampleTextWithATypo) {
  EXPECT_NEAR(ScoreOf(kJsonDiff, "\"hello world\"", "\"hello wrld\""), 10.0 / 11.0, 1e-12);
}

TEST(JsonDiff, AgreesWithTheReferenceBothWays) {
  RandomJson random(1);
  const Plan plan({"json_diff"});
  for (int i = 0; i < Rounds(3000); ++i) {
    const std::string a = random.Value(4);
    const std::string b = random.Value(4);
    const double wanted = JsonDiffReference(reference::Parse(a)->value, reference::Parse(b)->value);
    ASSERT_NEAR(Runner(plan).ScorePair(a, b)[0].score[0], wanted, 1e-12) << a << "\n" << b;
    ASSERT_NEAR(Runner(plan).ScorePair(b, a)[0].score[0], wanted, 1e-12) << a << "\n" << b;
    ASSERT_EQ(Runner(plan).ScorePair(a, a)[0].score[0], 1.0) << a;
  }
}

TEST(JsonDiff, TheSameInAnotherOrderIsExactlyOne) {
  std::string forwards = "{";
  std::string backwards = "}";
  for (int i = 0; i < 10; ++i) {
    const std::string member = "\"" + std::to_string(i) + "\": \"x\"";
    forwards += member + (i == 9 ? "}" : ", ");
    backwards = (i == 9 ? "{" : ", ") + member + backwards;
  }
  EXPECT_EQ(ScoreOf(kJsonDiff, forwards, backwards), 1.0);
}

TEST(JsonDiff, AMissingMemberCountsAsNull) {
  EXPECT_EQ(ScoreOf(kJsonDiff, R"({"a": 1})", R"({"a": 1, "b": null})"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, R"({"b": null, "a": 1})", R"({"a": 1})"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, R"({"b": 0, "a": 1})", R"({"a": 1})"), 0.5);
  EXPECT_EQ(ScoreOf(kJsonDiff, "[1]", "[1, null]"), 0.5);  // an element does not
}

TEST(JsonDiff, NumbersAtTheEndsOfTheRange) {
  EXPECT_EQ(ScoreOf(kJsonDiff, "1.7e308", "-1.7e308"), 0.0);
  EXPECT_NEAR(ScoreOf(kJsonDiff, "1.5e308", "0.5e308"), 0.5, 1e-15);
  EXPECT_NEAR(ScoreOf(kJsonDiff, "1.5e308", "0.9e308"), 0.75, 1e-15);
  EXPECT_EQ(ScoreOf(kJsonDiff, "5e-324", "5e-324"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "0", "-0.0"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "NaN", "NaN"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "NaN", "1"), 0.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "Infinity", "1"), 0.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "Infinity", "Infinity"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "Infinity", "1e400"), 0.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "1.7976931348623157e308", "1e400"), 0.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, "true", "1"), 1.0);  // booleans are numbers here
  EXPECT_EQ(ScoreOf(kJsonDiff, "false", "5"), 0.0);
}

TEST(JsonDiff, StringsThatHoldContainersAreParsed) {
  EXPECT_EQ(ScoreOf(kJsonDiff, R"("{\"a\": [1, 2]}")", R"({"a": [1, 2]})"), 1.0);
  EXPECT_EQ(ScoreOf(kJsonDiff, R"({"a": " \t[1, 2]"})", R"({"a": "\u005b1,3]"})"), 0.9);
  EXPECT_EQ(ScoreOf(kJsonDiff, R"(["[\"[1, 2]\", 5]"])", "[[[1, 2], 5]]"), 1.0);
  EXPECT_NEAR(ScoreOf(kJsonDiff, R"(["{", "[1"])", R"(["{", "[2"])"), 0.75, 1e-15);  // not JSON: text
  // A container against anything else is compared as its text.
  EXPECT_NEAR(ScoreOf(kJsonDiff, R"("{\"b\": 1, \"a\": 2}")", "5"), 0.0, 1e-15);
  EXPECT_NEAR(ScoreOf(kJsonDiff, R"("{\"b\": 2, \"a\": 1}")", "[1, 2]"), 1 - 10.0 / 13, 1e-15);
}

TEST(JsonDiff, PreserveStringsLeavesThemAlone) {
  EXPECT_NEAR(ScoreOf("type: json_diff, preserve_strings: true", R"("[1,2]")", R"("[1,3]")"), 0.8, 1e-15);
  EXPECT_EQ(ScoreOf("type: json_diff", R"("[1,2]")", R"("[1,3]")"), 0.9);
}

// Returns a text of `levels` strings within each other, each holding an array, around `inner`.
std::string NestedTexts(int levels, std::string inner) {
  for (int i = 0; i < levels; ++i) {
    inner.insert(0, "[");
    inner += ']';
    std::string quoted;
    AppendJsonString(quoted, inner);
    inner = std::move(quoted);
  }
  return inner;
}

TEST(JsonDiff, TextsWithinTextsAreReadUpToTheLimit) {
  for (const int levels : {15, 16}) {
    EXPECT_EQ(ScoreOf(kJsonDiff, NestedTexts(levels, "2"), NestedTexts(levels, "3")), 0.8) << levels;
  }
  // [2] and [3] as text
  EXPECT_NEAR(ScoreOf(kJsonDiff, NestedTexts(17, "2"), NestedTexts(17, "3")), 1 - 1.0 / 3, 1e-15);
}

TEST(JsonDiff, TargetKeysBuildAnObject) {
  EXPECT_EQ(ScoreOf("type: json_diff, target_output_key: [a, b]", R"({"a": 2, "b": "x", "c": 1})",
                    R"({"a": 3, "b": "x"})"),
            0.9);
}

TEST(JsonDiff, DeepValuesAreWalkedWithoutRecursion) {
  std::string left = "2";
  std::string right = "3";
  for (int i = 0; i < 1000; ++i) {
    left = i % 2 == 0 ? "[" + left + "]" : "{\"k\": " + left + "}";
    right = i % 2 == 0 ? "[" + right + "]" : "{\"k\": " + right + "}";
  }
  EXPECT_EQ(ScoreOf(kJsonDiff, left, right), 0.8);
  EXPECT_LT(ScoreOf(kJsonDiff, left, "[" + right + "]"), 1.0);  // other kinds at every level
}

}  // namespace
}  // namespace leafscore::internal
