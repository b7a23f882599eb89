#include <gtest/gtest.h>

#include <string>

#include "compare/example_comparison.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

std::string Latex(const Comparison& comparison) {
  return RenderComparison(comparison, {}, ComparisonFormat::kLatex);
}

TEST(ComparisonLatexTest, TablesBetweenRules) {
  const std::string text = Latex(ExampleComparison());
  EXPECT_TRUE(text.starts_with(
      "% regressed: exact_match went from 0.9000 to 0.8000, -0.1000 (95% interval -0.1500 to -0.0500, p "
      "<0.0001), over 1,100 records\n"
      "% needs \\usepackage{booktabs}\n"
      "\n% Scorers\n"
      "\\begin{tabular}{llrrrrrrr}\n"
      "\\toprule\n"
      "scorer & verdict & records & base & now & difference & 95\\% from & to & p (Holm) \\\\\n"
      "\\midrule\n"
      "exact\\_match & regressed & 1,100 & 0.9000 & 0.8000 & $-$0.1000 & $-$0.1500 & $-$0.0500 & "
      "\\textless{}0.0001 \\\\\n"
      "exact\\_match, passed & regressed & 1,100 & 0.9000 & 0.8000 & $-$0.1000 & $-$0.1500 & $-$0.0500 & "
      "\\textless{}0.0001 \\\\\n"
      "exact\\_match, pass\\textasciicircum{}3 & regressed & 1,100 & 0.9000 & 0.8000 & $-$0.1000 & $-$0.1500 "
      "& "
      "$-$0.0500 & \\textless{}0.0001 \\\\\n"
      "\\bottomrule\n"
      "\\end{tabular}\n"))
      << text;
  EXPECT_NE(text.find("\n% p-values are corrected by Holm within each family: 1 test of scorers, 2 tests of "
                      "groups; intervals are not corrected\n"),
            std::string::npos)
      << text;
}

TEST(ComparisonLatexTest, HostileTextsAreNoMarkup) {
  const std::string text = Latex(HostileComparison());
  EXPECT_EQ(FindInvalidUtf8(text), text.size());
  // A name ends no comment and begins none.
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (line.empty() || line[0] == '%') continue;
    for (std::size_t at = 0; (at = line.find_first_of("%#_~^", at)) != std::string::npos; ++at) {
      ASSERT_GT(at, 0u) << line;
      EXPECT_EQ(line[at - 1], '\\') << line;
    }
    EXPECT_TRUE(line[0] == '\\' || line.ends_with(" \\\\")) << line;
  }
}

}  // namespace
}  // namespace leafscore::internal
