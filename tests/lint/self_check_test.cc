#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class SelfCheckTest : public LintTest {};

TEST_F(SelfCheckTest, GoldMustScoreOneAgainstItself) {
  // An object without the path cannot be scored; a negated scorer fails what is right.
  const Plan plan = Plan::FromConfig(
      "scorers:\n"
      "  - {name: keyed, type: json_similarity, target_output_key: a}\n"
      "  - {name: not, type: exact_match, negated: true}\n");
  const LintReport report = Lint(plan,
                                 "{\"id\": 1, \"expected\": {\"a\": 1}}\n"
                                 "{\"id\": 2, \"expected\": {\"b\": 1}}\n");
  const auto unscorable = Find(report, LintKind::kUnscorableGold, "keyed");
  ASSERT_EQ(unscorable.size(), 1u);
  EXPECT_EQ(unscorable[0].severity, LintSeverity::kError);
  EXPECT_EQ(unscorable[0].ids.first, Ids({"2"}));
  const auto imperfect = Find(report, LintKind::kGoldNotPerfect, "not");
  ASSERT_EQ(imperfect.size(), 1u);
  EXPECT_EQ(imperfect[0].severity, LintSeverity::kError);
  EXPECT_EQ(imperfect[0].ids.first, Ids({"1", "2"}));
}

TEST_F(SelfCheckTest, GoldOfWhichNothingIsComparedIsAWarning) {
  const LintReport report = Lint(Plan({"json_similarity"}),
                                 "{\"id\": 1, \"expected\": {}}\n{\"id\": 2, \"expected\": {\"b\": 1}}\n");
  ExpectIds(report, LintKind::kNothingCompared, LintSeverity::kWarning, {"1"});
  // That any answer passes there is not told again for each.
  EXPECT_TRUE(Find(report, LintKind::kEasyAnswer, "", "empty_array").empty());
}

TEST_F(SelfCheckTest, PathsInOptionsThatLeadNowhereAreErrors) {
  const Plan plan = Plan::FromConfig(
      "scorers: [{type: field_accuracy, fields: [{path: total}, {path: totl}]}, {type: json_similarity, "
      "ignore_paths: [x.y]}]");
  const LintReport report = Lint(plan, "{\"id\": 1, \"expected\": {\"total\": 1}}\n");
  ASSERT_EQ(Find(report, LintKind::kAbsentPath).size(), 2u);
  EXPECT_EQ(Find(report, LintKind::kAbsentPath, "field_accuracy")[0].paths.first, Ids({"totl"}));
  EXPECT_EQ(Find(report, LintKind::kAbsentPath, "json_similarity")[0].paths.first, Ids({"x.y"}));
}

}  // namespace
}  // namespace leafscore::internal
