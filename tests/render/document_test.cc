#include "engine/render/document.h"

#include <gtest/gtest.h>

#include <string>

namespace leafscore::internal {
namespace {

Document Example() {
  return {.headline = "regressed: a_b",
          .sections = {{.title = "Scorers",
                        .table = {.rows = {{"name", "-x"}, {"*m", "-0.5"}, {"ids", "2"}},
                                  .foot_rows = 1,
                                  .bold = {{1, 1}},
                                  .plain_mark = "+"},
                        .items = {{0, "one"}, {1, "- two"}},
                        .notes = {"First\nsecond"}},
                       {.title = "Notes", .items = {{0, "a|b"}}, .items_in_latex = true},
                       {.title = "A list", .items = {{0, "item"}}},
                       {.notes = {"the end"}}}};
}

TEST(Document, AsText) {
  EXPECT_EQ(RenderText(Example()),
            "regressed: a_b\n"
            "\n"
            "Scorers\n"
            "name     -x\n"
            "*m    +-0.5\n"
            "ids       2\n"
            "  one\n"
            "    - two\n"
            "\n"
            "First\n"
            "second\n"
            "\n"
            "Notes\n"
            "  a|b\n"
            "\n"
            "A list\n"
            "  item\n"
            "\n"
            "the end\n");
}

TEST(Document, IdleColumnsYieldOnANarrowTerminal) {
  const Document document{
      .sections = {
          {.table = {.rows = {{"name", "all", "same", "best"}, {"m", "1", "1", "2"}, {"n", "3", "3", "4"}},
                     .bold = {{2, 3}},
                     .plain_mark = "*",
                     .idle = {1, 2}}}}};
  const std::string whole =
      "name  all  same  best\n"
      "m       1     1     2\n"
      "n       3     3    *4\n";
  EXPECT_EQ(RenderText(document), whole);
  EXPECT_EQ(RenderText(document, false, 21), whole);
  EXPECT_EQ(RenderText(document, false, 20),
            "name  best\n"
            "m        2\n"
            "n       *4\n"
            "(left out, as they add nothing here: all, same)\n");
}

TEST(Document, AsMarkdown) {
  EXPECT_EQ(RenderMarkdown(Example()),
            "## regressed: a\\_b\n"
            "\n"
            "### Scorers\n"
            "\n"
            "| name | -x |\n"
            "|---|---:|\n"
            "| \\*m | **-0.5** |\n"
            "| ids | 2 |\n"
            "\n"
            "- one\n"
            "  - \\- two\n"
            "\n"
            "First second\n"
            "\n"
            "### Notes\n"
            "\n"
            "- a\\|b\n"
            "\n"
            "### A list\n"
            "\n"
            "- item\n"
            "\n"
            "the end\n");
}

// A number has a minus, where a name or title keeps its hyphen. What is no table or note is left out.
TEST(Document, AsLatex) {
  EXPECT_EQ(RenderLatex(Example()),
            "% regressed: a_b\n"
            "% needs \\usepackage{booktabs}\n"
            "\n"
            "% Scorers\n"
            "\\begin{tabular}{lr}\n"
            "\\toprule\n"
            "name & -x \\\\\n"
            "\\midrule\n"
            "{*}m & \\textbf{$-$0.5} \\\\\n"
            "\\midrule\n"
            "ids & 2 \\\\\n"
            "\\bottomrule\n"
            "\\end{tabular}\n"
            "\n"
            "% First\n"
            "% second\n"
            "\n"
            "% a|b\n"
            "\n"
            "% the end\n");
}

TEST(Document, WithoutAHeadlineBeginsWithItsFirstSection) {
  const Document document{.sections = {{.title = "a", .table = {.rows = {{"b"}, {"c"}}}}, {.notes = {"d"}}}};
  EXPECT_EQ(RenderText(document), "a\nb\nc\n\nd\n");
  EXPECT_EQ(RenderMarkdown(document), "### a\n\n| b |\n|---|\n| c |\n\nd\n");
  EXPECT_TRUE(RenderLatex(document).starts_with("% Needs \\usepackage{booktabs}, "));
  EXPECT_TRUE(
      RenderLatex(document).ends_with("scripts.\n% a\n\\begin{tabular}{l}\n\\toprule\nb \\\\\n\\midrule\nc "
                                      "\\\\\n\\bottomrule\n\\end{tabular}\n"
                                      "\n% d\n"));
}

TEST(TextTable, IsAlignedByTheColumnsThatATerminalShows) {
  std::string text;
  AppendTextTable({.rows = {{"model", "mean"}, {"模型", "0.5"}, {"👍🏽-e\u0301", "1"}}}, text);
  EXPECT_EQ(text,
            "model  mean\n"
            "模型    0.5\n"
            "👍🏽-e\u0301      1\n");
}

}  // namespace
}  // namespace leafscore::internal
