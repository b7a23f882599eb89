// Where a string pair is over the work limit, the range that is told holds the score, of every scorer.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/scorers/registry.h"
#include "sanitized.h"
#include "scorers/score_testing.h"

namespace leafscore::internal {
namespace {

// Evaluators of each type of scorer that need distances, with the options that use them in other ways; none
// for a type that needs no distance.
const std::map<std::string_view, std::vector<std::string>> kEvaluators = {
    {"classification", {}},
    {"code_judge", {}},
    {"contains", {}},
    {"exact_match", {}},
    {"exact_string_match", {}},
    {"field_accuracy",
     {"fields: [{path: a, match: fuzzy}, {path: b, match: fuzzy, weight: 2, threshold: 0.5}, {path: c}]",
      "fields: [{path: a, match: fuzzy, array_match: any_order, threshold: 0.3}, {path: b, match: fuzzy, "
      "threshold: 0.3}], aggregation: all_or_nothing"}},
    {"fmea", {}},
    {"json_diff", {"preserve_strings: false"}},
    {"json_schema", {}},
    {"json_similarity",
     {"case_sensitive: true", "array_match: any_order", "weights: {a: 3, '**.b': 0.5}, case_sensitive: false",
      "line_by_line: true, line_delimiter: ','"}},
    {"asserts", {}},
    {"levenshtein", {"threshold: 0.5"}},
    {"llm_judge", {}},
    {"llm_judge_strict_json", {}},
    {"numeric_match", {}},
    {"records", {}},
    {"static_json", {"string_similarity: levenshtein"}},
    {"strict_json", {"similar_threshold: 0.6"}},
    {"tool_calls",
     {"argument_credit: each, fields: [{path: a, match: fuzzy, threshold: 0.5}, {path: b, match: fuzzy}, "
      "{path: c, match: fuzzy, array_match: any_order, threshold: 0.3}]"}},
};

// RETURNS: the result of one pair.
ScoreColumns ScoreOf(const Runner& runner, const std::string& expected, const std::string& actual) {
  return runner.ScorePair(expected, actual)[0];
}

void ExpectInRange(const std::string& message, double score) {
  const std::size_t least = message.find("between ") + 8;
  EXPECT_LE(std::stod(message.substr(least)), score) << message;
  EXPECT_GE(std::stod(message.substr(message.find("and ", least) + 4)), score) << message;
}

TEST(WorkLimitRange, HoldsTheScoreOfEveryScorer) {
  RandomJson random(7, /*max_letters=*/12);
  const auto object = [&] {
    return R"({"a": )" + random.Value(3) + R"(, "b": )" + random.Value(2) + R"(, "c": )" + random.Value(1) +
           "}";
  };
  const auto value_of = [](const ScorerType& type, const std::string& json) {
    return type.name == "tool_calls" ? R"([{"name": "f", "arguments": )" + json + "}]" : json;
  };
  for (const ScorerType& type : ScorerTypes()) {
    ASSERT_TRUE(kEvaluators.contains(type.name))
        << "name the options of " << type.name << " that need distances";
    for (const std::string& options : kEvaluators.at(type.name)) {
      const Plan plan =
          Plan::FromConfig("evaluators: [{type: " + std::string(type.name) + ", " + options + "}]");
      const Runner exact(plan);
      std::vector<Runner> limited;
      for (const std::uint64_t max_pair_cells : {1, 2, 4, 6, 12, 40, 200}) {
        limited.emplace_back(plan, EngineOptions{.max_pair_cells = max_pair_cells});
      }
      int ranges = 0;
      for (int i = 0; i < Rounds(1000); ++i) {
        const std::string expected = value_of(type, object());
        const std::string actual = value_of(type, object());
        const double score = ScoreOf(exact, expected, actual).score[0];
        for (const Runner& runner : limited) {
          const ScoreColumns scores = ScoreOf(runner, expected, actual);
          SCOPED_TRACE(options + "\n" + expected + "\n" + actual);
          if (scores.outcome[0] == Outcome::kScored) {
            EXPECT_EQ(scores.score[0], score);
          } else {
            ++ranges;
            ASSERT_EQ(scores.errors.at(0).reason, RejectReason::kWorkLimit);
            ExpectInRange(scores.errors[0].message, score);
          }
        }
      }
      EXPECT_GT(ranges, kSanitized ? 0 : 100) << type.name << " " << options;
    }
  }
}

// A greedy pairing may have a lower sum when a distance is shorter, so such a field may have any score.
TEST(WorkLimitRange, OfAGreedyPairingIsWhole) {
  const auto array = [](const std::string& first) {
    std::string text = R"({"a": [")" + first + '"';
    for (int i = 0; i < 256; ++i) text += R"(, "f")";
    return text + "]}";
  };
  const Plan plan = Plan::FromConfig(
      "evaluators: [{type: field_accuracy, fields: [{path: a, match: fuzzy, array_match: any_order}]}]");
  const std::string expected = array("abcdefgh");
  const std::string actual = array("hgfedcba");
  EXPECT_GE(ScoreOf(Runner(plan), expected, actual).score[0], 256.0 / 257);
  EXPECT_EQ(ScoreOf(Runner(plan, {.max_pair_cells = 20}), expected, actual).errors.at(0).message,
            "a string pair of 8 x 8 characters exceeds --max-pair-cells; the score lies between 0 and 1");
}

}  // namespace
}  // namespace leafscore::internal
