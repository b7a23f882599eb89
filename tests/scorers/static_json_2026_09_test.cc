// static_json of September 2026: what the vectors of tests/data/origins leave open, and its parts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scorers/static_json/choice_letter.h"
#include "engine/scorers/static_json/mode_terms.h"
#include "engine/scorers/static_json/stated_range.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

constexpr char kEvaluator[] = "type: static_json, revision: 2026-09";

ScoreColumns ScoreWith(const std::string& metadata, const std::string& expected, const std::string& actual) {
  return Score(kEvaluator + (", evaluation_metadata: " + metadata), expected, actual);
}

std::string Terms(std::string_view text) {
  std::string joined;
  for (const std::string& term : RequiredTerms(text, NormaliseTerm(text))) {
    joined += (joined.empty() ? "" : "|") + term;
  }
  return joined;
}

TEST(StaticJson202609, OtherRevisionsAreNamed) {
  EXPECT_EQ(ConfigErrorOf("type: static_json, revision: 2026-10"),
            "config:2: scorer \"static_json\" (static_json): option \"revision\": unknown value \"2026-10\"; "
            "did you mean \"2026-09\"? valid: seed, 2026-09");
  EXPECT_EQ(ConfigErrorOf("type: levenshtein, revision: 2026-09"),
            "config:2: scorer \"levenshtein\" (levenshtein): option \"revision\": unknown value "
            "\"2026-09\"; valid: seed");
  EXPECT_EQ(ScoreOf("type: levenshtein, revision: seed", "\"a\"", "\"a\""), 1);
  EXPECT_EQ(ScoreOf("type: static_json, revision: seed", "{}", "{}"), 0);
}

TEST(StaticJson202609, MetadataIsAMapOfThisRevision) {
  EXPECT_EQ(ConfigErrorOf("type: static_json, evaluation_metadata: {}"),
            "config:2: scorer \"static_json\" (static_json): option \"evaluation_metadata\": belongs to "
            "revision 2026-09; add \"revision: 2026-09\"");
  EXPECT_EQ(ConfigErrorOf("type: static_json, revision: 2026-09, evaluation_metadata: x"),
            "config:2: scorer \"static_json\" (static_json): option \"evaluation_metadata\": must be a map "
            "such as {keys: {p: {mode: measure}}}");
}

TEST(StaticJson202609, APairIsNotSpoiledByTheOneBefore) {
  const Runner runner(Plan::FromConfig("evaluators:\n- {" + std::string(kEvaluator) + "}\n"));
  runner.ScorePair(R"("\"{'a': 1}\"")", R"("\"{'a': 1}\"")");
  EXPECT_EQ(runner.ScorePair(R"("{'b': [[], '1.50']}")", R"({"b": [[], "1.50"]})")[0].passed[0], 1);
  EXPECT_EQ(ScoreOf(kEvaluator, R"("\"{'a': 1}\"")", R"({"a": 1})"), 1);
}

TEST(StaticJson202609, NullAndBlankGoldAreNoGold) {
  for (const std::string gold : {"null", "\"\"", "\" \\n\""}) {
    const ScoreColumns scores = Score(kEvaluator, gold, gold);
    EXPECT_EQ(scores.score[0], 0) << gold;
    EXPECT_EQ(scores.passed[0], 0) << gold;
  }
  EXPECT_EQ(Score(kEvaluator, "\"null\"", "null").passed[0], 1);
}

TEST(StaticJson202609, SelectedPartsAreAnObject) {
  const std::string both = std::string(kEvaluator) + ", target_output_key: [tags, n]";
  const std::string rule = ", evaluation_metadata: {keys: {tags: {mode: set_match}}}";
  const std::string gold = R"({"tags": ["b", "a"], "n": 1, "x": 1})";
  const std::string answer = R"({"tags": ["a", "b"], "n": 1, "x": 2})";
  EXPECT_EQ(Score(both, gold, answer).passed[0], 0);
  EXPECT_EQ(Score(both + rule, gold, answer).passed[0], 1);
}

TEST(StaticJson202609, AnItemOfASetIsTakenOnce) {
  const std::string rule = "{keys: {t: {mode: set_match, tolerance_s: 60}}}";
  const std::string gold = R"({"t": ["2026-01-04T11:20:00", "2026-01-04T11:20:50"]})";
  EXPECT_EQ(ScoreWith(rule, gold, R"({"t": ["2026-01-04T11:20:40", "2026-01-04T11:21:30"]})").passed[0], 1);
  // The first answer takes the first item, which the second one needs.
  EXPECT_EQ(ScoreWith(rule, gold, R"({"t": ["2026-01-04T11:20:40", "2026-01-04T11:19:10"]})").passed[0], 0);
}

// Times a minute apart, from the first to the last or backwards.
std::string Times(int count, bool backwards) {
  std::string list = "[";
  for (int i = 0; i < count; ++i) {
    const int minute = backwards ? count - 1 - i : i;
    list += fmt::format("{}\"2026-01-{:02}T{:02}:{:02}\"", i == 0 ? "" : ",", 1 + minute / 1440,
                        minute / 60 % 24, minute % 60);
  }
  return list + "]";
}

// n items backwards take n (n + 1) / 2 comparisons, in order n: 16,776,528 and 688 are 2^24.
TEST(StaticJson202609, SetsThatTakeTooManyComparisonsAreAnErrorOfTheRecord) {
  const std::string rules =
      "{keys: {a: {mode: set_match, tolerance_s: 1}, b: {mode: set_match, tolerance_s: 1}}}";
  for (const int in_order : {687, 688, 689}) {
    const std::string b = ", \"b\": " + Times(in_order, false) + "}";
    const ScoreColumns scores =
        ScoreWith(rules, "{\"a\": " + Times(5792, false) + b, "{\"a\": " + Times(5792, true) + b);
    if (in_order <= 688) {
      EXPECT_EQ(scores.passed[0], 1) << in_order;
      continue;
    }
    EXPECT_EQ(scores.outcome[0], Outcome::kError);
    EXPECT_EQ(scores.passed[0], -1);
    ASSERT_EQ(scores.errors.size(), 1u);
    EXPECT_EQ(scores.errors[0].reason, RejectReason::kWorkLimit);
    EXPECT_EQ(scores.errors[0].message,
              "comparing the sets takes more than 16777216 pairs of items, and \"b\" is not computed");
    EXPECT_TRUE(std::isnan(MetricOf(scores, "f1")));
    EXPECT_TRUE(std::isnan(MetricOf(scores, "partial_similarity_score")));
  }
}

TEST(StaticJson202609, FieldsOfSetsWithoutAToleranceTakeLinearTime) {
  std::string gold = "{\"t\": [";
  std::string answer = gold;
  constexpr int kItems = 200'000;
  for (int i = 0; i < kItems; ++i) {
    gold += fmt::format("{}{{\"id\": {}, \"x\": 1}}", i == 0 ? "" : ",", i);
    answer += fmt::format("{}{{\"id\": {}}}", i == 0 ? "" : ",", kItems - 1 - i);
  }
  const std::string rule = "{keys: {t: {mode: set_match, match_on: [id]}}}";
  EXPECT_EQ(ScoreWith(rule, gold + "]}", answer + "]}").passed[0], 1);
  EXPECT_EQ(ScoreWith(rule, gold + ",1]}", answer + ",1]}").passed[0], 0);
}

TEST(StaticJson202609, FieldsOfSetsAreComparedAsTexts) {
  const std::string rule = "{keys: {t: {mode: set_match, match_on: [a, b]}}}";
  const auto passes = [&](const std::string& gold, const std::string& answer) {
    return ScoreWith(rule, "{\"t\": [" + gold + "]}", "{\"t\": [" + answer + "]}").passed[0] == 1;
  };
  EXPECT_TRUE(passes(R"({"a": 1, "b": "X"}, {"a": 2, "b": "y", "c": 0})",
                     R"({"b": "Y", "a": 2}, {"a": "1", "b": " x"})"));
  EXPECT_FALSE(passes(R"({"a": 1, "b": null})", R"({"a": 1, "b": null})"));
  EXPECT_FALSE(passes(R"({"a": 1})", R"({"a": 1})"));
  EXPECT_TRUE(passes(R"({"a": 1, "b": "None"})", R"({"a": 1})"));
  EXPECT_FALSE(passes(R"({"a": 1, "b": 2})", "[1, 2]"));
  EXPECT_FALSE(passes(R"({"a": 1, "b": 2}, {"a": 1, "b": 2})", R"({"a": 1, "b": 2}, {"a": 1, "b": 2})"));
  // Whole items are compared by set_contained, whatever match_on says.
  EXPECT_EQ(ScoreWith("{keys: {t: {mode: set_contained, match_on: [a]}}}", R"({"t": [1, null]})",
                      R"({"t": [null, 1]})")
                .passed[0],
            1);
}

TEST(StaticJson202609, TuplesOfPythonAreNoLists) {
  const std::string rule = "{keys: {t: {mode: set_match}}}";
  EXPECT_EQ(ScoreWith(rule, R"({"t": [1]})", R"("{'t': [1]}")").passed[0], 1);
  EXPECT_EQ(ScoreWith(rule, R"({"t": [1]})", R"("{'t': (1,)}")").passed[0], 0);
  EXPECT_EQ(ScoreWith(rule, R"("{'t': [(1, 'x')]}")", R"("{'t': [(1, 'x')]}")").passed[0], 1);
  EXPECT_EQ(ScoreWith(rule, R"({"t": [[1, "x"]]})", R"("{'t': [(1, 'x')]}")").passed[0], 0);
  EXPECT_EQ(ScoreWith(rule, R"({"t": [1]})", R"({"t":[ 1]})").passed[0], 1);
}

TEST(StatedRange, Forms) {
  for (const std::string_view text : {"3-7", "7 - 3", "3..7", "3 to 7", "3through7", "3,7", "3 \u2013 7",
                                      "between 3 and 7", "min: 3, max: 7", "start=3 x end = 7.0"}) {
    const std::optional<StatedRange> range = ReadRange(text);
    ASSERT_TRUE(range) << text;
    EXPECT_EQ(range->low, 3) << text;
    EXPECT_EQ(range->high, 7) << text;
  }
  EXPECT_EQ(ReadRange("-5--3")->low, -5);
  EXPECT_FALSE(ReadRange("0.5-.7"));
  for (const std::string_view text :
       {"", "3", "3-7 kg", "about 3-7", "3 7", "between3and7", "max: 7, min: 3", "min: 3, max: 7 m", "3-"}) {
    EXPECT_FALSE(ReadRange(text)) << text;
  }
}

TEST(StatedRange, TimesAreReadAsByStrptime) {
  EXPECT_EQ(ReadTime("1970-01-02t00:01:05"), 86465);
  EXPECT_EQ(ReadTime("1970-01-02t00:01"), 86460);
  EXPECT_EQ(ReadTime("1970-01-02"), 86400);
  EXPECT_EQ(ReadTime("1970-1-2t0:1:5"), 86465);
  EXPECT_EQ(ReadTime("1970-01- 2"), 86400);
  for (const std::string_view text :
       {"", "1970-1-2", "1970-01-02 00:01", "1970-01-02t00:01:05z", "1970-01-02t00:01:05.5", "1970-02-29",
        "1970-13-01", "1970-00-01", "1970-01-00", "1970-01-32", "0000-01-01", "1970-01-02t24:00",
        "1970-01-02t00:60", "1970-01-02t00:00:60", "1970-01-02t", "x970-01-02"}) {
    EXPECT_FALSE(ReadTime(text)) << text;
  }
}

TEST(ModeTerms, WhatAGoldAsksFor) {
  EXPECT_EQ(Terms("Which asset do you mean by 'the main unit'?"), "main unit");
  EXPECT_EQ(Terms("No - the 'PMP' tag of AB-12 is unreliable"), "ab 12|tag|unreliable|no");
  EXPECT_EQ(Terms("no"), "");
  EXPECT_EQ(Terms("it's 'x' \"a\" \u201cyes, you\u201d"), "s|yes you");
  EXPECT_EQ(Terms("AB1-x CD1x EF-GH2- A1 XAB1é aAB1"), "ab1|ef gh2");
  EXPECT_EQ(Terms("'the' 'pumps' PMP1 PMP1"), "pumps|pmp1");
}

TEST(ModeTerms, StandInATextAsWholeWords) {
  // What a slow search finds, in texts of few words.
  const auto stands = [](const std::string& text, const std::string& term) {
    return (" " + text + " ").find(" " + term + " ") != std::string::npos;
  };
  const std::vector<std::string> terms = {"a", "b", "a b", "b a a", "ab", "a a a a", "b ab b"};
  const std::vector<std::string_view> views(terms.begin(), terms.end());
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    for (unsigned words = random() % 7; words > 0; --words) {
      constexpr const char* kWords[] = {"a", "b", "ab"};
      text += (text.empty() ? "" : " ") + std::string(kWords[random() % 3]);
    }
    const TextSet<std::string_view> found = TermsWithin(text, views);
    for (const std::string& term : terms) {
      EXPECT_EQ(found.contains(term), stands(text, term)) << text << ": " << term;
    }
  }
}

TEST(ModeTerms, ManyOfThemTakeLinearTime) {
  std::string terms;
  for (int i = 0; i < 100'000; ++i) terms += fmt::format("{}'w{}'", i == 0 ? "" : ", ", i);
  const ScoreColumns scores = Score(kEvaluator, "{\"response\": \"" + terms + "\"}",
                                    "{\"response\": \"" + terms.substr(0, terms.size() - 8) + "\"}");
  EXPECT_EQ(MetricOf(scores, "total_gold_keys"), 100'001);
  EXPECT_EQ(MetricOf(scores, "exact_value_matches"), 100'000);
}

TEST(ChoiceLetter, Forms) {
  for (const std::string_view text : {"C", "(C)", "C.", "Option C", "option: (C)", "Answeris[C]", "x\nso,C",
                                      "the answers are not known, choiceC"}) {
    EXPECT_EQ(FindChoiceLetter(text), "C") << text;
  }
  EXPECT_EQ(FindChoiceLetter("there are no answers"), "s");
  for (const std::string_view text :
       {"", "C!", "**C**", "ABC", "C\nthanks", "x(C)", "C))", "(C):", "\u00c9", "thisC"}) {
    EXPECT_EQ(FindChoiceLetter(text), "") << text;
  }
}

}  // namespace
}  // namespace leafscore::internal
