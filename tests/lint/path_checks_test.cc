#include <gtest/gtest.h>

#include <string>

#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class PathChecksTest : public LintTest {};

TEST_F(PathChecksTest, LeavesThatNeverVaryAreToldWithWhatTheyEarn) {
  // Half of all leaves are the same everywhere: an answer of them alone is half right.
  std::string gold;
  for (int i = 0; i < 4; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": {\"unit\": \"kg\", \"rows\": [{\"c\": 1, \"d\": \"" +
            "abcd"[i] + std::string("\"}], \"n\": ") + (n + n) + "}}\n";
  }
  const LintReport report = Lint(Plan({"json_similarity", "exact_match"}), gold);
  const auto found = Find(report, LintKind::kConstantPath);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kWarning);
  EXPECT_EQ(found[0].paths.first, Ids({"unit", "rows[*].c"}));
  EXPECT_EQ(found[0].scorer, "json_similarity");
  ASSERT_EQ(found[0].numbers.size(), 2u);
  EXPECT_EQ(found[0].numbers[0], std::pair(std::string("share_of_leaves"), 0.5));
  EXPECT_EQ(found[0].numbers[1], std::pair(std::string("mean"), 0.5));
  EXPECT_EQ(Figures(report, "constant_leaves", "exact_match").mean, 0.0);
}

TEST_F(PathChecksTest, ASubtreeInOneOfAHundredRecordsIsToldByItsRoot) {
  std::string gold;
  for (int i = 0; i < 100; ++i) {
    const std::string n = std::to_string(i);
    gold += "{\"id\": " + n + ", \"expected\": {\"total\": " + n + (i == 7 ? ", \"totl\": {\"x\": 1}" : "") +
            "}}\n";
  }
  const LintReport report = Lint(Plan({"json_similarity"}), gold);
  const auto found = Find(report, LintKind::kRarePath);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].severity, LintSeverity::kNote);
  EXPECT_EQ(found[0].paths.first, Ids({"totl"}));
}

}  // namespace
}  // namespace leafscore::internal
