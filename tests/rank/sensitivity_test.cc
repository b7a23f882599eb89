// How far rankings depend on scorers and tasks. The expected figures are worked out by hand.
#include "engine/rank/sensitivity.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class SensitivityTest : public BoardTest {
 protected:
  // Returns lines for ids from `first` on, which are of this task.
  static std::string OfTask(std::string_view task, int first, const std::vector<double>& scores) {
    std::string lines;
    for (const double score : scores) {
      lines += Scored(std::to_string(first++), score, fmt::format(", \"task\": \"{}\"", task));
    }
    return lines;
  }

  std::string Text(const std::vector<ModelFile>& files,
                   LeaderboardFormat format = LeaderboardFormat::kTable) {
    return RenderSensitivity(RankAll(files, {.task = "task"}).sensitivity, format);
  }

  // The sums are a 1.5, b 1.25, c 1. Without x they are a 0.5, b 0.75, c 1, the opposite; without y a 1, b
  // 0.75, c 0.5, and without z a 1.5, b 1, c 0.5, which move nothing.
  const std::vector<ModelFile> three_ = {
      {"a", OfTask("x", 0, {1}) + OfTask("y", 1, {0.5}) + OfTask("z", 2, {0})},
      {"b", OfTask("x", 0, {0.5}) + OfTask("y", 1, {0.5}) + OfTask("z", 2, {0.25})},
      {"c", OfTask("x", 0, {0}) + OfTask("y", 1, {0.5}) + OfTask("z", 2, {0.5})}};
};

TEST_F(SensitivityTest, TasksAreLeftOutInTurn) {
  EXPECT_EQ(Text(three_),
            "s, ranking without one task\n"
            "without  ids    tau-b  ranks moved\n"
            "x          1  -1.0000           *4\n"
            "y          1   1.0000            0\n"
            "z          1   1.0000            0\n"
            "\n"
            "s, ranks with and without each task\n"
            "model  rank  from  to\n"
            "a         1     1   3\n"
            "b         2     2   2\n"
            "c         3     1   3\n");
}

TEST_F(SensitivityTest, DoesNotDependOnTheOrderOfFiles) {
  const std::vector<ModelFile> turned(three_.rbegin(), three_.rend());
  for (const LeaderboardFormat format : {LeaderboardFormat::kTable, LeaderboardFormat::kCsv,
                                         LeaderboardFormat::kJson, LeaderboardFormat::kLatex}) {
    EXPECT_EQ(Text(three_, format), Text(turned, format));
  }
}

// 0.7 + 0.3 + 0.1 - 0.7 and 0.9 + 0.1 + 0.3 - 0.9 differ as doubles; a rank must not hang on that.
TEST_F(SensitivityTest, EqualScoresStayEqualWithoutATask) {
  const RankingSensitivity sensitivity = RankAll({{"a", OfTask("x", 0, {0.7}) + OfTask("y", 1, {0.3, 0.1})},
                                                  {"b", OfTask("x", 0, {0.9}) + OfTask("y", 1, {0.1, 0.3})}},
                                                 {.task = "task"})
                                             .sensitivity;
  ASSERT_EQ(sensitivity.models.size(), 2u);
  EXPECT_EQ(sensitivity.models[0].model, "b");
  EXPECT_EQ(sensitivity.models[1].model, "a");
  EXPECT_EQ(sensitivity.models[1].low, 1u);  // without x both have 0.4
  EXPECT_EQ(sensitivity.tasks[0].moved, 1u);
  EXPECT_EQ(sensitivity.tasks[0].tau, std::nullopt);
}

TEST_F(SensitivityTest, NeedsTwoTasksAndTwoModels) {
  EXPECT_EQ(Text({{"a", OfTask("x", 0, {1, 0})}, {"b", OfTask("x", 0, {0, 0})}}),
            "There is one scorer and no task that could be left out, so there is nothing to compare.\n");
  const RankingSensitivity of_one =
      RankAll({{"a", OfTask("x", 0, {1}) + OfTask("y", 1, {1})}}, {.task = "task"}).sensitivity;
  EXPECT_EQ(of_one.tasks.size() + of_one.models.size(), 0u);
}

TEST_F(SensitivityTest, Csv) {
  EXPECT_EQ(Text(three_, LeaderboardFormat::kCsv),
            "kind,scorer,other,task,model,models,ids,tau_b,moved,most,rank,rank_low,rank_high,verified\n"
            "task,s,,x,,,1,-1,4,true,,,,true\n"
            "task,s,,y,,,1,1,0,false,,,,true\n"
            "task,s,,z,,,1,1,0,false,,,,true\n"
            "model,s,,,a,,,,,,1,1,3,true\n"
            "model,s,,,b,,,,,,2,2,2,true\n"
            "model,s,,,c,,,,,,3,1,3,true\n");
}

TEST_F(SensitivityTest, Json) {
  const std::string json = Text(three_, LeaderboardFormat::kJson);
  EXPECT_TRUE(
      json.starts_with("[\n  {\"kind\": \"task\", \"scorer\": \"s\", \"task\": \"x\", \"ids\": 1, "
                       "\"tau_b\": -1, \"moved\": 4, \"most\": true, \"verified\": true},\n"))
      << json;
  EXPECT_TRUE(
      json.ends_with("  {\"kind\": \"model\", \"scorer\": \"s\", \"model\": \"c\", \"rank\": 3, "
                     "\"rank_low\": 1, \"rank_high\": 3, \"verified\": true}\n]\n"))
      << json;
}

TEST_F(SensitivityTest, MarkdownAndLatex) {
  const std::string markdown = Text(three_, LeaderboardFormat::kMarkdown);
  EXPECT_NE(markdown.find("### s, ranking without one task\n\n| without | ids | tau-b | ranks moved |\n"
                          "|---|---:|---:|---:|\n| x | 1 | -1.0000 | **4** |\n"),
            std::string::npos)
      << markdown;
  const std::string latex = Text(three_, LeaderboardFormat::kLatex);
  EXPECT_NE(latex.find("\nx & 1 & $-$1.0000 & \\textbf{4} \\\\\ny & "), std::string::npos) << latex;
}

class ScorerAgreementTest : public BoardTest {
 protected:
  static std::string Under(const std::vector<std::pair<std::string, double>>& scorers) {
    std::string lines;
    for (const auto& [scorer, score] : scorers) lines += Scored("1", score, "", scorer);
    return lines;
  }
};

// s orders a, b, c. t has b and c the other way round, so that one pair of three disagrees: 2 - 1 of 3. u has
// no c, and calls a and b equal.
TEST_F(ScorerAgreementTest, IsKendallsTauOverTheModelsThatBothRank) {
  const std::vector<ModelFile> files = {{"a", Under({{"s", 1}, {"t", 1}, {"u", 0.5}})},
                                        {"b", Under({{"s", 0.5}, {"t", 0.25}, {"u", 0.5}})},
                                        {"c", Under({{"s", 0.25}, {"t", 0.5}})}};
  const RankingSensitivity sensitivity = RankAll(files).sensitivity;
  EXPECT_EQ(RenderSensitivity(sensitivity, LeaderboardFormat::kTable),
            "agreement of scorers\n"
            "scorer  other  models   tau-b\n"
            "s       t           3  0.3333\n"
            "s       u           2       -\n"
            "t       u           2       -\n");
  EXPECT_EQ(RenderSensitivity(sensitivity, LeaderboardFormat::kCsv),
            "kind,scorer,other,task,model,models,ids,tau_b,moved,most,rank,rank_low,rank_high,verified\n"
            "scorers,s,t,,,3,,0.3333333333333333,,,,,,true\n"
            "scorers,s,u,,,2,,,,,,,,true\n"
            "scorers,t,u,,,2,,,,,,,,true\n");
}

}  // namespace
}  // namespace leafscore::internal
