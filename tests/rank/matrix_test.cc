// Matrices of means. The expected figures are worked out by hand.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class MatrixTest : public BoardTest {
 protected:
  // Returns lines with these scores for the ids 0, 1, 2, ..., which are of this task, as its first id has it.
  static std::string OfTask(std::string_view task, int first, const std::vector<double>& scores,
                            std::string_view scorer = "s") {
    std::string lines;
    for (const double score : scores) {
      lines += Scored(std::to_string(first++), score, fmt::format(", \"groups\": {{\"task\": \"{}\"}}", task),
                      scorer);
    }
    return lines;
  }

  std::string Csv(const std::vector<ModelFile>& files, LeaderboardOptions options = {}) {
    options.task = "task";
    options.mark_best = true;
    options.min_share = 0;
    return RenderMatrices(RankAll(files, options).by_task, LeaderboardFormat::kCsv);
  }
};

// What `b` lacks of the task y is 0.
TEST_F(MatrixTest, CellsAreMeansOverAllThatWasAskedInTheTask) {
  EXPECT_EQ(Csv({{"a", OfTask("x", 0, {1, 0.5}) + OfTask("y", 2, {1, 1, 0.25})},
                 {"b", OfTask("y", 2, {0.75}) + OfTask("x", 0, {0, 0.25})}}),
            "scorer,model,field,column,value,ids,mean,best,verified\n"
            "s,a,task,value,x,2,0.75,true,true\n"
            "s,a,task,value,y,3,0.75,true,true\n"
            "s,a,task,mean,,,0.75,true,true\n"
            "s,a,task,over_all,,5,0.75,true,true\n"
            "s,b,task,value,x,2,0.125,true,true\n"
            "s,b,task,value,y,3,0.25,true,true\n"
            "s,b,task,mean,,,0.1875,false,true\n"
            "s,b,task,over_all,,5,0.2,true,true\n");
}

// The task of the id 1 is known from `a` alone; nobody knows that of 2.
TEST_F(MatrixTest, AnIdHasTheTaskThatAnyLineTells) {
  const std::string csv = Csv({{"a", OfTask("x", 0, {1, 1}) + Scored("2", 0.5)},
                               {"b", OfTask("x", 0, {1}) + Unscored("1", "unanswered") + Scored("2", 0.25)}});
  EXPECT_NE(csv.find("\ns,b,task,value,x,2,0.5,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\ns,a,task,value,(none),1,0.5,"), std::string::npos) << csv;
}

TEST_F(MatrixTest, AnIdOfTwoTasksIsRefused) {
  const std::string refusal =
      Refusal({{"a", OfTask("x", 0, {1})}, {"b", OfTask("y", 0, {1})}}, {.task = "task"});
  EXPECT_NE(refusal.find("the id 0 is in the task \"y\", and in \"x\" on another line"), std::string::npos)
      << refusal;
  EXPECT_NE(Refusal({{"a", Scored("1", 1)}}, {.task = "task"}).find("has the field \"task\""),
            std::string::npos);
}

TEST_F(MatrixTest, DoesNotDependOnTheOrderOfFilesAndLines) {
  const ModelFile a{"a", OfTask("x", 0, {1, 0.1, 0.7}) + OfTask("y", 3, {0.3, 0.9})};
  const ModelFile b{"b", OfTask("y", 3, {0.2, 0.4}) + OfTask("x", 0, {0.9, 0.3, 0.1})};
  const ModelFile swapped{"a", OfTask("y", 3, {0.3, 0.9}) + OfTask("x", 0, {1, 0.1, 0.7})};
  EXPECT_EQ(Csv({a, b}), Csv({b, swapped}));
}

// Six ids of x tell `b` from `a` (p is 2 / 64), and six equal ones of y do not. Of the two scorers' family
// none is counted twice: each column is its own.
TEST_F(MatrixTest, WhatATestDoesNotTellFromTheBestOfAColumnIsMarked) {
  const std::vector<double> ones(6, 1);
  const std::vector<double> halves(6, 0.5);
  const std::string csv = Csv({{"a", OfTask("x", 0, ones) + OfTask("y", 6, halves)},
                               {"b", OfTask("x", 0, halves) + OfTask("y", 6, ones)}});
  EXPECT_NE(csv.find("\ns,a,task,value,x,6,1,true,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\ns,a,task,value,y,6,0.5,false,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\ns,b,task,value,x,6,0.5,false,"), std::string::npos) << csv;
  EXPECT_NE(csv.find("\ns,b,task,over_all,,12,0.75,true,"), std::string::npos) << csv;
}

// The same scores in one cluster are one difference, which tells nothing.
TEST_F(MatrixTest, ClustersKeepTogetherInATask) {
  const auto lines = [](double score) {
    std::string text;
    for (int id = 0; id < 8; ++id) {
      text += Scored(std::to_string(id), score,
                     fmt::format(", \"groups\": {{\"task\": \"x\", \"doc\": {}}}", id < 7 ? 1 : 2));
    }
    return text;
  };
  const std::vector<ModelFile> files = {{"a", lines(1)}, {"b", lines(0)}};
  EXPECT_NE(Csv(files).find("\ns,b,task,value,x,8,0,false,"), std::string::npos);
  EXPECT_NE(Csv(files, {.cluster = "doc"}).find("\ns,b,task,value,x,8,0,true,"), std::string::npos);
}

// As where each record of a run was put to one model.
TEST_F(MatrixTest, ModelsThatWereAskedTheirOwnIdsHaveMeansOverThose) {
  const std::vector<ModelFile> files = {{"a", OfTask("x", 0, {1, 0})},
                                        {"b", OfTask("x", 2, {1}) + OfTask("y", 3, {0.25})}};
  EXPECT_EQ(
      RenderMatrices(RankAll(files, {.task = "task", .mark_best = true}).by_task, LeaderboardFormat::kTable),
      "s, mean by task\n"
      "model       x       y    mean  over all\n"
      "a      0.5000       -       -    0.5000\n"
      "b      1.0000  0.2500  0.6250    0.6250\n"
      "ids         -       -       -         -\n"
      "\nNot ranked, as they were asked other ids or lack a scorer: a, b\n");
}

// Returns a line whose details list places with their matches, after a list of something else.
std::string Listing(std::string_view id, std::string_view rows) {
  return Scored(id, 0.5,
                fmt::format(", \"details\": {{\"rows\": [{{\"path\": \"b\"}}], \"leaves\": [{}]}}", rows));
}

std::string Place(std::string_view path, double match, bool is_expected = true) {
  return fmt::format("{{\"path\": \"{}\", {}\"similarity\": {}}}", path,
                     is_expected ? "\"expected\": 1, " : "", match);
}

// Of the id 3 nobody knows `b`'s fields, as its list was cut, so that it counts for none.
TEST_F(MatrixTest, FieldsHaveMeansOverTheIdsThatHaveThem) {
  const std::string cut = ", \"details\": {\"details_cut\": true, \"leaves\": [" + Place("x", 0) + "]}";
  const Ranking ranking =
      RankAll({{"a", Listing("0", Place("x", 1) + "," + Place("y[0]", 1) + "," + Place("y[1]", 0)) +
                         Listing("1", Place("x", 0.5) + "," + Place("z", 0, false)) +
                         Listing("2", Place("x", 1)) + Listing("3", Place("x", 1))},
               {"b", Listing("0", Place("x", 0.25) + "," + Place("y[7]", 1)) + Listing("1", Place("x", 1)) +
                         Unscored("2", "unanswered") + Scored("3", 0.5, cut)}},
              {.fields = true});
  EXPECT_EQ(RenderMatrices(ranking.by_field, LeaderboardFormat::kTable),
            "s, mean by field\n"
            "model        x     y[*]     mean  over all\n"
            "a      *0.8333   0.5000   0.6667   *0.5000\n"
            "b       0.4167  *1.0000  *0.7083    0.3750\n"
            "ids          3        1        -         4\n");
  EXPECT_TRUE(ranking.by_task.empty());
}

TEST_F(MatrixTest, LinesWithoutFieldsAreRefused) {
  EXPECT_NE(Refusal({{"a", Scored("1", 1)}}, {.fields = true}).find("score with --details leaves"),
            std::string::npos);
}

class MatrixTextTest : public MatrixTest {
 protected:
  std::string Text(LeaderboardFormat format) {
    const Ranking ranking = RankAll({{"a_1", Scored("1", 1, "", "s") + Scored("1", 0.5, "", "t|u")},
                                     {"b", Scored("1", 0.5, "", "s") + Scored("1", 0, "", "t|u")},
                                     {"c", Scored("1", 0, "", "s")}},
                                    {.mark_best = false});
    return RenderMatrices({&ranking.by_scorer, 1}, format);
  }
};

TEST_F(MatrixTextTest, Table) {
  EXPECT_EQ(Text(LeaderboardFormat::kTable),
            "mean by scorer\n"
            "model        s      t|u     mean\n"
            "a_1    *1.0000  *0.5000  *0.7500\n"
            "b       0.5000   0.0000   0.2500\n"
            "c       0.0000        -        -\n"
            "ids          1        1        -\n"
            "\nNot ranked, as they were asked other ids or lack a scorer: c\n");
}

TEST_F(MatrixTextTest, Markdown) {
  EXPECT_EQ(Text(LeaderboardFormat::kMarkdown),
            "### mean by scorer\n\n"
            "| model | s | t\\|u | mean |\n"
            "|---|---:|---:|---:|\n"
            "| a\\_1 | **1.0000** | **0.5000** | **0.7500** |\n"
            "| b | 0.5000 | 0.0000 | 0.2500 |\n"
            "| c | 0.0000 | - | - |\n"
            "| ids | 1 | 1 | - |\n"
            "\nNot ranked, as they were asked other ids or lack a scorer: c\n");
}

TEST_F(MatrixTextTest, Latex) {
  EXPECT_EQ(
      Text(LeaderboardFormat::kLatex),
      "% Needs \\usepackage{booktabs}, and LuaLaTeX or XeLaTeX with a font for names in other scripts.\n"
      "% mean by scorer\n"
      "\\begin{tabular}{lrrr}\n"
      "\\toprule\n"
      "model & s & t\\textbar{}u & mean \\\\\n"
      "\\midrule\n"
      "a\\_1 & \\textbf{1.0000} & \\textbf{0.5000} & \\textbf{0.7500} \\\\\n"
      "b & 0.5000 & 0.0000 & 0.2500 \\\\\n"
      "c & 0.0000 & - & - \\\\\n"
      "\\midrule\n"
      "ids & 1 & 1 & - \\\\\n"
      "\\bottomrule\n"
      "\\end{tabular}\n"
      "\n% Not ranked, as they were asked other ids or lack a scorer: c\n");
}

TEST_F(MatrixTextTest, Json) {
  const std::string json = Text(LeaderboardFormat::kJson);
  EXPECT_TRUE(json.starts_with(
      "[\n  {\"scorer\": null, \"model\": \"a_1\", \"field\": \"scorer\", \"column\": \"value\", "
      "\"value\": \"s\", \"ids\": 1, \"mean\": 1, \"best\": true, \"verified\": true},\n"))
      << json;
  EXPECT_TRUE(json.ends_with(
      "  {\"scorer\": null, \"model\": \"c\", \"field\": \"scorer\", \"column\": \"mean\", "
      "\"value\": null, \"ids\": null, \"mean\": null, \"best\": false, \"verified\": true}\n]\n"))
      << json;
}

}  // namespace
}  // namespace leafscore::internal
