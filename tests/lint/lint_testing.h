// tests/lint/lint_testing.h: small gold files, and the linter's findings in them.
#ifndef LEAFSCORE_TESTS_LINT_LINT_TESTING_H_
#define LEAFSCORE_TESTS_LINT_LINT_TESTING_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "io/io_test_util.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

using Ids = std::vector<std::string>;

class LintTest : public ::testing::Test {
 protected:
  // Each of `answers` is a file: a.jsonl, b.jsonl and so on.
  LintReport Lint(const Plan& plan, const std::string& gold, const std::vector<std::string>& answers = {}) {
    options_.files.gold = folder_ / "gold.jsonl";
    WriteFile(options_.files.gold, gold);
    options_.files.inputs.clear();
    for (const std::string& text : answers) {
      const char name = static_cast<char>('a' + options_.files.inputs.size());
      options_.files.inputs.push_back(folder_ / (std::string(1, name) + ".jsonl"));
      WriteFile(options_.files.inputs.back(), text);
    }
    return LintGold(plan, options_);
  }

  // Returns the findings of a kind, for this scorer and answer unless they are empty.
  static std::vector<LintFinding> Find(const LintReport& report, LintKind kind, std::string_view scorer = "",
                                       std::string_view answer = "") {
    std::vector<LintFinding> found;
    for (const LintFinding& finding : report.findings) {
      if (finding.kind == kind && (scorer.empty() || finding.scorer == scorer) &&
          (answer.empty() || finding.answer == answer)) {
        found.push_back(finding);
      }
    }
    return found;
  }

  // Checks that there is one finding of the kind, with this severity and these ids.
  static void ExpectIds(const LintReport& report, LintKind kind, LintSeverity severity, const Ids& ids) {
    const std::vector<LintFinding> found = Find(report, kind);
    ASSERT_EQ(found.size(), 1u) << LintKindName(kind);
    EXPECT_EQ(found[0].severity, severity) << LintKindName(kind);
    EXPECT_EQ(found[0].ids.first, ids) << LintKindName(kind);
    EXPECT_EQ(found[0].ids.count, ids.size()) << LintKindName(kind);
    EXPECT_NE(found[0].message, "");
    EXPECT_NE(found[0].advice, "");
  }

  // Returns the figures of an answer under a scorer; empty figures if it was not asked.
  static LintAnswer Figures(const LintReport& report, std::string_view answer, std::string_view scorer) {
    for (const LintAnswer& figures : report.answers) {
      if (figures.answer == answer && figures.scorer == scorer) return figures;
    }
    return {};
  }

  TempDir folder_;
  LintOptions options_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_TESTS_LINT_LINT_TESTING_H_
