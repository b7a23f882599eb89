#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "compare/example_comparison.h"
#include "engine/base/utf8.h"
#include "engine/compare/comparison_formats.h"

namespace leafscore::internal {
namespace {

TEST(ComparisonMarkdownTest, HeadingsTablesAndLists) {
  const std::string text = RenderComparison(ExampleComparison(), ExampleGates(), ComparisonFormat::kMarkdown);
  EXPECT_TRUE(
      text.starts_with("## regressed: exact\\_match went from 0.9000 to 0.8000, -0.1000 (95% interval "
                       "-0.1500 to -0.0500, p \\<0.0001), over 1,100 records; 1 of 2 gates failed\n"
                       "\n### Failed gates\n\n"
                       "- max-drop 0.05, exact\\_match: the mean fell by up to 0.15\n"
                       "\n### Files\n\n"
                       "- base: base.jsonl\n"
                       "- new: new.jsonl: regressed, 1,100 records compared\n"
                       "  - 12 ids in the base only, 0 in the new file: a, b, …\n"
                       "\n### Scorers\n\n"
                       "| scorer | verdict | records | base | now | difference | 95% from | to | p (Holm) |\n"
                       "|---|---|---:|---:|---:|---:|---:|---:|---:|\n"
                       "| exact\\_match | regressed | 1,100 | 0.9000 | 0.8000 | -0.1000 | -0.1500 | "
                       "-0.0500 | \\<0.0001 |\n"
                       "| exact\\_match, passed | regressed | 1,100 | 0.9000 | 0.8000 | -0.1000 | -0.1500 | "
                       "-0.0500 | \\<0.0001 |\n"
                       "| exact\\_match, pass^3 | regressed | 1,100 | 0.9000 | 0.8000 | -0.1000 | -0.1500 | "
                       "-0.0500 | \\<0.0001 |\n"
                       "\n- exact\\_match: 30% of the noise"))
      << text;
  EXPECT_NE(text.find("\n- record inv-7 of extract: 1.0000 (scored, passed) to 0.5000 (scored, failed)\n"
                      "  - field items\\[2\\].price: 1.0000 to 0.0000\n"
                      "    - base, as expected: \"12.\\[-5-\\]0\"\n"
                      "    - now: \"12.\\{+6+\\}0\"\n"),
            std::string::npos)
      << text;
}

// A step of GitHub Actions had 299 lines for two scorers, of which 210 were fields of the worst records.
TEST(ComparisonStepSummaryTest, HasFewerThan60LinesWhateverIsCompared) {
  Comparison comparison = ExampleComparison();
  FileComparison& file = comparison.files[0];
  file.scorers.assign(20, file.scorers[0]);
  for (ScorerComparison& scorer : file.scorers) {
    scorer.worst.assign(50, scorer.worst[0]);
    scorer.fields.assign(40, scorer.fields[0]);
    scorer.groups.assign(40, scorer.all);
  }
  const std::string text = ComparisonStepSummary(comparison, ExampleGates(), kMaxMarkdownBytes);
  EXPECT_LT(std::ranges::count(text, '\n'), 60) << text;
  EXPECT_TRUE(text.starts_with("## regressed\n\nexact\\_match went from 0.9000 to 0.8000, ")) << text;
  EXPECT_NE(text.find("\n### Failed gates\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n### Scorers\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\nIn short; `leafscore compare` prints all of it.\n")) << text;
}

TEST(ComparisonStepSummaryTest, TellsRecordsWithoutTheirFieldsAndStaysWithinItsBytes) {
  const Comparison comparison = ExampleComparison();
  const std::string text = ComparisonStepSummary(comparison, {}, kMaxMarkdownBytes);
  EXPECT_NE(text.find("- record inv-7 of extract: 1.0000 (scored, passed) to 0.5000 (scored, failed)\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("field items"), std::string::npos) << text;
  for (const std::size_t max_bytes : std::initializer_list<std::size_t>{0, 10, 100, 500}) {
    EXPECT_LE(ComparisonStepSummary(comparison, {}, max_bytes).size(), max_bytes);
  }
}

// An F1 is no sum over fields: a table told 0.0000 of each of them, and all of the change as "elsewhere".
TEST(ComparisonMarkdownTest, FieldsWithoutSharesHaveNoTable) {
  Comparison comparison = ExampleComparison();
  ScorerComparison& scorer = comparison.files[0].scorers[0];
  for (ComparedRow& field : scorer.fields) field.contribution = 0;
  scorer.outcomes.clear();
  scorer.elsewhere = scorer.all.mean.difference;
  EXPECT_EQ(ComparisonMarkdown(comparison, {}).find("where it went"), std::string::npos);
}

TEST(ComparisonMarkdownTest, StaysWithinOneMebibyte) {
  Comparison comparison = ExampleComparison();
  ScorerComparison& scorer = comparison.files[0].scorers[0];
  scorer.worst.assign(100'000, scorer.worst[0]);
  const std::string text = RenderComparison(comparison, {}, ComparisonFormat::kMarkdown);
  EXPECT_LT(text.size(), 1u << 20);
  EXPECT_EQ(text.find("records that fell most\n"), text.find("the records that fell most\n") + 4);
  EXPECT_NE(text.find("\nLeft out, to stay short enough: the records that fell most\n"), std::string::npos);
  EXPECT_NE(text.find(": where it went\n"), std::string::npos);
}

// At each length one part more is left out, and the text is never longer.
TEST(ComparisonMarkdownTest, LeavesOutWorstRecordsThenWhereItWentThenGroupsThenTheRest) {
  const Comparison comparison = ExampleComparison();
  const auto render = [&](std::size_t max_bytes) {
    const std::string text = ComparisonMarkdown(comparison, {}, max_bytes);
    EXPECT_LE(text.size(), max_bytes);
    return text;
  };
  const std::string whole = render(1 << 20);
  EXPECT_EQ(render(whole.size()), whole);
  const std::string no_worst = render(whole.size() - 1);
  EXPECT_NE(no_worst.find("short enough: the records that fell most\n"), std::string::npos);
  EXPECT_EQ(no_worst.find("inv-7"), std::string::npos);
  const std::string no_where = render(no_worst.size() - 1);
  EXPECT_NE(no_where.find(" most, where the change went\n"), std::string::npos);
  EXPECT_EQ(no_where.find("price"), std::string::npos);
  const std::string no_groups = render(no_where.size() - 1);
  EXPECT_NE(no_groups.find(" went, groups\n"), std::string::npos);
  EXPECT_EQ(no_groups.find("| extract |"), std::string::npos);
  const std::string cut = render(no_groups.size() - 1);
  EXPECT_TRUE(cut.starts_with("## regressed: "));
  EXPECT_TRUE(cut.ends_with("\n\nThe rest is left out, to stay short enough.\n")) << cut;
  EXPECT_EQ(render(60), "\nThe rest is left out, to stay short enough.\n");
  EXPECT_EQ(render(10), "");
}

TEST(ComparisonMarkdownTest, HostileTextsAreNoMarkup) {
  std::string text = RenderComparison(HostileComparison(), HostileGates(), ComparisonFormat::kMarkdown);
  EXPECT_EQ(FindInvalidUtf8(text), text.size());
  EXPECT_EQ(text.find("\uFFFE"), std::string::npos);
  for (const std::string own : {"<span>", "</span>"}) {
    for (std::size_t at = 0; (at = text.find(own, at)) != std::string::npos;) text.erase(at, own.size());
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  for (std::size_t at = 0; (at = text.find_first_of("<`*_", at)) != std::string::npos; ++at) {
    ASSERT_GT(at, 0u);
    EXPECT_EQ(text[at - 1], '\\') << text.substr(at - 1, 40);
  }
}

}  // namespace
}  // namespace leafscore::internal
