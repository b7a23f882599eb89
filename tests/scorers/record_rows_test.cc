// How the scorer `records` pairs rows where that is hard: by tolerances, similar texts and accepted values,
// by keys that come again, and beyond the limits.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// Above 2^22 pairs, not all of them can be looked at.
constexpr int kManyRows = 2'200;

// Returns {"r": [row(0), row(1), ...]}, or the rows in a fixed other order.
template <class Row>
std::string RowsOf(int count, bool shuffled, Row row) {
  std::string json = "{\"r\": [";
  for (int i = 0; i < count; ++i) {
    json += (i == 0 ? "" : ",") + row(shuffled ? static_cast<int>((i * 1'009LL + 7) % count) : i);
  }
  return json + "]}";
}

std::string PairingOf(const std::string& evaluator, const std::string& expected, const std::string& actual) {
  rapidjson::Document details;
  details.Parse(DetailsOf(evaluator, expected, actual).c_str());
  return details["pairing"].GetString();
}

TEST(RecordRows, ATolerancePairsThousandsOfRows) {
  const std::string evaluator = "type: records, fields: [{path: 'r[*].v', tolerance: 0.2}]";
  const auto expected = [](int i) { return "{\"v\": " + std::to_string(i + 1) + "}"; };
  const auto actual = [](int i) { return "{\"v\": " + std::to_string(i + 1) + ".125}"; };
  const ScoreColumns scores =
      Score(evaluator, RowsOf(kManyRows, false, expected), RowsOf(kManyRows, true, actual));
  EXPECT_EQ(MetricOf(scores, "matched"), kManyRows);
  const std::string relative = "type: records, fields: [{path: 'r[*].v', tolerance: 0.0002, relative: true}]";
  const auto near = [](int i) { return "{\"v\": " + std::to_string(i + 1) + ".00006}"; };
  const ScoreColumns shares =
      Score(relative, RowsOf(kManyRows, false, expected), RowsOf(kManyRows, true, near));
  EXPECT_EQ(MetricOf(shares, "matched"), kManyRows);
}

TEST(RecordRows, AcceptedValuesPairThousandsOfRows) {
  const auto expected = [](int i) {
    return "{\"n\": {\"$any\": [\"a" + std::to_string(i) + "\", \"b" + std::to_string(i) + "\", null]}}";
  };
  const auto actual = [](int i) { return "{\"n\": \"b" + std::to_string(i) + "\"}"; };
  const ScoreColumns scores = Score("type: records, any_of_key: $any", RowsOf(kManyRows, false, expected),
                                    RowsOf(kManyRows, true, actual));
  EXPECT_EQ(MetricOf(scores, "matched"), kManyRows);
}

// A text of some 100 characters that no other number has; a character is wrong in the second form.
std::string LongText(int number, bool wrong) {
  std::string text = "item " + std::to_string(number) + " ";
  auto mix = static_cast<std::uint32_t>(number) + 1;
  while (text.size() < 100) {
    mix = mix * 1'664'525u + 1'013'904'223u;
    text += "abcdefghijklmnop"[mix >> 28];
  }
  if (wrong) text[50 + static_cast<std::size_t>(number) % 40] = 'Z';
  return text;
}

// The texts of both sides make more than 4 MiB when each is beside each.
TEST(RecordRows, SimilarTextsOfPairsThatAreGivenAreComparedWhateverTheirNumber) {
  constexpr int kTexts = 250;
  const auto text = [](bool wrong) { return [wrong](int i) { return "\"" + LongText(i, wrong) + "\""; }; };
  const std::string expected = RowsOf(kTexts, false, text(false));
  const std::string ordered =
      "type: records, arrays: {r: ordered}, fields: [{path: 'r[*]', similarity: 0.9}]";
  EXPECT_EQ(ScoreOf(ordered, expected, RowsOf(kTexts, false, text(true))), 1);
  EXPECT_EQ(PairingOf(ordered, expected, RowsOf(kTexts, true, text(true))), "exact");
  EXPECT_EQ(ScoreOf(ordered, expected, RowsOf(kTexts, true, text(true))), 0);

  const auto row = [](bool wrong) {
    return [wrong](int i) {
      return "{\"id\": " + std::to_string(i) + ", \"t\": \"" + LongText(i, wrong) +
             "\", \"u\": " + (wrong ? "1" : "2") + "}";
    };
  };
  const std::string fields = "fields: [{path: 'r[*].t', similarity: 0.9}]";
  const std::string keyed = "type: records, match_by: {r: [id]}, " + fields;
  const std::string rows = RowsOf(kTexts, false, row(false));
  const std::string answer = RowsOf(kTexts, true, row(true));
  EXPECT_EQ(MetricOf(Score(keyed, rows, answer), "matched"), 2 * kTexts);
  EXPECT_EQ(PairingOf(keyed, rows, answer), "exact");
  // Rows that something else pairs; how they pair could depend on texts that were not compared.
  EXPECT_EQ(MetricOf(Score("type: records, " + fields, rows, answer), "matched"), 2 * kTexts);
  EXPECT_EQ(PairingOf("type: records, " + fields, rows, answer), "near");
}

TEST(RecordRows, SimilarTextsAlonePairRowsWhateverTheirNumber) {
  constexpr int kTexts = 250;
  const auto text = [](bool wrong) { return [wrong](int i) { return "\"" + LongText(i, wrong) + "\""; }; };
  const ScoreColumns scores = Score("type: records, fields: [{path: 'r[*]', similarity: 0.9}]",
                                    RowsOf(kTexts, false, text(false)), RowsOf(kTexts, true, text(true)));
  EXPECT_EQ(MetricOf(scores, "matched"), kTexts);
}

TEST(RecordRows, AcceptedTextsOfPairsThatAreGivenAreComparedWhateverTheirNumber) {
  constexpr int kTexts = 250;
  const auto expected = [](int i) {
    return "{\"$any\": [\"" + LongText(i + kTexts, false) + "\", \"" + LongText(i, false) + "\"]}";
  };
  const auto actual = [](int i) { return "\"" + LongText(i, true) + "\""; };
  EXPECT_EQ(ScoreOf("type: records, any_of_key: $any, arrays: {r: ordered}, "
                    "fields: [{path: 'r[*]', similarity: 0.9}]",
                    RowsOf(kTexts, false, expected), RowsOf(kTexts, false, actual)),
            1);
}

// Without what is known of arrays in arrays, each level would double the work.
TEST(RecordRows, DeeplyNestedRowsTakeNoLongerForEachLevel) {
  std::string expected = "[\"a\", \"d\"]";
  std::string actual = "[\"d\", \"z\"]";
  for (int level = 0; level < 60; ++level) {
    expected = "[" + expected + ", \"d\"]";
    actual = "[\"d\", " + actual + "]";
  }
  EXPECT_EQ(ScoreOf("type: records", expected, actual), 61.0 / 62);
}

TEST(RecordRows, TheOrderOfRowsOfOneKeyChangesNothing) {
  const std::string evaluator = "type: records, match_by: {r: [k]}";
  const std::string expected = R"({"r": [{"k": 1, "a": 5}, {"k": 2, "a": 7}]})";
  // Both rows of the key 1 share the key alone; only one of them leaves the other what key 2 lacks.
  const std::string one = R"({"k": 1, "a": 7})";
  const std::string other = R"({"k": 1, "a": 8})";
  const double score = ScoreOf(evaluator, expected, "{\"r\": [" + one + "," + other + "]}");
  EXPECT_EQ(score, 2 * 2 / 8.0);
  EXPECT_EQ(ScoreOf(evaluator, expected, "{\"r\": [" + other + "," + one + "]}"), score);
  EXPECT_EQ(PairingOf(evaluator, expected, "{\"r\": [" + one + "," + other + "]}"), "exact");
}

TEST(RecordRows, NullAmongAcceptedValuesHidesNoOtherInNestedLists) {
  const std::string evaluator = "type: records, any_of_key: $any";
  EXPECT_EQ(ScoreOf(evaluator, R"([[{"$any": [3, null]}]])", "[[3]]"), 1);
  EXPECT_EQ(ScoreOf(evaluator, R"([[[{"$any": [null, 3]}]]])", "[[[3]]]"), 1);
  EXPECT_EQ(ScoreOf(evaluator, R"([[{"$any": [3, null]}]])", "[[4]]"), 0);
  EXPECT_EQ(ScoreOf(evaluator, R"([[{"$any": [3, null]}], [4]])", "[[4], []]"), 1);
}

// The rules of accepted values once more, by trying every pairing: most matched cells, then fewest expected.
struct AcceptedPairings {
  struct Counts {
    int matched = 0;
    int expected = 0;
    bool operator<(const Counts& other) const {
      return std::tie(matched, other.expected) < std::tie(other.matched, expected);
    }
  };

  static bool IsSet(const rapidjson::Value& value) { return value.IsObject() && value.HasMember("$any"); }

  static int Fewest(const rapidjson::Value& value) {
    int cells = 0;
    if (IsSet(value)) {
      cells = 1'000;
      for (const auto& accepted : value["$any"].GetArray()) cells = std::min(cells, Fewest(accepted));
    } else if (value.IsObject()) {
      for (const auto& member : value.GetObject()) cells += Fewest(member.value);
    } else if (value.IsArray()) {
      for (const auto& element : value.GetArray()) cells += Fewest(element);
    } else {
      cells = !value.IsNull();
    }
    return cells;
  }

  static Counts OfRows(const rapidjson::Value& e, const rapidjson::Value& a, rapidjson::SizeType row,
                       unsigned taken) {
    if (row == e.Size()) return {};
    Counts best = OfRows(e, a, row + 1, taken);
    best.expected += Fewest(e[row]);
    for (rapidjson::SizeType i = 0; i < a.Size(); ++i) {
      if ((taken >> i & 1) != 0) continue;
      const Counts pair = Of(e[row], a[i]);
      if (pair.matched == 0) continue;
      Counts all = OfRows(e, a, row + 1, taken | 1u << i);
      all.matched += pair.matched;
      all.expected += pair.expected;
      if (best < all) best = all;
    }
    return best;
  }

  static Counts Of(const rapidjson::Value& e, const rapidjson::Value& a) {
    if (IsSet(e)) {
      Counts best = Of(e["$any"][0], a);
      for (const auto& accepted : e["$any"].GetArray()) {
        const Counts counts = Of(accepted, a);
        if (best < counts) best = counts;
      }
      return best;
    }
    if (e.IsObject() && a.IsObject()) {
      Counts counts;
      for (const auto& member : e.GetObject()) {
        const Counts more =
            a.HasMember(member.name) ? Of(member.value, a[member.name]) : Counts{0, Fewest(member.value)};
        counts.matched += more.matched;
        counts.expected += more.expected;
      }
      return counts;
    }
    if (e.IsArray() && a.IsArray()) return OfRows(e, a, 0, 0);
    return {e.IsInt() && a.IsInt() && e.GetInt() == a.GetInt(), Fewest(e)};
  }
};

class AcceptedJson {
 public:
  explicit AcceptedJson(std::uint32_t seed) : random_(seed) {}

  std::string Value(int depth, bool with_sets) {
    if (with_sets && random_.Below(4) == 0) {
      std::string set = "{\"$any\": [" + Value(depth - 1, true);
      for (std::uint32_t n = random_.Below(3); n > 0; --n) set += "," + Value(depth - 1, true);
      return set + "]}";
    }
    const std::uint32_t kind = random_.Below(depth > 0 ? 8 : 4);
    if (kind == 0) return "null";
    if (kind <= 3) return std::to_string(random_.Below(4));
    const bool is_object = kind >= 7;
    std::string json = is_object ? "{" : "[";
    for (std::uint32_t i = 0, n = random_.Below(4); i < n; ++i) {
      json += i == 0 ? "" : ",";
      if (is_object) json += std::string("\"") + "abc"[i] + "\":";
      json += Value(depth - 1, with_sets);
    }
    return json + (is_object ? "}" : "]");
  }

 private:
  RandomJson random_;
};

TEST(RecordRows, AcceptedValuesMatchAsManyCellsAsTryingAllPairings) {
  AcceptedJson random(36);
  const Runner runner(Plan::FromConfig("evaluators:\n- {type: records, any_of_key: $any, unwrap: []}\n"));
  for (int i = 0; i < 10'000; ++i) {
    const std::string expected = random.Value(3, true);
    const std::string actual = random.Value(3, false);
    if (expected == "null" || actual == "null") continue;
    rapidjson::Document e;
    rapidjson::Document a;
    e.Parse(expected.c_str());
    a.Parse(actual.c_str());
    const AcceptedPairings::Counts want = AcceptedPairings::Of(e, a);
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    ASSERT_EQ(MetricOf(scores, "matched"), want.matched) << expected << " " << actual;
    ASSERT_EQ(MetricOf(scores, "expected_cells"), want.expected) << expected << " " << actual;
  }
}

// What a tolerance, keys and defaults do to random rows does not depend on the order of the rows.
TEST(RecordRows, OrderChangesNoFigureWhateverTheRules) {
  RandomJson random(37);
  const char* const kRules[] = {
      "fields: [{path: 'r[*].v', tolerance: 1}]", "match_by: {r: [k]}",
      "match_by: {r: [k]}, fields: [{path: 'r[*].v', tolerance: 1}]",
      "fields: [{path: 'r[*].v', tolerance: 0.5, relative: true}]",
      "schema: {properties: {r: {items: {properties: {v: {default: 2}, w: {default: 1}}}}}}"};
  for (const char* const rules : kRules) {
    const Runner runner(Plan::FromConfig("evaluators:\n- {type: records, " + std::string(rules) + "}\n"));
    const auto rows_of = [&] {
      std::vector<std::string> rows(1 + random.Below(5));
      for (std::string& row : rows) {
        row = "{\"k\": " + std::to_string(random.Below(3));
        if (random.Below(3) != 0) row += ", \"v\": " + std::to_string(random.Below(5));
        if (random.Below(3) != 0) row += ", \"w\": " + std::to_string(random.Below(3));
        row += "}";
      }
      return rows;
    };
    const auto shuffled = [&](std::vector<std::string>& rows) {
      for (std::size_t i = rows.size(); i > 1; --i) {
        std::swap(rows[i - 1], rows[random.Below(static_cast<std::uint32_t>(i))]);
      }
      std::string json = "{\"r\": [";
      for (const std::string& row : rows) json += (json.size() > 7 ? "," : "") + row;
      return json + "]}";
    };
    for (int i = 0; i < 1'000; ++i) {
      std::vector<std::string> expected = rows_of();
      std::vector<std::string> actual = rows_of();
      const std::string e = shuffled(expected);
      const std::string a = shuffled(actual);
      const ScoreColumns scores = runner.ScorePair(e, a)[0];
      const ScoreColumns again = runner.ScorePair(shuffled(expected), shuffled(actual))[0];
      for (const char* const metric : {"f1", "matched", "expected_cells", "actual_cells"}) {
        ASSERT_EQ(MetricOf(scores, metric), MetricOf(again, metric)) << rules << " " << e << " " << a;
      }
    }
  }
}

TEST(RecordRows, TolerancesAndKeysSwapPrecisionAndRecallWithTheSides) {
  RandomJson random(38);
  const Runner runner(Plan::FromConfig(
      "evaluators:\n- {type: records, match_by: {r: [k]}, fields: [{path: 'r[*].v', tolerance: 1}]}\n"));
  const auto rows_of = [&] {
    std::string json = "{\"r\": [";
    for (std::uint32_t i = 0, n = 1 + random.Below(5); i < n; ++i) {
      json += (i == 0 ? "{\"k\": " : ",{\"k\": ") + std::to_string(random.Below(3)) +
              ", \"v\": " + std::to_string(random.Below(5)) + "}";
    }
    return json + "]}";
  };
  for (int i = 0; i < 1'000; ++i) {
    const std::string e = rows_of();
    const std::string a = rows_of();
    const ScoreColumns scores = runner.ScorePair(e, a)[0];
    const ScoreColumns swapped = runner.ScorePair(a, e)[0];
    ASSERT_EQ(MetricOf(scores, "precision"), MetricOf(swapped, "recall")) << e << " " << a;
    ASSERT_EQ(MetricOf(scores, "recall"), MetricOf(swapped, "precision")) << e << " " << a;
  }
}

TEST(RecordRows, TolerancesAreThoseOfDecimals) {
  const auto score = [](const std::string& rule, const std::string& expected, const std::string& actual) {
    return ScoreOf("type: records, fields: [{path: v, " + rule + "}]", "{\"v\": " + expected + "}",
                   "{\"v\": " + actual + "}");
  };
  EXPECT_EQ(score("tolerance: 0.1", "1", "1.1"), 1);  // 1.1 - 1 is above 0.1 in binary
  EXPECT_EQ(score("tolerance: 0.1", "1.1", "1"), 1);
  EXPECT_EQ(score("tolerance: 0.1", "-1", "-1.1"), 1);
  EXPECT_EQ(score("tolerance: 0.1", "1", "1.1000000000000003"), 0);
  EXPECT_EQ(score("tolerance: 0.01", "100.3", "100.31"), 1);
  EXPECT_EQ(score("tolerance: 0.01", "100.3", "100.311"), 0);
  EXPECT_EQ(score("tolerance: 0.1, relative: true", "0.7", "0.77"), 1);
  EXPECT_EQ(score("tolerance: 0.1, relative: true", "0.7", "0.7700000000000001"), 0);
  EXPECT_EQ(score("tolerance: 0.1, relative: true", "0", "0.01"), 0);
  EXPECT_EQ(score("tolerance: 0.001", "1e300", "1e300"), 1);
  EXPECT_EQ(score("tolerance: 2, relative: true", "5", "-5"), 1);
  // Integers that doubles do not tell apart.
  EXPECT_EQ(score("tolerance: 0", "9007199254740993", "9007199254740992"), 0);
  EXPECT_EQ(score("tolerance: 1", "9007199254740993", "9007199254740992"), 1);
  EXPECT_EQ(score("tolerance: 1", "-9007199254740993", "-9007199254740995"), 0);
  EXPECT_EQ(score("tolerance: 800", "12345678901234567890", "12345678901234567000"), 0);
  EXPECT_EQ(score("tolerance: 890", "12345678901234567890", "12345678901234567000"), 1);
  EXPECT_EQ(score("tolerance: 0", "1e22", "10000000000000000000001"), 0);
  EXPECT_EQ(score("tolerance: 0", "10000000000000000000001", "10000000000000000000001"), 1);
  const std::string longest(60, '7');
  EXPECT_EQ(score("tolerance: 0", longest, longest.substr(0, 59) + "8"), 0);
}

TEST(RecordRows, AnAnswerKeepsItsValueWhereAnObjectWithOneIsExpected) {
  const std::string evaluator = "type: records";
  EXPECT_NEAR(ScoreOf(evaluator, R"({"x": {"value": 5, "unit": "kg"}})", R"({"x": {"value": 5}})"), 2.0 / 3,
              1e-12);
  EXPECT_EQ(ScoreOf(evaluator, R"({"x": {"value": 5, "unit": "kg"}})", R"({"x": {"value": 5, "score": 3}})"),
            0.5);
  EXPECT_NEAR(ScoreOf(evaluator, R"({"value": 5, "unit": "kg"})", R"({"value": 5})"), 2.0 / 3, 1e-12);
  EXPECT_NEAR(ScoreOf(evaluator, R"({"x": [{"value": 5, "unit": "kg"}]})", R"({"x": [{"value": 5}]})"),
              2.0 / 3, 1e-12);
  EXPECT_EQ(ScoreOf(evaluator, R"({"x": 5})", R"({"x": {"value": 5, "confidence": 0.9}})"), 1);
}

TEST(RecordRows, AListOfOneObjectIsARowWhereItsKeysSaySo) {
  const std::string evaluator = "type: records, unwrap: [single, value, rows]";
  const std::string expected = R"({"r": [{"a": 1, "b": 2}], "n": 5})";
  const ScoreColumns row = Score(evaluator, expected, R"([{"a": 1, "b": 2}])");
  EXPECT_EQ(MetricOf(row, "matched"), 2);
  EXPECT_EQ(ScoreOf(evaluator, expected, R"([{"r": [{"a": 1, "b": 2}], "n": 5}])"), 1);
  EXPECT_EQ(ScoreOf(evaluator, R"({"r": [{"a": 1}]})", R"([{"a": 1}])"), 1);
  EXPECT_EQ(ScoreOf(evaluator, R"({"r": [{"a": 1}]})", R"([{"n": 1}])"), 0);
  const std::string folds = "type: records, unwrap: [single, rows, fold_keys]";
  EXPECT_EQ(ScoreOf(folds, R"({"r": [{"unit_price": 1}]})", R"([{"Unit Price": 1}])"), 1);
}

TEST(RecordRows, JsonInProseIsReadAsStaticJsonReadsIt) {
  const std::string expected = R"({"r": [{"a": 1}, {"a": 2}]})";
  for (const char* const answer :
       {R"("Here you are: {\"r\": [{\"a\": 1}, {\"a\": 2}]} Anything else?")",
        R"("As in [1]:\n```json\n{\"r\": [{\"a\": 1}, {\"a\": 2}]}\n```\nSee {x}.")",
        R"("It's {'r': [{'a': 1}, {'a': 2}]}")",
        R"("First {\"r\": []}.\nAnswer: {\"r\": [{\"a\": 1}, {\"a\": 2}]}")",
        R"("{\"r\": [{\"a\": 1}, {\"a\": 2}]} [2]")"}) {
    EXPECT_EQ(ScoreOf("type: records", expected, answer), 1) << answer;
    EXPECT_EQ(ScoreOf("type: records, parse_texts: never", expected, answer), 0) << answer;
  }
  EXPECT_EQ(ScoreOf("type: records", R"([{"a": 1}, {"a": 2}])", R"("They are [{\"a\": 1}, {\"a\": 2}].")"),
            1);
  EXPECT_EQ(ScoreOf("type: records, unwrap: [rows]", expected, R"("Rows: [{\"a\": 1}, {\"a\": 2}]")"), 1);
  EXPECT_EQ(ScoreOf("type: records", expected, R"("I found {nothing} [at all]")"), 0);
}

}  // namespace
}  // namespace leafscore::internal
