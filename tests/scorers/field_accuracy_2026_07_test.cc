// field_accuracy by AgentV's rules of July 2026.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <fstream>
#include <string>
#include <vector>

#include "engine/scorers/field_accuracy/rules_2026_07.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

std::string Today(const std::string& fields) {
  return "type: field_accuracy, revision: 2026-07, fields: [" + fields + "]";
}

// Scores a text, which is given as JSON.
double TextScore(const std::string& fields, const std::string& expected, const std::string& text_json) {
  return ScoreOf(Today(fields), expected, text_json);
}

std::string TextOf(const rapidjson::Value& value) {
  rapidjson::StringBuffer text;
  rapidjson::Writer<rapidjson::StringBuffer> writer(text);
  value.Accept(writer);
  return text.GetString();
}

// The vectors of the origin's own runs, of which some are deliberate differences of the first revision: of
// this one none is.
TEST(FieldAccuracy202607, VectorsOfTheOrigin) {
  std::size_t checked = 0;
  for (const char* const name : {"agentv.jsonl", "agentv_published.jsonl"}) {
    std::ifstream file(std::string(LEAFSCORE_TEST_DATA) + "/origins/" + name);
    for (std::string line; std::getline(file, line);) {
      rapidjson::Document vector;
      vector.Parse<rapidjson::kParseFullPrecisionFlag>(line.c_str());
      if (vector["scorer"] != "field_accuracy") continue;
      std::string config = TextOf(vector["config"]);
      config = "{\"evaluators\": [{\"type\": \"field_accuracy\", \"revision\": \"2026-07\", " +
               config.substr(1) + "]}";
      const ScoreColumns scores =
          Runner(Plan::FromConfig(config)).ScorePair(TextOf(vector["expected"]), TextOf(vector["actual"]))[0];
      const rapidjson::Value& want = vector["want"];
      const double score = want.HasMember("score") ? want["score"].GetDouble() : 0;
      const bool scored = scores.outcome[0] == Outcome::kScored;  // else 0 there
      EXPECT_NEAR(scored ? scores.score[0] : 0, score, 1e-9) << vector["case"].GetString();
      ++checked;
    }
  }
  EXPECT_EQ(checked, 93);
}

TEST(FieldAccuracy202607, ReadsFromTheFirstBraceToTheLast) {
  const std::string a = "{path: a, match: exact}";
  EXPECT_EQ(TextScore(a, R"({"a": 1})", R"("Here:\n```json\n{\"a\": 1}\n```\nDone.")"), 1);
  EXPECT_EQ(ErrorOf(Today(a), R"({"a": 1})", R"("{\"a\": 1} and {\"a\": 2}")").substr(0, 10), "unreadable");
  EXPECT_EQ(ErrorOf(Today(a), R"({"a": 1})", R"("{\"a\": NaN}")").substr(0, 10), "unreadable");
  EXPECT_EQ(TextScore("{path: \"[1]\", match: exact}", "[1, 2]", R"("[1, 2]")"), 1);
}

TEST(FieldAccuracy202607, WordsOfAMemberPassedAreTrueOrFalse) {
  const std::string passed = "{path: passed, match: exact}";
  for (const char* const word : {"true", "True", "\\\"TRUE\\\"", " \\\" true \\\""}) {
    EXPECT_EQ(TextScore(passed, R"({"passed": true})", "\"{\\\"passed\\\": " + std::string(word) + "}\""), 1)
        << word;
  }
  for (const char* const word : {"false", "no", "yes", "null", "not_yet-2", "\\\"fail\\\"", "\\\"passed\\\"",
                                 "\\\"not yet\\\"", "\\\"3 of 4\\\""}) {
    EXPECT_EQ(TextScore(passed, R"({"passed": false})", "\"{\\\"passed\\\":" + std::string(word) + "}\""), 1)
        << word;
  }
}

// Once such an answer was no JSON.
TEST(FieldAccuracy202607, AMemberPassedHidesNoOtherMember) {
  const std::string total = "{path: total, match: exact}";
  for (const char* const answer :
       {R"("{\"passed\":\"not yet\",\"total\":5}")", R"("{\"Passed\": maybe_2,\"total\":5}")",
        R"("{\"PASSED\" :\"(a) {b}\",\"total\":5}")", R"("{\"passed\":\"\",\"total\":5}")",
        R"("{\"passed\": 1,\"total\":5}")"}) {
    EXPECT_EQ(TextScore(total, R"({"total": 5})", answer), 1) << answer;
  }
}

TEST(FieldAccuracy202607, NumbersAreWhatATextBeginsWith) {
  const std::string n = "{path: n, match: numeric_tolerance}";
  EXPECT_EQ(TextScore(n, R"({"n": 12})", R"({"n": "12abc"})"), 1);
  EXPECT_EQ(TextScore(n, R"({"n": 1.006})", R"({"n": "1.006,00"})"), 1);
  EXPECT_EQ(TextScore(n, R"({"n": 1})", R"({"n": true})"), 0);
  EXPECT_EQ(TextScore(n, R"({"n": [1]})", R"({"n": [1]})"), 0);
  EXPECT_EQ(TextScore("{path: n, match: numeric_tolerance, tolerance: 0.1, relative: true}", R"({"n": -10})",
                      R"({"n": -11})"),
            1);
  EXPECT_EQ(TextScore("{path: n, match: numeric_tolerance, tolerance: 0.1, relative: true}", R"({"n": 0})",
                      R"({"n": 0.1})"),
            1);
}

std::string DayOf(std::string_view text, DayMonthOrder order) {
  const auto day = ParseDate2026_07(text, order);
  if (!day) return "none";
  const std::chrono::year_month_day date(*day);
  return std::to_string(static_cast<int>(date.year())) + "-" +
         std::to_string(static_cast<unsigned>(date.month())) + "-" +
         std::to_string(static_cast<unsigned>(date.day()));
}

TEST(FieldAccuracy202607, FormatsMatterOnlyWhereJavaScriptFindsNoDate) {
  EXPECT_EQ(DayOf("03/04/2025", DayMonthOrder::kDayFirst), "2025-3-4");
  EXPECT_EQ(DayOf("13/03/2025", DayMonthOrder::kByValue), "2025-3-13");
  EXPECT_EQ(DayOf("13-03-2025", DayMonthOrder::kDayFirst), "2025-3-13");
  EXPECT_EQ(DayOf("13/03/2025", DayMonthOrder::kMonthFirst), "none");
  EXPECT_EQ(DayOf("13/14/2025", DayMonthOrder::kByValue), "none");
  EXPECT_EQ(DayOf("12/32/2025", DayMonthOrder::kByValue), "2026-1-1");
  EXPECT_EQ(DayOf("12/32/2025", DayMonthOrder::kMonthFirst), "none");
  EXPECT_EQ(DayOf("13/00/2025", DayMonthOrder::kByValue), "2024-12-13");
  EXPECT_EQ(DayOf("13/03/0050", DayMonthOrder::kByValue), "1950-3-13");
  EXPECT_EQ(DayOf("31/02/2025", DayMonthOrder::kDayFirst), "2025-3-3");
  EXPECT_EQ(DayOf("32-MAR-2025", DayMonthOrder::kByValue), "2025-4-1");
  EXPECT_EQ(DayOf("32-march-2025", DayMonthOrder::kByValue), "2025-4-1");
  EXPECT_EQ(DayOf("31-Sept-2025", DayMonthOrder::kByValue), "2025-10-1");
  EXPECT_EQ(DayOf("13.03.2025", DayMonthOrder::kDayFirst), "none");
  EXPECT_EQ(DayOf("13/03/25", DayMonthOrder::kDayFirst), "none");
  EXPECT_EQ(DayOf("13/3/2025x", DayMonthOrder::kDayFirst), "none");
  EXPECT_EQ(DayOf("20250304", DayMonthOrder::kByValue), "none");
}

// [YYYY-MM-DD] once left 25/12/2025 a date, and DD-MMM-YYYY did not count as day first.
TEST(FieldAccuracy202607, FormatsAreMonthOrDayFirstByWhatTheyHold) {
  const auto order = [](const std::vector<std::string>& formats) { return OrderOfFormats2026_07(formats); };
  EXPECT_EQ(order({"YYYY-MM-DD"}), DayMonthOrder::kMonthFirst);
  EXPECT_EQ(order({"MM/DD/YY", "YYYY/MM/DD"}), DayMonthOrder::kMonthFirst);
  EXPECT_EQ(order({"DD-MMM-YYYY"}), DayMonthOrder::kDayFirst);
  EXPECT_EQ(order({"DD/MM"}), DayMonthOrder::kDayFirst);
  EXPECT_EQ(order({"DD-MMM-YYYY", "YYYY-MM-DD", "MM/DD/YYYY"}), DayMonthOrder::kByValue);
  EXPECT_EQ(order({}), DayMonthOrder::kByValue);
  EXPECT_EQ(order({"mm/dd/yyyy", "DD.MM.YYYY"}), DayMonthOrder::kByValue);
  const auto score = [](const char* formats, const char* expected, const char* actual) {
    return ScoreOf(Today(std::string("{path: d, match: date, formats: ") + formats + "}"), expected, actual);
  };
  EXPECT_EQ(score("[YYYY-MM-DD]", R"({"d": "2025-12-25"})", R"({"d": "25/12/2025"})"), 0);
  EXPECT_EQ(
      score("[DD-MMM-YYYY, YYYY-MM-DD, MM/DD/YYYY]", R"({"d": "2024-05-23"})", R"({"d": "23/05/2024"})"), 1);
}

// Numbers other than 5 or 0 as they are written, and longer arrays, once were no dates.
TEST(FieldAccuracy202607, ValuesThatAreNoTextAreDatesAsTheirTextIs) {
  const std::string d = "{path: d, match: date}";
  EXPECT_EQ(ScoreOf(Today(d), R"({"d": "2001-05-01"})", R"({"d": 5.0})"), 1);
  EXPECT_EQ(ScoreOf(Today(d), R"({"d": "2000-01-01"})", R"({"d": -0.0})"), 1);
  EXPECT_EQ(ScoreOf(Today(d), R"({"d": "2025-01-05"})", R"({"d": [2025, [1, 5]]})"), 1);
  EXPECT_EQ(ScoreOf(Today(d), R"({"d": [null]})", R"({"d": [null]})"), 0);
  EXPECT_EQ(ScoreOf(Today(d), R"({"d": {"a": 1}})", R"({"d": {"a": 1}})"), 0);
}

TEST(FieldAccuracy202607, ExistingConfigurationsKeepTheirRules) {
  const std::string fields = "fields: [{path: n, match: numeric_tolerance}, {path: d, match: date}]";
  const std::string expected = R"({"n": 12, "d": "2025-03-04"})";
  const std::string actual = R"({"n": "12abc", "d": "04.03.2025"})";
  EXPECT_EQ(ScoreOf("type: field_accuracy, " + fields, expected, actual), 0);
  EXPECT_EQ(ScoreOf("type: field_accuracy, revision: seed, " + fields, expected, actual), 0);
  EXPECT_EQ(ScoreOf("type: field_accuracy, revision: 2026-07, " + fields, expected, actual), 0.5);
}

TEST(FieldAccuracy202607, WhatTheRevisionDoesNotHaveIsRefused) {
  EXPECT_NE(ConfigErrorOf(Today("{path: a, match: fuzzy}")).find("it belongs to revision seed"),
            std::string::npos);
  EXPECT_NE(ConfigErrorOf(Today("{path: a, array_match: any_order}")).find("it belongs to revision seed"),
            std::string::npos);
  EXPECT_EQ(ScoreOf(Today("{path: a, match: date, formats: [of mine]}"), R"({"a": "2025-01-02"})",
                    R"({"a": "Jan 2, 2025"})"),
            1);
}

}  // namespace
}  // namespace leafscore::internal
