// The options of json_similarity that change what corresponds and what counts. The oracle tries every pairing
// of every two arrays and holds every path against every pattern.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/random.h"
#include "engine/match/assignment.h"
#include "json/json_reference.h"
#include "sanitized.h"
#include "scorers/json_similarity_reference.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

using reference::Value;
using Kind = reference::Value::Kind;
using Path = std::vector<std::string>;  // keys, and positions as [0]

constexpr char kAnyOrder[] = "type: json_similarity, array_match: any_order";

struct Rules {
  bool any_order = false;
  std::vector<Path> ignored;
  std::vector<std::pair<Path, double>> weights;
};

bool Matches(const Path& pattern, std::size_t p, const Path& path, std::size_t i) {
  if (p == pattern.size()) return i == path.size();
  if (pattern[p] == "**")
    return Matches(pattern, p + 1, path, i) || (i < path.size() && Matches(pattern, p, path, i + 1));
  if (i == path.size()) return false;
  const bool position = path[i][0] == '[';
  const bool step =
      pattern[p] == path[i] || (pattern[p] == "*" && !position) || (pattern[p] == "[*]" && position);
  return step && Matches(pattern, p + 1, path, i + 1);
}

// The matched and the total weight of what is below a place; nothing when it is ignored.
std::optional<reference::Similarity> Reference(const Rules& rules, const Value& e, const Value* a,
                                               const Path& path, double weight) {
  for (const Path& pattern : rules.ignored) {
    if (Matches(pattern, 0, path, 0)) return std::nullopt;
  }
  for (const auto& [pattern, its_weight] : rules.weights) {
    if (Matches(pattern, 0, path, 0)) weight = its_weight;
  }
  reference::Similarity sum;
  if (e.kind != Kind::kArray && e.kind != Kind::kObject) {
    return reference::Similarity{a == nullptr ? 0 : weight * reference::JsonSimilarity(e, *a).matched,
                                 weight};
  }
  const bool same_kind = a != nullptr && a->kind == e.kind;
  const auto below = [&](std::size_t i, const Value* actual) {
    Path child = path;
    child.push_back(e.kind == Kind::kObject ? e.keys[i] : "[" + std::to_string(i) + "]");
    return Reference(rules, e.items[i], actual, child, weight);
  };
  for (std::size_t i = 0; i < e.items.size(); ++i) {
    const Value* actual = nullptr;
    if (same_kind && e.kind == Kind::kObject) {
      actual = Find(*a, e.keys[i]);
    } else if (same_kind && i < a->items.size() && !rules.any_order) {
      actual = &a->items[i];
    }
    const auto similarity = below(i, actual);
    if (!similarity) continue;
    sum.matched += similarity->matched;
    sum.total += similarity->total;
  }
  if (!same_kind || e.kind == Kind::kObject || !rules.any_order) return sum;
  // The best of all ways to give elements of a to those of e.
  std::vector<bool> taken(a->items.size(), false);
  const auto best = [&](const auto& self, std::size_t i) -> double {
    if (i == e.items.size()) return 0;
    double most = self(self, i + 1);
    for (std::size_t j = 0; j < a->items.size(); ++j) {
      if (taken[j]) continue;
      const auto similarity = below(i, &a->items[j]);
      if (!similarity) continue;
      taken[j] = true;
      most = std::max(most, similarity->matched + self(self, i + 1));
      taken[j] = false;
    }
    return most;
  };
  sum.matched = best(best, 0);
  return sum;
}

// Holds the scorer against the reference on random pairs.
void ExpectAgreement(const std::string& options, const Rules& rules, std::uint32_t seed, int pairs,
                     int depth) {
  RandomJson random(seed);
  const Plan plan = Plan::FromConfig("evaluators:\n- {type: json_similarity, " + options + "}\n");
  for (int i = 0; i < Rounds(pairs); ++i) {
    const std::string expected = random.Value(depth);
    const std::string actual = random.Below(4) == 0 ? expected : random.Value(depth);
    const Value e = reference::Parse(expected)->value;
    const Value a = reference::Parse(actual)->value;
    const reference::Similarity wanted = Reference(rules, e, &a, {}, 1).value_or(reference::Similarity{});
    const ScoreColumns scores = Runner(plan).ScorePair(expected, actual)[0];
    ASSERT_NEAR(scores.metrics[0].values[0], wanted.matched, 1e-9) << expected << "\n" << actual;
    ASSERT_NEAR(scores.metrics[1].values[0], wanted.total, 1e-9) << expected << "\n" << actual;
    ASSERT_NEAR(scores.score[0], wanted.score(), 1e-9) << expected << "\n" << actual;
  }
}

TEST(JsonSimilarityRules, AnyOrderAgreesWithTryingAll) {
  ExpectAgreement("array_match: any_order", {.any_order = true, .ignored = {}, .weights = {}}, 1, 3000, 3);
}

TEST(JsonSimilarityRules, PathsAgreeWithTheReference) {
  const Rules rules{
      .any_order = false,
      .ignored = {{"a", "b"}, {"**", "c"}, {"[1]", "*"}},
      .weights = {{{"**", "[*]"}, 2}, {{"a", "**"}, 0.5}, {{"[0]"}, 3}, {{"*", "d"}, 0}, {{"**", "e"}, 7}}};
  const std::string options =
      "ignore_paths: [a.b, '**.c', '[1].*'], "
      "weights: {'**[*]': 2, 'a.**': 0.5, '[0]': 3, '*.d': 0, '**.e': 7}";
  ExpectAgreement(options, rules, 2, 3000, 4);
  Rules any_order = rules;
  any_order.any_order = true;
  ExpectAgreement(options + ", array_match: any_order", any_order, 3, 1500, 3);
}

TEST(JsonSimilarityRules, OrderedWithoutRulesIsThePlainScore) {
  RandomJson random(4);
  const Plan plain({"json_similarity"});
  const Plan ruled =
      Plan::FromConfig("evaluators:\n- {type: json_similarity, weights: {'no.such.path': 2}}\n");
  for (int i = 0; i < 1000; ++i) {
    const std::string expected = random.Value(4);
    const std::string actual = random.Value(4);
    ASSERT_NEAR(Runner(plain).ScorePair(expected, actual)[0].score[0],
                Runner(ruled).ScorePair(expected, actual)[0].score[0], 1e-12);
  }
}

TEST(JsonSimilarityRules, AnyOrderFindsTheBestPairing) {
  EXPECT_EQ(ScoreOf(kAnyOrder, "[1, 2, 3]", "[3, 1, 2]"), 1.0);
  EXPECT_NEAR(ScoreOf("type: json_similarity", "[1, 2, 3]", "[3, 1, 2]"), (0.5 + 2.0 / 3) / 3, 1e-15);
  EXPECT_EQ(ScoreOf(kAnyOrder, R"([{"id": 1, "tags": ["a", "b"]}, {"id": 2, "tags": ["c"]}])",
                    R"([{"id": 2, "tags": ["c"]}, {"id": 1, "tags": ["b", "a"]}])"),
            1.0);
  EXPECT_EQ(ScoreOf(kAnyOrder, R"(["abcd", "abce"])", R"(["abcx", "abcd"])"), 0.875);
  EXPECT_EQ(ScoreOf(kAnyOrder, "[1, 2]", "[2]"), 0.5);
  EXPECT_EQ(ScoreOf(kAnyOrder, "[2]", "[1, 2]"), 1.0);
  EXPECT_EQ(ScoreOf(kAnyOrder, "[]", "[1]"), 1.0);
}

// Writes a leaf, which is often that of another call; at most, an array or object.
std::string RandomElementPart(SplitMix64& random, std::uint64_t kinds) {
  constexpr const char* kParts[] = {"1",
                                    "2.5",
                                    "-1e3",
                                    "NaN",
                                    "1e999",
                                    "null",
                                    "true",
                                    "\"\"",
                                    R"("Ab")",
                                    R"("aB")",
                                    R"("a\u0062")",
                                    R"("Caf\u00e9 au lait")",
                                    R"("Café du lait")",
                                    "[]",
                                    "{}",
                                    "[1]",
                                    R"({"x": 1})"};
  if (kinds < std::size(kParts) && random.Below(3) == 0)  // some in few words of bits, some in more
    return fmt::format("\"text {} of many{:.>{}}\"", random.Below(40), "", random.Below(20) == 0 ? 60 : 0);
  return kParts[random.Below(std::min<std::uint64_t>(kinds, std::size(kParts)))];
}

// With the details of leaves, all pairs of elements are compared one by one.
TEST(JsonSimilarityRules, MatricesAtOnceAreThoseOfAllPairs) {
  SplitMix64 random{20261128, 0};
  const auto element = [&](bool is_object, std::uint64_t kinds) {
    if (!is_object) return RandomElementPart(random, kinds);
    std::string object = "{";
    for (const std::string key : {"name", "qty", "price", "unit"}) {
      if (random.Below(12) == 0) continue;
      object += (object.size() > 1 ? ", \"" : "\"") + key + "\": " + RandomElementPart(random, kinds);
    }
    return object + "}";
  };
  for (int round = 0; round < 400; ++round) {
    const std::uint64_t expected_kinds = round % 8 == 0 ? 17 : 13;
    std::string sides[2];
    for (std::string& side : sides) {
      side = "{\"before\": \"x\", \"list\": [";
      const std::uint64_t size = 8 + random.Below(20);
      for (std::uint64_t i = 0; i < size; ++i) {
        const bool is_object = round % 3 == 0 ? random.Below(2) == 0 : round % 3 == 1;
        side += (i == 0 ? "" : ", ") + element(is_object, &side == &sides[0] ? expected_kinds : 17);
      }
      side += "], \"after\": \"text\"}";
    }
    for (const char* const options : {"", ", case_sensitive: false, number_tolerance: 0.1"}) {
      const Plan plan = Plan::FromConfig(fmt::format("scorers: [{{{}{}}}]", kAnyOrder, options));
      const auto score = [&](DetailLevel level) {
        return ScoredPair(plan, sides[0], sides[1], level).batch().columns().score[0];
      };
      ASSERT_EQ(score(DetailLevel::kBasic), score(DetailLevel::kLeaves)) << sides[0] << "\n" << sides[1];
    }
  }
}

TEST(JsonSimilarityRules, TheDetailsSayHowArraysWerePaired) {
  EXPECT_EQ(DetailsOf(kAnyOrder, "[1, 2]", "[2, 1]"),
            R"({"matched_leaves": 2, "total_leaves": 2, "assignment": "exact"})");
  EXPECT_EQ(DetailsOf("type: json_similarity, weights: {a: 2}", R"({"a": 1})", R"({"a": 1})"),
            R"({"matched_leaves": 2, "total_leaves": 2})");
}

// Returns an array of objects with the numbers first to last, rising or falling.
std::string Objects(int first, int last) {
  std::string text = "[";
  for (int i = first;; i += first < last ? 1 : -1) {
    text += "{\"id\": " + std::to_string(i) + ", \"name\": \"n" + std::to_string(i) + "\"}";
    if (i == last) return text + "]";
    text += ", ";
  }
}

TEST(JsonSimilarityRules, LargeArraysArePairedGreedily) {
  const int limit = static_cast<int>(kMaxExactAssignment);
  for (const int size : {limit - 1, limit, limit + 1}) {
    const std::string leaves = std::to_string(2 * size);
    EXPECT_EQ(DetailsOf(kAnyOrder, Objects(1, size), Objects(size, 1)),
              "{\"matched_leaves\": " + leaves + ", \"total_leaves\": " + leaves + ", \"assignment\": \"" +
                  (size <= limit ? "exact" : "greedy") + "\"}");
  }
  // Small elements leave less to pay with, but enough.
  std::string ones = "[1";
  std::string twos = "[2";
  for (int i = 1; i < limit; ++i) {
    ones += ",1";
    twos += ",2";
  }
  EXPECT_EQ(DetailsOf(kAnyOrder, ones + "]", twos + "]"),
            R"({"matched_leaves": 0, "total_leaves": 256, "assignment": "exact"})");
  // What has no equal is paired at its best: here 1 and 1001, of a thousand.
  std::string actual = Objects(1000, 1);
  actual.replace(actual.rfind("\"n1\""), 4, "\"x1\"");
  EXPECT_EQ(ScoreOf(kAnyOrder, Objects(1, 1000), actual), 1999.5 / 2000);
  // By position when that is too much as well: every number is one too large.
  std::string expected = "[1";
  std::string larger = "[2";
  double sum = 0;
  for (int i = 2; i <= 300; ++i) {
    expected += ", " + std::to_string(i * 1000);
    larger += ", " + std::to_string(i * 1000 + 1);
    sum += 1 - 1.0 / (i * 1000);
  }
  EXPECT_NEAR(ScoreOf(kAnyOrder, expected + "]", larger + "]"), sum / 300, 1e-12);
}

// Every element has a wrong leaf and the first one is gone; by position, no other would be where it belongs.
TEST(JsonSimilarityRules, OneDroppedElementOfManyShiftsNoOther) {
  std::string expected = "[";
  std::string actual = "[";
  constexpr int kElements = 400;
  for (int i = 0; i < kElements; ++i) {
    const auto element = [&](const std::string& wrong) {
      return "{\"id\": " + std::to_string(i) + ", \"of\": {\"city\": \"n" + std::to_string(i) +
             "\"}, \"ok\": " + wrong + "}";
    };
    expected += (i == 0 ? "" : ", ") + element("true");
    if (i != 0) actual += (i == 1 ? "" : ", ") + element("false");
  }
  EXPECT_EQ(DetailsOf(kAnyOrder, expected + "]", actual + "]"),
            R"({"matched_leaves": 798, "total_leaves": 1200, "assignment": "greedy"})");
}

TEST(JsonSimilarityRules, ComparingAllWithAllHasAnAllowance) {
  // Arrays of arrays of arrays: all pairs of numbers would be 64 million.
  const auto nested = [](int levels, int size, const std::string& leaf) {
    std::string text = leaf;
    for (int level = 0; level < levels; ++level) {
      std::string array = "[";
      for (int i = 0; i < size; ++i) array += (i == 0 ? "" : ",") + text;
      text = array + "]";
    }
    return text;
  };
  const std::string details = DetailsOf(kAnyOrder, nested(3, 20, "1"), nested(3, 20, "2"));
  EXPECT_EQ(details, R"({"matched_leaves": 0, "total_leaves": 8000, "assignment": "greedy"})");
  // Deep ones, where no level pays for itself.
  EXPECT_EQ(ScoreOf(kAnyOrder, nested(1000, 1, "4"), nested(1000, 1, "5")), 0.75);
  std::string left = "4";
  std::string right = "5";
  for (int i = 0; i < 1000; ++i) {
    left = "[" + left + ",0]";
    right = "[1," + right + "]";
  }
  EXPECT_LT(ScoreOf(kAnyOrder, left, right), 1.0);
}

TEST(JsonSimilarityRules, IgnoredPathsDoNotCount) {
  const std::string expected =
      R"({"id": 7, "items": [{"at": 1, "v": 1}, {"at": 2, "v": 2}], "meta": {"at": 3}})";
  const std::string actual = R"({"id": 8, "items": [{"at": 9, "v": 1}, {"v": 2}], "meta": 5})";
  const auto score = [&](const std::string& paths) {
    return DetailsOf("type: json_similarity, ignore_paths: " + paths, expected, actual);
  };
  EXPECT_EQ(score("[id, 'items[*].at', meta.at]"), R"({"matched_leaves": 2, "total_leaves": 2})");
  EXPECT_EQ(score("[id, '**.at']"), R"({"matched_leaves": 2, "total_leaves": 2})");
  EXPECT_EQ(score("[id, meta, 'items[0]']"), R"({"matched_leaves": 1, "total_leaves": 2})");
  EXPECT_EQ(score("'*'"), R"({"matched_leaves": 0, "total_leaves": 0})");
  EXPECT_EQ(score("'**'"), R"({"matched_leaves": 0, "total_leaves": 0})");
  EXPECT_EQ(ScoreOf("type: json_similarity, ignore_paths: '**'", "1", "2"), 1.0);
  // An ignored element takes none away from the others.
  EXPECT_EQ(
      ScoreOf("type: json_similarity, array_match: any_order, ignore_paths: '[0]'", "[5, 1, 2]", "[2, 1]"),
      1.0);
}

TEST(JsonSimilarityRules, TheDeepestThenTheLastWeightHolds) {
  const auto score = [](const std::string& weights) {
    return DetailsOf("type: json_similarity, weights: {" + weights + "}",
                     R"({"a": {"b": 1, "c": 1}, "d": 1})", R"({"a": {"b": 1}, "d": 1})");
  };
  EXPECT_EQ(score("a: 3"), R"({"matched_leaves": 4, "total_leaves": 7})");
  EXPECT_EQ(score("a.b: 5, a: 3"), R"({"matched_leaves": 6, "total_leaves": 9})");
  EXPECT_EQ(score("'a.*': 5, a.b: 2"), R"({"matched_leaves": 3, "total_leaves": 8})");
  EXPECT_EQ(score("a.b: 2, 'a.*': 5"), R"({"matched_leaves": 6, "total_leaves": 11})");
  EXPECT_EQ(score("'**': 0.5"), R"({"matched_leaves": 1, "total_leaves": 1.5})");
  EXPECT_EQ(score("a: 0"), R"({"matched_leaves": 1, "total_leaves": 1})");
}

TEST(JsonSimilarityRules, PathsBeginAtTheWholeExpectedValue) {
  const std::string expected = R"({"r": {"a": 1, "b": 1}})";
  const std::string actual = R"({"r": {"a": 1, "b": 5}})";
  EXPECT_EQ(
      DetailsOf("type: json_similarity, target_output_key: r, weights: {r.a: 3, a: 9}", expected, actual),
      R"({"matched_leaves": 3, "total_leaves": 4})");
  EXPECT_EQ(
      DetailsOf("type: json_similarity, target_output_key: [r.a, r.b], weights: {r: 2}, ignore_paths: r.b",
                expected, actual),
      R"({"matched_leaves": 2, "total_leaves": 2})");
  EXPECT_EQ(DetailsOf("type: json_similarity, target_output_key: r, ignore_paths: r", expected, actual),
            R"({"matched_leaves": 0, "total_leaves": 0})");
}

TEST(JsonSimilarityRules, TheLeavesAreThoseOfThePairing) {
  EXPECT_EQ(
      DetailsOf("type: json_similarity, array_match: any_order, weights: {'[*].n': 2}, ignore_paths: '[*].x'",
                R"([{"n": 1, "s": "ab"}, {"n": 2, "x": 0}, {"n": 3}])", R"([{"n": 2}, {"s": "ac", "n": 1}])",
                DetailLevel::kLeaves),
      R"({"matched_leaves": 4.5, "total_leaves": 7, "assignment": "exact", "leaves": [)"
      R"({"path": "[0].n", "expected": 1, "actual": 1, "similarity": 1, "weight": 2}, )"
      R"({"path": "[0].s", "expected": "ab", "actual": "ac", "similarity": 0.5}, )"
      R"({"path": "[1].n", "expected": 2, "actual": 2, "similarity": 1, "weight": 2}, )"
      R"({"path": "[2].n", "expected": 3, "similarity": 0, "weight": 2}]})");
  // Nested: what was best within a pair of elements that was not chosen does not show.
  EXPECT_EQ(DetailsOf(kAnyOrder, "[[1, 2], [3, 4]]", "[[4, 3], [2, 1]]", DetailLevel::kLeaves),
            R"({"matched_leaves": 4, "total_leaves": 4, "assignment": "exact", "leaves": [)"
            R"({"path": "[0][0]", "expected": 1, "actual": 1, "similarity": 1}, )"
            R"({"path": "[0][1]", "expected": 2, "actual": 2, "similarity": 1}, )"
            R"({"path": "[1][0]", "expected": 3, "actual": 3, "similarity": 1}, )"
            R"({"path": "[1][1]", "expected": 4, "actual": 4, "similarity": 1}]})");
}

TEST(JsonSimilarityRules, QuotedKeysMeanThemselves) {
  const std::string expected = R"({"a.b": {"*": 1, "x": 1}, "/c": 1, "d": 1})";
  EXPECT_EQ(DetailsOf(R"(type: json_similarity, ignore_paths: ['["a.b"]["*"]', '["/c"]'])", expected, "{}"),
            R"({"matched_leaves": 0, "total_leaves": 2})");
  EXPECT_EQ(DetailsOf(R"(type: json_similarity, weights: {'["a.b"].x': 5})", expected, "{}"),
            R"({"matched_leaves": 0, "total_leaves": 8})");
}

TEST(JsonSimilarityRules, JsonPointersAreRefusedWithTheirNewSpelling) {
  const std::string why =
      "\"/items/0/a.b\" is a JSON Pointer; write it as items[0][\"a.b\"], or a key with a slash in front as "
      "[\"/key\"]";
  EXPECT_TRUE(ConfigErrorOf("type: json_similarity, ignore_paths: '/items/0/a.b'").ends_with(why));
  EXPECT_TRUE(ConfigErrorOf("type: json_similarity, weights: {'/items/0/a.b': 2}").ends_with(why));
}

TEST(JsonSimilarityRules, WrongPatternsAreRefused) {
  for (const std::string path : {"", "a.", ".a", "a..b", "a[", "a[x]", "a[1]b", "[*]x", "a.[0]"}) {
    EXPECT_EQ(
        ConfigErrorOf("type: json_similarity, ignore_paths: '" + path + "'"),
        "config:2: scorer \"json_similarity\" (json_similarity): option \"ignore_paths\": \"" + path +
            "\" is not a path pattern; write it like a.b[0].c, with * for any key, [*] for any position and "
            "** for any depth");
  }
  EXPECT_NE(ConfigErrorOf("type: json_similarity, weights: {a: -1}").find("must be a number from 0"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: json_similarity, weights: [a]").find("must be a map"), std::string::npos);
  EXPECT_NE(ConfigErrorOf("type: json_similarity, array_match: sorted").find("any_order"), std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
