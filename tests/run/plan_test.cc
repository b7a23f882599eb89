#include "leafscore/plan.h"

#include <cmath>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/leafscore.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

TEST(Plan, FromConfig) {
  const Plan plan = Plan::FromConfig(
      "evaluators:\n"
      "  - {name: strict, type: levenshtein, threshold: 0.9}\n"
      "  - {type: exact_match, negated: true}\n");
  EXPECT_EQ(plan.scorer_names(), (std::vector<std::string>{"strict", "exact_match"}));
  const auto scores = Runner(plan).ScorePair("\"abcde\"", "\"abcdx\"");
  EXPECT_EQ(scores[0].scorer, "strict");
  EXPECT_EQ(scores[0].score[0], 0.8);
  EXPECT_EQ(scores[0].passed[0], 0);
  EXPECT_EQ(scores[1].score[0], 1.0);

  const std::string error = ErrorOf(ErrorCode::kUsage, [] {
    Plan::FromConfig("evaluators:\n  - type: levenshtein\n    treshold: 0.9\n", "my.yaml");
  });
  EXPECT_EQ(error.rfind("my.yaml:3: ", 0), 0u) << error;
  EXPECT_NE(error.find("did you mean \"threshold\"?"), std::string::npos) << error;
}

TEST(Plan, AnUnknownScorer) {
  const std::string error = ErrorOf(ErrorCode::kUsage, [] { Plan({"exact_mach"}); });
  EXPECT_NE(error.find("did you mean \"exact_match\"?"), std::string::npos) << error;
}

TEST(Plan, IsCheapToCopy) {
  const Plan plan({"exact_match"});
  const Plan copy = plan;
  EXPECT_EQ(&copy.scorers(), &plan.scorers());
  EXPECT_EQ(Runner(copy).ScorePair("1", "1")[0].score[0], 1.0);
}

TEST(Plan, GivesItsConfigurationBack) {
  const Plan plan = Plan::FromConfig(
      "evaluators:\n"
      "  - {name: a, type: levenshtein, threshold: 0.90}\n"
      "  - {type: json_similarity, target_output_key: [x, 'y[0]'], weights: {'**.id': 0}}\n");
  EXPECT_EQ(plan.config(),
            R"({"evaluators": [{"name": "a", "type": "levenshtein", "threshold": 0.90}, )"
            R"({"name": "json_similarity", "type": "json_similarity", "target_output_key": ["x", "y[0]"], )"
            R"("weights": {"**.id": 0}}]})"
            "\n");
  EXPECT_EQ(Plan::FromConfig(plan.config()).config(), plan.config());
  EXPECT_EQ(Plan({"exact_match"}).config(),
            "{\"evaluators\": [{\"name\": \"exact_match\", \"type\": \"exact_match\"}]}\n");
}

TEST(Plan, FromValues) {
  const std::vector<ScorerConfig> scorers = {
      {"levenshtein", "strict", {{"threshold", 0.9}}},
      {"json_similarity", {}, {{"target_output_key", OptionValue::List{"a", "b"}}}}};
  const Plan plan(scorers);
  EXPECT_EQ(plan.scorer_names(), (std::vector<std::string>{"strict", "json_similarity"}));
  EXPECT_EQ(Runner(plan).ScorePair("\"abcde\"", "\"abcdx\"")[0].passed[0], 0);
  EXPECT_EQ(Plan::FromConfig(plan.config()).config(), plan.config());

  const std::vector<ScorerConfig> wrong = {{"exact_match"}, {"levenshtein", {}, {{"threshold", "high"}}}};
  try {
    const Plan none(wrong);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kUsage);
    EXPECT_EQ(error.location().line, 2);
    EXPECT_EQ(error.location().option, "threshold");
  }
}

TEST(Plan, RefusesNoScorersAndANameTwiceHoweverItIsMade) {
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage,
                    [] {
                      Plan({"contains", "levenshtein", "contains"});
                    }),
            "two scorers named \"contains\"; rename one");
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [] { const Plan none(std::span<const std::string>{}); }),
            "no scorers; name at least one");
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [] { const Plan none(std::initializer_list<std::string_view>{}); }),
            "no scorers; name at least one");
  const std::vector<ScorerConfig> twice = {{"contains"}, {"exact_match", "contains"}};
  EXPECT_EQ(ErrorOf(ErrorCode::kUsage, [&] { const Plan none(twice); }),
            "scorers:2: two scorers named \"contains\", the first on line 1; rename one");
  EXPECT_NE(
      ErrorOf(ErrorCode::kUsage, [] { const Plan none(std::span<const ScorerConfig>{}); }).find("no scorers"),
      std::string::npos);
}

TEST(Plan, RefusesValuesThatNoConfigurationHolds) {
  const auto error_of = [](const ScorerConfig& scorer) {
    try {
      const Plan none(std::span(&scorer, 1));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage);
      return error.location().option + ": " + error.what();
    }
    return std::string("none");
  };
  EXPECT_EQ(error_of({"contains", "n\xff"}),
            "name: scorers:1: \"n\\xff\" is not valid UTF-8, as a configuration must be");
  EXPECT_EQ(error_of({"contains", {}, {{"search_text", "\xc3"}}}),
            "search_text: scorers:1: \"\\xc3\" is not valid UTF-8, as a configuration must be");
  const OptionValue::Map inner = {{"\xff", 1}};
  EXPECT_EQ(error_of({"json_similarity", {}, {{"weights", inner}}}),
            "weights: scorers:1: \"\\xff\" is not valid UTF-8, as a configuration must be");
  EXPECT_EQ(error_of({"code_judge", {}, {{"mine", OptionValue::List{1.0, std::nan("")}}}}),
            "mine: scorers:1: the number nan in option \"mine\" is not finite");
  EXPECT_EQ(error_of({"code_judge", {}, {{"mine", -INFINITY}}}),
            "mine: scorers:1: the number -inf in option \"mine\" is not finite");
}

TEST(Plan, ErrorsTellWhereTheyAre) {
  try {
    Plan::FromConfig("evaluators:\n  - type: levenshtein\n    treshold: 0.9\n", "my.yaml");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.location().source, "my.yaml");
    EXPECT_EQ(error.location().line, 3);
    EXPECT_EQ(error.location().option, "treshold");
  }
}

}  // namespace
}  // namespace leafscore::internal
