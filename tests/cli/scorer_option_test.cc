// Scorers named on the command line with their options, and how `leafscore scorers` explains them.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <string>
#include <vector>

#include "cli/subprocess.h"
#include "engine/scorers/registry.h"
#include "run/run_testing.h"

namespace leafscore::internal {
namespace {

class ScorerOptionTest : public ::testing::Test {
 protected:
  ScorerOptionTest() {
    WriteFile(pairs_, R"({"id": 1, "expected": {"n": 100, "l": [1, 2]}, "actual": {"n": 100.5, "l": [2, 1]}})"
                      "\n");
  }

  // Scores to a file with a scorer in a configuration, or on the command line. RETURNS: the manifest.
  std::string ManifestOf(const std::string& option, const std::string& scorer, const std::string& name) {
    const std::string output = folder_ / name;
    const SubprocessResult run = RunCommand({"score", pairs_, "-q", option, scorer, "-o", output});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    scores_.push_back(ReadFile(output));
    rapidjson::Document manifest;
    manifest.Parse(ReadFile(output + ".manifest.json").c_str());
    EXPECT_TRUE(manifest.IsObject());
    std::string scorers;
    for (const auto& made : manifest["scorers"].GetArray()) {
      for (const auto& member : made.GetObject()) {
        scorers += std::string(member.name.GetString()) + " ";
        if (member.value.IsString()) scorers += std::string(member.value.GetString()) + " ";
        if (!member.value.IsObject()) continue;
        for (const auto& value : member.value.GetObject()) {
          scorers += std::string(value.name.GetString()) + "=";
          if (value.value.IsString()) scorers += value.value.GetString();
          if (value.value.IsNumber()) scorers += std::to_string(value.value.GetDouble());
          scorers += " ";
        }
      }
    }
    return scorers;
  }

  TempDir folder_;
  const std::string pairs_ = folder_ / "pairs.jsonl";
  std::vector<std::string> scores_;
};

TEST_F(ScorerOptionTest, OptionsMeanWhatTheyMeanInAConfiguration) {
  const std::string config = folder_ / "c.yaml";
  WriteFile(config,
            "evaluators:\n  - {type: json_similarity, number_tolerance: 0.01, array_match: any_order}\n");
  const std::string from_file = ManifestOf("-c", config, "file.jsonl");
  const std::string from_line =
      ManifestOf("-s", "json_similarity:number_tolerance=0.01,array_match=any_order", "line.jsonl");
  EXPECT_EQ(from_line, from_file);
  EXPECT_NE(from_line.find("number_tolerance=0.01"), std::string::npos) << from_line;
  EXPECT_EQ(scores_[0], scores_[1]);
  EXPECT_NE(scores_[0].find("\"score\": 1, "), std::string::npos) << scores_[0];
}

TEST_F(ScorerOptionTest, ValuesCanBeLists) {
  const SubprocessResult run = RunCommand(
      {"score", pairs_, "-q", "-s", "field_accuracy:fields=[{path: n, match: exact}],threshold=0.5"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\"score\": 0, \"passed\": false"), std::string::npos) << run.out;
}

TEST_F(ScorerOptionTest, OneScorerCanBeUsedTwiceUnderTwoNames) {
  const SubprocessResult run = RunCommand({"score", pairs_, "-q", "-s", "json_similarity", "-s",
                                           "json_similarity:name=close,number_tolerance=0.01"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("\"scorer\": \"json_similarity\""), std::string::npos);
  EXPECT_NE(run.out.find("\"scorer\": \"close\""), std::string::npos);
  ExpectRefused(
      RunCommand({"score", pairs_, "-s", "json_similarity", "-s", "json_similarity:number_tolerance=0.01"}),
      "two scorers named \"json_similarity\"; rename one");
}

TEST_F(ScorerOptionTest, ValuesAreCheckedAsInAConfiguration) {
  ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein:threshold=2"}),
                "scorer \"levenshtein\" (levenshtein): option \"threshold\"");
  ExpectRefused(RunCommand({"score", pairs_, "-s", "levenshtein:"}), "there is no option behind the colon");
}

TEST_F(ScorerOptionTest, ScorersAreListedWithALineEach) {
  const SubprocessResult list = RunCommand({"scorers"});
  EXPECT_EQ(list.exit_code, 0);
  for (const ScorerType& type : ScorerTypes()) {
    EXPECT_NE(list.out.find("  " + std::string(type.name) + " "), std::string::npos) << type.name;
  }
  EXPECT_NE(list.out.find("`leafscore scorers NAME` explains one"), std::string::npos);
  EXPECT_EQ(list.out.find("target_output_key"), std::string::npos);
}

TEST_F(ScorerOptionTest, EachScorerIsExplained) {
  for (const ScorerType& type : ScorerTypes()) {
    const SubprocessResult told = RunCommand({"scorers", std::string(type.name)});
    EXPECT_EQ(told.exit_code, 0);
    for (const OptionSpec& option : ScorerTypeOptions(type)) {
      EXPECT_NE(told.out.find("\n  " + std::string(option.name) + " ("), std::string::npos) << told.out;
    }
    EXPECT_NE(told.out.find("  expected  " + std::string(type.guide.expected) + "\n"), std::string::npos);
  }
  const std::string two = RunCommand({"scorers", "levenshtein", "contains"}).out;
  EXPECT_EQ(two.find("levenshtein: "), 0u);
  EXPECT_NE(two.find("\n\n\ncontains: "), std::string::npos);
}

// The scores of the examples, except those of scorers that ask a model (scorers/llm_judge_test.cc).
TEST_F(ScorerOptionTest, ExamplesHaveTheScoreThatIsTold) {
  for (const ScorerType& type : ScorerTypes()) {
    const ScorerGuide& guide = type.guide;
    if (!guide.reply.empty()) continue;
    std::string scorer(guide.scorer);
    if (const std::size_t at = scorer.find("examples/"); at != std::string::npos)
      scorer.insert(at, LEAFSCORE_SOURCE_DIR "/");
    WriteFile(pairs_, "{\"id\": 1, \"expected\": " + std::string(guide.expected) +
                          ", \"actual\": " + std::string(guide.actual) + "}\n");
    const SubprocessResult run = RunCommand({"score", pairs_, "-q", "-s", scorer});
    EXPECT_EQ(run.exit_code, 0) << type.name << run.err;
    rapidjson::Document line;
    ASSERT_FALSE(line.Parse(run.out.c_str()).HasParseError()) << run.out;
    ASSERT_TRUE(line.HasMember("score")) << run.out;
    EXPECT_NEAR(line["score"].GetDouble(), guide.score, 1e-12) << type.name;
  }
}

}  // namespace
}  // namespace leafscore::internal
