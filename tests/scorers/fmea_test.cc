// The scorers of AssetOpsBench's scenarios beside static_json: fmea, numeric_match and exact_string_match.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <string>

#include "engine/json/json_text.h"
#include "engine/json/json_value.h"
#include "leafscore/leafscore.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

void ExpectLike(const rapidjson::Value& want, const rapidjson::Value& got, const std::string& what) {
  if (want.IsObject()) {
    for (const auto& member : want.GetObject()) {
      ASSERT_TRUE(got.HasMember(member.name)) << what << " " << member.name.GetString();
      ExpectLike(member.value, got[member.name], what + " " + member.name.GetString());
    }
  } else if (want.IsNumber()) {
    ASSERT_TRUE(got.IsNumber()) << what;
    EXPECT_NEAR(got.GetDouble(), want.GetDouble(), 1e-12) << what;
  } else {
    EXPECT_EQ(got, want) << what;
  }
}

TEST(Fmea, AllVectors) {
  std::ifstream lines(LEAFSCORE_TEST_DATA "/fmea.jsonl");
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line); ++seen) {
    JsonValue value{JsonOptions()};
    const JsonView root = value.Read(line);
    const std::string name = *root.Member("case").Text() + ", " + *root.Member("note").Text();
    const std::string options = *root.Member("config").Json();
    Plan plan =
        Plan::FromConfig("{\"evaluators\": [{\"type\": \"fmea\"" +
                         (options == "{}" ? "" : ", " + options.substr(1, options.size() - 2)) + "}]}");
    const rapidjson::Document want = Parsed(*root.Member("want").Json());
    const std::string expected = *root.Member("expected").Json();
    const std::string actual = *root.Member("actual").Json();
    const ScoreColumns scores = Runner(plan).ScorePair(expected, actual)[0];
    if (want["details"].HasMember("parse_error")) {
      EXPECT_EQ(scores.outcome[0], Outcome::kError) << name;  // where the origin gives 0
      continue;
    }
    ASSERT_EQ(scores.outcome[0], Outcome::kScored) << name;
    EXPECT_NEAR(scores.score[0], want["score"].GetDouble(), 1e-12) << name;
    EXPECT_EQ(scores.passed[0], want["passed"].GetBool()) << name;
    ScoredPair pair(std::move(plan), expected, actual, DetailLevel::kLeaves);
    rapidjson::Document details = Parsed(*root.Member("want").Member("details").Json());
    for (const char* const of_trajectory : {"catalog_tools_used", "missing_catalog_tools",
                                            "out_of_scope_domain_tools", "catalog_process_compliant"}) {
      if (details.HasMember(of_trajectory)) details.RemoveMember(of_trajectory);
    }
    ExpectLike(details, Parsed(pair.Details()), name);
  }
  EXPECT_EQ(seen, 81u);
}

TEST(Fmea, AnEmptyGoldComparesNothing) {
  ScoredPair pair(Plan::FromConfig("evaluators:\n- {type: fmea}\n"), "{}", "\"prose\"", DetailLevel::kBasic);
  EXPECT_EQ(pair.batch().columns().score[0], 1);
  EXPECT_EQ(pair.batch().nothing_compared().size(), 1u);
}

TEST(NumericMatch, ComparesTheFirstNumbers) {
  const std::string scorer = "type: numeric_match";
  EXPECT_EQ(ScoreOf(scorer, "\"34\"", "\"The answer is 34.2 units\""), 1);
  EXPECT_EQ(ScoreOf(scorer, "100", "101"), 1);
  EXPECT_EQ(ScoreOf(scorer, "100", "\"102\""), 0);
  EXPECT_EQ(ScoreOf(scorer, "-5", "\"5\""), 0);
  EXPECT_EQ(ScoreOf(scorer, "1500", "\"1.5e3\""), 1);
  EXPECT_EQ(ScoreOf(scorer, "3", "\"none\""), 0);
  EXPECT_EQ(ScoreOf("type: numeric_match, tolerance: 0.1", "100", "\"91\""), 1);
  // A number beyond all doubles is near none.
  EXPECT_EQ(ScoreOf(scorer, "5", "\"1e999\""), 0);
  EXPECT_EQ(ScoreOf(scorer, "5", "\"" + std::string(400, '9') + "\""), 0);
  EXPECT_NE(ErrorOf(scorer, "\"1e999\"", "\"5\"").find("too large"), std::string::npos);
  EXPECT_NE(ErrorOf(scorer, "\"none\"", "\"3\"").find("has no number"), std::string::npos);
}

TEST(ExactStringMatch, LooksPastCaseAndWhiteSpace) {
  const std::string scorer = "type: exact_string_match";
  EXPECT_EQ(ScoreOf(scorer, "\"Cooling Tower\"", "\"  cooling \\n tower\""), 1);
  EXPECT_EQ(ScoreOf(scorer, "\"Cooling Tower\"", "\"coolingtower\""), 0);
}

}  // namespace
}  // namespace leafscore::internal
