// The texts and leaves that scorers give as columns are those of the details.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "engine/json/json_text.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kFields[] =
    "type: field_accuracy, fields: [{path: a}, {path: b, match: fuzzy, required: false}, {path: 'c[0]'}, "
    "{path: d, match: numeric_tolerance, tolerance: 1}]";

// Where the details of a scorer hold its leaves, and what the members of these are called.
struct Names {
  const char* scorer;
  const char* leaves;
  const char* path;
  const char* expected;  // null: only the leaves have it
  const char* actual;
  const char* similarity;
};
constexpr Names kScorers[] = {
    {"type: json_similarity", "leaves", "path", "expected", "actual", "similarity"},
    {"type: json_similarity, array_match: any_order", "leaves", "path", "expected", "actual", "similarity"},
    {kFields, "fields", "path", "expected", "actual", "score"},
    {"type: static_json", "details", "key", "gold_value", "model_value", "similarity"},
    {"type: strict_json", "keys", "key", nullptr, nullptr, "similarity"},
    {"type: levenshtein", nullptr, nullptr, nullptr, nullptr, nullptr},
    {"type: exact_match", nullptr, nullptr, nullptr, nullptr, nullptr},
    {"type: json_diff", nullptr, nullptr, nullptr, nullptr, nullptr},
};

rapidjson::Document Parse(const std::string& json) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseFullPrecisionFlag>(json.c_str());
  EXPECT_FALSE(document.HasParseError()) << json;
  return document;
}

void ExpectTextsOfDetails(ScoredPair& pair, const rapidjson::Document& details) {
  for (std::size_t m = 0; m < pair.batch().text_metrics().size(); ++m) {
    const TextMetric metric = pair.batch().text_metrics()[m];
    const rapidjson::Value& value = details[std::string(metric.name).c_str()];
    ASSERT_EQ(value.IsArray(), metric.is_list);
    std::vector<std::string> wanted;
    if (metric.is_list) {
      for (const rapidjson::Value& text : value.GetArray()) wanted.emplace_back(text.GetString());
    } else {
      wanted.emplace_back(value.GetString());
    }
    EXPECT_EQ(pair.Texts(m), wanted) << metric.name;
  }
}

// One side of a leaf against a member of the details, which static_json fills where that side has no value.
void ExpectSide(const rapidjson::Value& entry, const char* name, const std::string& json) {
  if (name == nullptr) return;
  if (!json.empty()) {
    EXPECT_EQ(Parse(json), entry[name]);
  } else if (entry.HasMember(name)) {
    const std::string text = entry[name].GetString();
    EXPECT_TRUE(text == "NOT_IN_GOLD" || text == "MISSING") << text;
  }
}

void ExpectLeavesOfDetails(const Names& names, ScoredPair& pair, const rapidjson::Document& details) {
  const std::vector<JudgedLeaf> leaves = pair.Leaves();
  if (names.leaves == nullptr) {
    EXPECT_TRUE(leaves.empty());
    return;
  }
  const auto entries = details[names.leaves].GetArray();
  ASSERT_EQ(leaves.size(), entries.Size());
  for (rapidjson::SizeType i = 0; i < entries.Size(); ++i) {
    EXPECT_EQ(leaves[i].path, entries[i][names.path].GetString());
    ExpectSide(entries[i], names.expected, leaves[i].expected_json);
    ExpectSide(entries[i], names.actual, leaves[i].actual_json);
    if (entries[i].HasMember(names.similarity)) {
      EXPECT_EQ(leaves[i].similarity, entries[i][names.similarity].GetDouble());
    }
  }
}

TEST(JudgedLeaves, AreThoseOfTheDetails) {
  RandomJson random(11);
  for (const Names& names : kScorers) {
    for (int i = 0; i < 300; ++i) {
      // Objects, which field_accuracy asks for.
      const std::string expected = R"({"a": )" + random.Value(2) + R"(, "b": )" + random.Value(1) + "}";
      const std::string actual = R"({"b": )" + random.Value(1) + R"(, "c": )" + random.Value(2) +
                                 R"(, "a": )" + random.Value(2) + "}";
      SCOPED_TRACE(std::string(names.scorer) + " " + expected + " " + actual);
      ScoredPair pair(Plan::FromConfig("evaluators: [{" + std::string(names.scorer) + "}]"), expected, actual,
                      DetailLevel::kLeaves);
      const rapidjson::Document details = Parse(pair.Details());
      ExpectTextsOfDetails(pair, details);
      ExpectLeavesOfDetails(names, pair, details);
    }
  }
}

// Shows a leaf as path expected actual similarity.
std::vector<std::string> Shown(const std::string& scorer, const std::string& expected,
                               const std::string& actual) {
  ScoredPair pair(Plan::FromConfig("evaluators: [{" + scorer + "}]"), expected, actual, DetailLevel::kLeaves);
  std::vector<std::string> shown;
  for (const JudgedLeaf& leaf : pair.Leaves()) {
    std::string similarity;
    AppendJsonNumber(similarity, leaf.similarity);
    shown.push_back(leaf.path + " <" + leaf.expected_json + "> <" + leaf.actual_json + "> " + similarity);
  }
  return shown;
}

using Lines = std::vector<std::string>;

TEST(JudgedLeaves, OfStrictJsonHaveTheValuesOfTheKeys) {
  EXPECT_EQ(Shown("type: strict_json", R"({"a": 1.0, "b": "text", "c": [3], "d": 4})",
                  R"({"x": null, "c": "3", "b": "test", "a": 1})"),
            (Lines{R"(a <1.0> <1> 1)", R"(b <"text"> <"test"> 0.75)", R"(c <[3]> <"3"> 0)", "d <4> <> 0",
                   "x <> <null> 0"}));
  EXPECT_EQ(Shown("type: strict_json", R"({"a": 1, "b": [2]})", "5"), (Lines{"a <1> <> 0", "b <[2]> <> 0"}));
  EXPECT_EQ(Shown("type: strict_json", "{}", "5"), (Lines{"* <{}> <5> 0"}));
  EXPECT_EQ(Shown("type: strict_json", R"({"a.b": 1, "*": 2})", R"({"a.b": 1, "*": 2, "": 3})"),
            (Lines{R"(["a.b"] <1> <1> 1)", R"(["*"] <2> <2> 1)", R"([""] <> <3> 0)"}));
  EXPECT_EQ(
      Shown("type: strict_json, target_output_key: 'r[0]'", R"({"r": [{"a": 1}]})", R"({"r": [{"a": 1}]})"),
      (Lines{"r[0].a <1> <1> 1"}));
  EXPECT_EQ(Shown("type: strict_json", "[1, 2]", "[1, 3]"), (Lines{"* <[1,2]> <[1,3]> 0.75"}));
}

TEST(JudgedLeaves, OfEachKind) {
  const std::string expected = R"({"a": "Oslo", "n": [2, 4]})";
  const std::string actual = R"({"a": "Olso", "n": [2, 3], "x": 1})";
  EXPECT_EQ(Shown("type: json_similarity", expected, actual),
            (Lines{R"(a <"Oslo"> <"Olso"> 0.5)", "n[0] <2> <2> 1", "n[1] <4> <3> 0.75"}));
  EXPECT_EQ(Shown("type: json_similarity", R"("x")", R"("y")"), (Lines{R"(* <"x"> <"y"> 0)"}));
  EXPECT_EQ(Shown("type: json_similarity, target_output_key: 'a'", R"({"a": "x"})", R"({"a": "y"})"),
            (Lines{R"(a <"x"> <"y"> 0)"}));
  EXPECT_EQ(Shown("type: field_accuracy, fields: [{path: 'n[0]'}, {path: y}]", expected, actual),
            (Lines{"n[0] <2> <2> 1", "y <> <> 1"}));
  EXPECT_EQ(Shown("type: static_json", expected, actual),
            (Lines{R"(answer.a <"oslo"> <"olso"> 1)", R"(answer.n[0] <"2"> <"2"> 1)",
                   R"(answer.n[1] <"4"> <"3"> 0)", R"(answer.x <> <"1"> 0)"}));
}

TEST(TextMetrics, NeedNoDetails) {
  ScoredPair texts(Plan({"levenshtein"}), R"("kitten")", R"("sitting")", DetailLevel::kNone);
  EXPECT_EQ(texts.batch().text_metrics()[0].name, "label");
  EXPECT_EQ(texts.Texts(0), Lines{"fail"});
  ScoredPair fields(Plan::FromConfig(std::string("evaluators: [{") + kFields + "}]"),
                    R"({"a": 1, "b": "x", "c": [1], "d": 1})", R"({"a": 2, "d": 3})", DetailLevel::kNone);
  EXPECT_EQ(fields.Texts(0), Lines{"b"});
  EXPECT_EQ(fields.Texts(1), (Lines{"a", "c[0]", "d"}));
  EXPECT_EQ(fields.Texts(2), (Lines{"different", "missing", "outside_tolerance"}));
}

TEST(TextMetrics, OfStaticJsonNeedTheLeaves) {
  const auto metrics = [](DetailLevel level) {
    return ScoredPair(Plan({"static_json"}), "1", "2", level).batch().text_metrics().size();
  };
  EXPECT_EQ(metrics(DetailLevel::kNone), 0u);
  EXPECT_EQ(metrics(DetailLevel::kBasic), 0u);
  EXPECT_EQ(metrics(DetailLevel::kLeaves), 2u);
}

// Around the size of the whole: the last element stays, stays, or is left out.
TEST(DetailsLimit, EndsListsBeforeTheyMakeTheDetailsLonger) {
  const std::string pair = R"({"a": "one", "b": "two", "c": ["x"], "d": 4})";
  for (const Names& names : kScorers) {
    if (names.leaves == nullptr) continue;
    ScoredPair scored(Plan::FromConfig("evaluators:\n- {" + std::string(names.scorer) + "}\n"), pair, pair,
                      DetailLevel::kLeaves);
    const std::string whole = scored.Details();
    const rapidjson::SizeType elements = Parse(whole)[names.leaves].GetArray().Size();
    const std::size_t needed = whole.size() - 2;  // without ]}, since the list is the last member
    for (const int difference : {-1, 0, 1}) {
      const std::string details =
          scored.Details(static_cast<std::size_t>(static_cast<int>(needed) + difference));
      if (difference >= 0) {
        EXPECT_EQ(details, whole) << names.scorer;
        continue;
      }
      const rapidjson::Document cut = Parse(details);
      EXPECT_EQ(cut[names.leaves].GetArray().Size(), elements - 1) << details;
      EXPECT_TRUE(cut["details_cut"].GetBool()) << details;
    }
    const rapidjson::Document nothing = Parse(scored.Details(1));
    EXPECT_TRUE(nothing[names.leaves].GetArray().Empty());
    EXPECT_TRUE(nothing["details_cut"].GetBool());
  }
}

// A key of 1 MB over 10,000 leaves made 10 GB of text.
TEST(DetailsLimit, ALongKeyOverManyLeavesTakesNoMoreThanTheLimit) {
  std::string json = "{\"" + std::string(1'000'000, 'k') + "\": [0";
  for (int i = 1; i < 10'000; ++i) json += "," + std::to_string(i % 10);
  json += "]}";
  for (const std::string scorer : {"type: json_similarity", "type: json_similarity, array_match: any_order",
                                   "type: static_json", "type: strict_json"}) {
    ScoredPair scored(Plan::FromConfig("evaluators:\n- {" + scorer + "}\n"), json, json,
                      DetailLevel::kLeaves);
    const std::string details = scored.Details();
    EXPECT_LE(details.size(), kMaxDetailsBytes.default_value + 1000) << scorer;
    const bool is_cut = scorer != "type: strict_json";  // of a single key
    EXPECT_EQ(Parse(details).HasMember("details_cut"), is_cut) << scorer;
    std::size_t bytes = 0;
    for (const JudgedLeaf& leaf : scored.Leaves()) bytes += leaf.path.size() + leaf.expected_json.size();
    EXPECT_LE(bytes, kMaxDetailsBytes.default_value) << scorer;
    EXPECT_GE(bytes, 1'000'000u) << scorer;
  }
}

}  // namespace
}  // namespace leafscore::internal
