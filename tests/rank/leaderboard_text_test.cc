#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "rank/board_testing.h"

namespace leafscore::internal {
namespace {

class LeaderboardTextTest : public BoardTest {
 protected:
  std::vector<LeaderboardRow> rows_ =
      Rank({{"a|b", Scored("1", 1, kPassed) + Scored("1", 0.5, "", "t")},
            {"c,\"d\x1b", Scored("1", 0.5, kFailed) + Unscored("2", "error")}},
           {.min_share = 0});
};

TEST_F(LeaderboardTextTest, Table) {
  EXPECT_EQ(
      RenderLeaderboard(rows_, LeaderboardFormat::kTable),
      "s\n"
      "model       rank  95% from  to  p (next)  asked  scored  errors  lacking  own  coverage  over all "
      "    ±se    pass  95% from      to  over scored  pass scored    than next   tied with\n"
      "a|b            1         1   2    1.0000      2       1       0        1    0    0.5000    0.5000 "
      " 0.5000  0.5000    0.0945  0.9055       1.0000       1.0000  cannot tell  c,\"d\\u001B\n"
      "c,\"d\\u001B     2         1   2         -      2       1       1        0    1    0.5000    0.2500 "
      " 0.2500  0.0000    0.0000  0.6576       0.5000       0.0000            -         a|b\n"
      "\n"
      "t\n"
      "model  rank  asked  scored  coverage  over all  over scored\n"
      "a|b       1      1       1    1.0000    0.5000       0.5000\n");
}

TEST_F(LeaderboardTextTest, ANarrowTerminalGetsNoColumnsThatRepeatOthers) {
  EXPECT_EQ(RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kTable, 40),
            "t\n"
            "model  rank  asked  over all\n"
            "a|b       1      1    0.5000\n"
            "(left out, as they add nothing here: scored, coverage, over scored)\n");
  EXPECT_EQ(RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kTable, 59),
            RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kTable));
  const std::string some_unscored =
      RenderLeaderboard(std::span(rows_).first(2), LeaderboardFormat::kTable, 40);
  EXPECT_EQ(some_unscored, RenderLeaderboard(std::span(rows_).first(2), LeaderboardFormat::kTable));
}

TEST_F(LeaderboardTextTest, Markdown) {
  EXPECT_EQ(RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kMarkdown),
            "### t\n\n"
            "| model | rank | asked | scored | coverage | over all | over scored |\n"
            "|---|---:|---:|---:|---:|---:|---:|\n"
            "| a\\|b | 1 | 1 | 1 | 1.0000 | 0.5000 | 0.5000 |\n");
}

TEST_F(LeaderboardTextTest, Csv) {
  const std::string csv = RenderLeaderboard(rows_, LeaderboardFormat::kCsv);
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "scorer,model,tied_with,rank,rank_low,rank_high,p_next,asked,samples,scored,unreadable,unanswered,"
      "errors,nothing_compared,of_other_kind,unexpected_share,lacking,own,repeated,not_asked,not_common,"
      "clusters,coverage,common_ids,share_"
      "ids,share_of,over_all_mean,over_all_standard_error,over_"
      "all_pass_rate,"
      "over_all_pass_rate_low,over_all_pass_rate_high,over_scored_mean,over_scored_standard_error,"
      "over_scored_pass_rate,over_scored_precision,over_scored_recall,over_scored_f1,cause_name,cause_ids,"
      "cause_share,cause_mean_without,"
      "fields_true_positives,fields_false_positives,fields_false_negatives,fields_true_negatives,"
      "fields_precision,fields_recall,fields_f1,than_next,passes_less,verified");
  EXPECT_NE(
      csv.find("\ns,\"c,\"\"d\\u001B\",a|b,2,1,2,,2,,1,0,0,1,0,0,0,0,1,0,0,0,,0.5,,2,2,0.25,0.25,0,0,0.6576"),
      std::string::npos)
      << csv;
  EXPECT_NE(
      csv.find("\nt,a|b,,1,,,,1,,1,0,0,0,0,0,0,0,,0,0,0,,1,,1,1,0.5,,,,,0.5,,,,,,,,,,,,,,,,,,false,true\n"),
      std::string::npos)
      << csv;
}

TEST_F(LeaderboardTextTest, Json) {
  EXPECT_EQ(
      RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kJson),
      "[\n  {\"scorer\": \"t\", \"model\": \"a|b\", \"tied_with\": [], \"rank\": 1, \"rank_low\": null, "
      "\"rank_high\": null, \"p_next\": null, \"asked\": 1, \"samples\": null, \"scored\": 1, "
      "\"unreadable\": 0, \"unanswered\": 0, \"errors\": 0, \"nothing_compared\": 0, \"of_other_kind\": 0, "
      "\"unexpected_share\": 0, \"lacking\": 0, "
      "\"own\": null, \"repeated\": 0, "
      "\"not_asked\": 0, \"not_common\": 0, \"clusters\": null, \"coverage\": 1, \"common_ids\": null, "
      "\"share\": {\"ids\": 1, \"of\": 1}, \"over_all\": {\"mean\": 0.5, "
      "\"standard_error\": null, \"pass_rate\": null, "
      "\"pass_rate_low\": null, \"pass_rate_high\": null}, \"over_scored\": {\"mean\": 0.5, "
      "\"standard_error\": null, \"pass_rate\": null, \"precision\": null, \"recall\": null, \"f1\": null}, "
      "\"cause\": {\"name\": null, \"ids\": null, \"share\": null, \"mean_without\": null}, "
      "\"fields\": {\"true_positives\": null, \"false_positives\": null, \"false_negatives\": null, "
      "\"true_negatives\": null, \"precision\": null, \"recall\": null, \"f1\": null}, "
      "\"than_next\": null, \"passes_less\": false, \"verified\": true, \"causes\": []}\n]\n");
}

TEST_F(LeaderboardTextTest, JsonHasAllCauses) {
  const std::string text = RenderLeaderboard(
      Rank({{"m", Scored("1", 1) + Scored("2", 0.25, R"(, "causes": ["fenced", "missing"])") +
                      Scored("3", 0, R"(, "causes": ["fenced"])") + Scored("4", 0.75)}}),
      LeaderboardFormat::kJson);
  EXPECT_NE(text.find("\"causes\": [{\"name\": \"fenced\", \"ids\": 2, \"share\": 0.5, "
                      "\"mean_without\": 0.875, \"cost\": 0.375}, {\"name\": \"missing\", \"ids\": 1, "
                      "\"share\": 0.25, \"mean_without\": 0.5833333333333334, "
                      "\"cost\": 0.08333333333333337}]}"),
            std::string::npos)
      << text;
}

// Of id 1 one of two samples passes; id 2 has one sample, which passes.
TEST_F(LeaderboardTextTest, PassAmongKHasAColumnForEachK) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"m", Scored("1", 1, kPassed) + Scored("1", 0, kFailed) + Scored("2", 1, kPassed)}},
           {.repeats = Repeats::kAll, .pass_k = {1, 2}});
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kTable);
  EXPECT_NE(table.find("  pass@1  pass@2  pass^1  pass^2  ids under 2\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  0.7500  1.0000  0.7500  0.0000            1\n"), std::string::npos) << table;
  const std::string json = RenderLeaderboard(rows, LeaderboardFormat::kJson);
  EXPECT_NE(json.find("\"pass_at\": {\"1\": 0.75, \"2\": 1}, \"pass_hat\": {\"1\": 0.75, \"2\": 0}, "
                      "\"short_ids\": {\"1\": 0, \"2\": 1}, \"than_next\": null, "),
            std::string::npos)
      << json;
  const std::string csv = RenderLeaderboard(rows, LeaderboardFormat::kCsv);
  EXPECT_NE(csv.find(",pass_at_1,pass_at_2,pass_hat_1,pass_hat_2,short_ids_1,short_ids_2,than_next,"),
            std::string::npos);
  EXPECT_NE(csv.find(",0.75,1,0.75,0,0,1,,false,true\n"), std::string::npos) << csv;
}

TEST_F(LeaderboardTextTest, RanksOverDifferentQuestionsSaySo) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"file", Scored("1", 1, ", \"model\": \"x\"") + Scored("2", 0, ", \"model\": \"y\"")}},
           {.by = "model"});
  EXPECT_EQ(RenderLeaderboard(rows, LeaderboardFormat::kTable),
            "s\n"
            "model  asked  scored  own  coverage  over all  over scored\n"
            "x          1       1    1    1.0000    1.0000       1.0000\n"
            "y          1       1    1    1.0000    0.0000       0.0000\n"
            "\nNot ranked, as too few ids are common: x, lines for 1 of 2 ids; y, lines for 1 of 2 ids\n");
  const std::string json = RenderLeaderboard(rows, LeaderboardFormat::kJson);
  EXPECT_NE(json.find("\"model\": \"x\", \"tied_with\": [], \"rank\": null, "), std::string::npos) << json;
  EXPECT_NE(json.find("\"lacking\": null, \"own\": 1, "), std::string::npos) << json;
  const std::string csv = RenderLeaderboard(rows, LeaderboardFormat::kCsv);
  EXPECT_NE(csv.find("\ns,x,,,,,,1,,1,0,0,0,0,0,0,,1,0,0,0,,1,,1,2,1,"), std::string::npos) << csv;
}

TEST_F(LeaderboardTextTest, ModelsThatLookAlikeAreSpelledOut) {
  const std::vector<LeaderboardRow> rows =
      Rank({{"gpt-4o", Scored("1", 1)}, {"gpt-4\u043E", Scored("1", 0)}, {"gpt\u200B-4o", Scored("1", 0)}});
  const std::string table = RenderLeaderboard(rows, LeaderboardFormat::kTable);
  EXPECT_NE(table.find("\ngpt\\u200B-4o  "), std::string::npos) << table;
  EXPECT_TRUE(table.ends_with("\nThese names look alike but differ: \"gpt-4o\", \"gpt-4\\u043E\"\n"))
      << table;
  EXPECT_TRUE(
      RenderLeaderboard(rows, LeaderboardFormat::kMarkdown).ends_with("\"gpt-4o\", \"gpt-4\\\\u043E\"\n"));
}

TEST_F(LeaderboardTextTest, LatexIsATableOfBooktabs) {
  EXPECT_EQ(
      RenderLeaderboard(std::span(rows_).subspan(2), LeaderboardFormat::kLatex),
      "% Needs \\usepackage{booktabs}, and LuaLaTeX or XeLaTeX with a font for names in other scripts.\n"
      "% t\n"
      "\\begin{tabular}{lrrrrrr}\n"
      "\\toprule\n"
      "model & rank & asked & scored & coverage & over all & over scored \\\\\n"
      "\\midrule\n"
      "a\\textbar{}b & 1 & 1 & 1 & 1.0000 & 0.5000 & 0.5000 \\\\\n"
      "\\bottomrule\n"
      "\\end{tabular}\n");
}

// A note of several lines stays a comment, and what a model is named is no command.
TEST_F(LeaderboardTextTest, LatexHoldsNoMarkupOfNames) {
  const std::vector<LeaderboardRow> rows = Rank({{"a%b", Scored("1", 1)},
                                                 {"a%\u0430", Scored("1", 0)},
                                                 {"a%a", Scored("1", 0)},
                                                 {"\\input{x}", Scored("1", 0)},
                                                 {"\u0430", Scored("1", 0)},
                                                 {"a", Scored("1", 0)}});
  const std::string latex = RenderLeaderboard(rows, LeaderboardFormat::kLatex);
  EXPECT_NE(latex.find("\n\\textbackslash{}input\\{x\\} & 2 & "), std::string::npos) << latex;
  EXPECT_TRUE(
      latex.ends_with("\n\n% These names look alike but differ: \"a\", \"\\u0430\"\n"
                      "% These names look alike but differ: \"a%a\", \"a%\\u0430\"\n"))
      << latex;
}

// All eight ids tell `c` from `a`: p is 2 / 256. Four of eight do not tell `b`: 2 / 16.
TEST_F(LeaderboardTextTest, TheBestAndWhatNoTestTellsFromItAreBold) {
  const std::vector<ModelFile> files = {{"a", ScoresFrom0({1, 1, 1, 1, 1, 1, 1, 1})},
                                        {"b", ScoresFrom0({1, 1, 1, 1, 0, 0, 0, 0})},
                                        {"c", ScoresFrom0({0, 0, 0, 0, 0, 0, 0, 0})}};
  const std::vector<LeaderboardRow> tested = Rank(files, {.mark_best = true});
  const std::string markdown = RenderLeaderboard(tested, LeaderboardFormat::kMarkdown);
  EXPECT_NE(markdown.find(" | **1.0000** | "), std::string::npos) << markdown;
  EXPECT_NE(markdown.find(" | **0.5000** | "), std::string::npos) << markdown;
  EXPECT_EQ(markdown.find("**0.0000**"), std::string::npos) << markdown;
  const std::string latex = RenderLeaderboard(tested, LeaderboardFormat::kLatex);
  EXPECT_NE(latex.find(" & \\textbf{0.5000} & "), std::string::npos) << latex;
  EXPECT_EQ(RenderLeaderboard(tested, LeaderboardFormat::kTable),
            RenderLeaderboard(Rank(files), LeaderboardFormat::kTable));
  const std::string untested = RenderLeaderboard(Rank(files), LeaderboardFormat::kMarkdown);
  EXPECT_NE(untested.find(" | **1.0000** | "), std::string::npos) << untested;
  EXPECT_EQ(untested.find("**0.5000**"), std::string::npos) << untested;
}

}  // namespace
}  // namespace leafscore::internal
