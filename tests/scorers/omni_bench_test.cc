// The revision omni-0.1 of the scorer `records`, beyond its vectors (records_test.cc).
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/scorers/records/omni_key.h"
#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// A schema that asks for nothing in particular.
constexpr char kOpenSchema[] = R"("schema": {"type": "object"})";

Plan OmniPlan(const std::string& options) {
  return Plan::FromConfig("{\"evaluators\": [{\"type\": \"records\", \"revision\": \"omni-0.1\", " + options +
                          "}]}");
}

// Matched values and shared addresses of the best pairing, by trying all of them.
struct OmniReference {
  using Worth = std::pair<int, int>;

  static bool HasValues(const rapidjson::Value& value) {
    if (value.IsObject()) {
      return std::ranges::any_of(value.GetObject(),
                                 [](const auto& member) { return HasValues(member.value); });
    }
    if (value.IsArray()) return std::ranges::any_of(value.GetArray(), HasValues);
    return !value.IsNull() && !(value.IsString() && value.GetStringLength() == 0);
  }

  static std::vector<const rapidjson::Value*> RowsOf(const rapidjson::Value& array) {
    std::vector<const rapidjson::Value*> rows;
    for (const rapidjson::Value& row : array.GetArray()) {
      if (HasValues(row)) rows.push_back(&row);
    }
    return rows;
  }

  static Worth BestOf(const std::vector<const rapidjson::Value*>& e,
                      const std::vector<const rapidjson::Value*>& a, std::size_t row, unsigned taken) {
    if (row == e.size()) return {0, 0};
    Worth best = BestOf(e, a, row + 1, taken);
    for (std::size_t i = 0; i < a.size(); ++i) {
      if ((taken >> i & 1) != 0) continue;
      const Worth pair = WorthOf(*e[row], *a[i]);
      if (pair.first == 0) continue;
      const Worth rest = BestOf(e, a, row + 1, taken | 1u << i);
      best = std::max(best, {pair.first + rest.first, pair.second + rest.second});
    }
    return best;
  }

  static Worth WorthOf(const rapidjson::Value& e, const rapidjson::Value& a) {
    if (!HasValues(e) || !HasValues(a)) return {0, 0};
    if (e.IsObject() && a.IsObject()) {
      Worth worth;
      for (const auto& member : e.GetObject()) {
        if (!a.HasMember(member.name)) continue;
        const Worth below = WorthOf(member.value, a[member.name]);
        worth = {worth.first + below.first, worth.second + below.second};
      }
      return worth;
    }
    if (e.IsArray() && a.IsArray()) return BestOf(RowsOf(e), RowsOf(a), 0, 0);
    if (e.IsObject() || e.IsArray() || a.IsObject() || a.IsArray()) return {0, 0};
    return {e == a || (e.IsNumber() && a.IsNumber() && e.GetDouble() == a.GetDouble()), 1};
  }
};

TEST(OmniBench, PairsAsWellAsTryingAllPairings) {
  RandomJson random(51);
  const Runner runner(OmniPlan(kOpenSchema));
  for (int i = 0; i < 5'000; ++i) {
    const std::string expected = R"({"x": )" + random.Value(3) + "}";
    const std::string actual = R"({"x": )" + random.Value(3) + "}";
    const ScoreColumns scores = runner.ScorePair(expected, actual)[0];
    const auto [matched, shared] = OmniReference::WorthOf(Parsed(expected), Parsed(actual));
    ASSERT_EQ(MetricOf(scores, "matched"), matched) << expected << " " << actual;
    ASSERT_EQ(MetricOf(scores, "wrong"), shared - matched) << expected << " " << actual;
  }
}

TEST(OmniBench, ManyRowsPairByWhatTheyShare) {
  // Above the rows that are compared with all others, whatever their order.
  const auto rows = [](int count, int step, int wrong) {
    std::string json = R"({"r": [)";
    for (int i = 0; i < count; ++i) {
      const int row = static_cast<int>(static_cast<long long>(i) * step % count);
      json += (i == 0 ? "" : ",") + std::string(R"({"id": "a)") + std::to_string(row) + R"(", "n": )" +
              std::to_string(row % 100 == 0 ? wrong : row) + "}";
    }
    return json + "]}";
  };
  const ScoreColumns scores =
      Runner(OmniPlan(kOpenSchema)).ScorePair(rows(10'007, 1, -1), rows(10'007, 5, -2))[0];
  EXPECT_EQ(MetricOf(scores, "matched"), 2 * 10'007 - 101);
  EXPECT_EQ(MetricOf(scores, "matched_rows"), 10'007);
  EXPECT_EQ(MetricOf(scores, "wrong"), 101);
}

TEST(OmniBench, ValuesAreComparedWithoutCosmetics) {
  const auto key = [](std::string_view text) { return OmniKey(text, false); };
  EXPECT_EQ(key("0.12345675"), "0.1234568");  // half to even
  EXPECT_EQ(key("0.123456750001"), "0.1234568");
  EXPECT_EQ(key("0.12345665"), "0.1234566");
  EXPECT_EQ(key("9.99999999"), "10");
  EXPECT_EQ(key("0.00123456789"), "0.001234568");
  EXPECT_EQ(key("(1,234.50)"), "-1234.5");
  EXPECT_EQ(key("-0.0"), "0");
  EXPECT_EQ(key("+ 5.50"), "5.5");
  EXPECT_EQ(key("- -5.50"), "5.5");  // each sign counts
  EXPECT_EQ(key("1.5e3"), "1500");
  EXPECT_EQ(key("12345678901234567890"), "12345678901234567168");  // as a double
  EXPECT_EQ(key("29/02/2023"), "29022023");                        // no such day
  EXPECT_EQ(key("29/02/2024"), "#d2024-02-29");
  EXPECT_EQ(key("2024-01-15T09:30:00.5+02:00"), "#t2024-01-15T09:30:00.500000");
  EXPECT_EQ(key("Jan  5, 2024"), "#d2024-01-05");
  EXPECT_EQ(key("x [1][b] [ 12 ]"), "x");
  EXPECT_EQ(key("1.2.3"), "123");
  EXPECT_EQ(key("()"), "()");
}

constexpr char kDetailsSchema[] =
    R"("schema": {"properties": {"r": {"items": {"properties": {"k": {}, "v": {}}}}, "t": {}}})";

TEST(OmniBench, DetailsTellFieldsAndEachValue) {
  ScoredPair pair(
      OmniPlan(kDetailsSchema),
      R"({"r": [{"k": "a", "v": 1, "n": [2]}, {"k": "b", "v": {"value": 2, "page": 1}}], "t": "x"})",
      R"({"u": 5, "r": [{"v": 3, "k": "b"}, {"w": 9}]})", DetailLevel::kLeaves);
  const rapidjson::Document details = Parsed(pair.Details());
  EXPECT_EQ(details["fields"], Parsed(R"([{"path": "r[*].k", "tp": 1, "fp": 0, "fn": 1},
                                          {"path": "r[*].n[*]", "tp": 0, "fp": 0, "fn": 1},
                                          {"path": "r[*].v", "tp": 0, "fp": 1, "fn": 2},
                                          {"path": "r[*].w", "tp": 0, "fp": 1, "fn": 0},
                                          {"path": "t", "tp": 0, "fp": 0, "fn": 1},
                                          {"path": "u", "tp": 0, "fp": 1, "fn": 0}])"));
  EXPECT_EQ(details["leaves"], Parsed(R"([
      {"path": "r[0].k", "verdict": "missing", "expected": "a", "similarity": 0},
      {"path": "r[0].v", "verdict": "missing", "expected": 1, "similarity": 0},
      {"path": "r[0].n[0]", "verdict": "missing", "expected": 2, "similarity": 0},
      {"path": "r[1].k", "actual_path": "r[0].k", "verdict": "matched", "expected": "b", "actual": "b", "similarity": 1},
      {"path": "r[1].v.value", "actual_path": "r[0].v", "verdict": "wrong", "expected": 2, "actual": 3, "similarity": 0},
      {"path": "t", "verdict": "missing", "expected": "x", "similarity": 0},
      {"path": "u", "verdict": "extra", "actual": 5, "similarity": 0},
      {"path": "r[1].w", "verdict": "extra", "actual": 9, "similarity": 0}])"));
  EXPECT_EQ(pair.Leaves().size(), 8u);
}

TEST(OmniBench, WithoutAnAnswerAllExpectedValuesAreMissing) {
  ScoredPair pair(OmniPlan(std::string("\"target_output_key\": \"doc\", ") + kDetailsSchema),
                  R"({"doc": {"r": [{"k": 1}, {"k": 2}]}})", "{}", DetailLevel::kBasic, Outcome::kUnreadable);
  std::vector<NamedCellCounts> counts;
  pair.batch().AppendCellCounts(0, counts);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0].field, "r[*].k");
  EXPECT_EQ(counts[0].counts.missing, 2u);
}

TEST(OmniBench, SaysWhatIsWrongWithOptions) {
  const std::string revision = "type: records, revision: omni-0.1";
  EXPECT_NE(ConfigErrorOf(revision).find("needs the JSON Schema"), std::string::npos);
  EXPECT_NE(
      ConfigErrorOf(revision + ", schema: {properties: {a: {$ref: '#/$defs/A'}}, $defs: {A: {properties: "
                               "{a: {$ref: '#/$defs/A'}}}}}")
          .find("refers to itself"),
      std::string::npos);
  EXPECT_NE(ConfigErrorOf(revision + ", schema: {}, arrays: {a: whole}").find("any_order"),
            std::string::npos);
}

}  // namespace
}  // namespace leafscore::internal
