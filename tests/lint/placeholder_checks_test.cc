#include <gtest/gtest.h>

#include <string>

#include "engine/lint/checks.h"
#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class PlaceholderChecksTest : public LintTest {};

TEST_F(PlaceholderChecksTest, GoldThatIsNoneIsToldWithItsPaths) {
  const LintReport report =
      Lint(Plan({"json_similarity"}),
           "{\"id\": 1, \"expected\": null}\n"
           "{\"id\": 2, \"expected\": \"  \"}\n"
           "{\"id\": 3, \"expected\": \"N/A\"}\n"
           "{\"id\": 4, \"expected\": {\"a\": [{\"b\": \"TODO\"}, {\"b\": \"N/A\"}]}}\n"
           "{\"id\": 5, \"expected\": {\"a\": \"KeyError: 'x'\", \"c\": \"Error: 1\"}}\n"
           "{\"id\": 6, \"expected\": {\"error\": {\"code\": 429}}}\n"
           "{\"id\": 7, \"expected\": {\"a\": null, \"b\": \"\", \"c\": \"N/A\"}}\n"
           "{\"id\": 8, \"expected\": {\"a\": \"none\"}}\n"
           "{\"id\": 9, \"expected\": {\"error\": null}}\n");
  ExpectIds(report, LintKind::kEmptyGold, LintSeverity::kNote, {"1", "2"});
  ExpectIds(report, LintKind::kPlaceholderGold, LintSeverity::kWarning, {"3", "4"});
  EXPECT_EQ(Find(report, LintKind::kPlaceholderGold)[0].paths.first, Ids({"a[*].b"}));
  ExpectIds(report, LintKind::kErrorGold, LintSeverity::kWarning, {"5", "6"});
  EXPECT_EQ(Find(report, LintKind::kErrorGold)[0].paths.first, Ids({"a", "c"}));
}

TEST_F(PlaceholderChecksTest, WhereMostGoldIsEmptyItIsAWarning) {
  ExpectIds(
      Lint(
          Plan({"exact_match"}),
          "{\"id\": 1, \"expected\": null}\n{\"id\": 2, \"expected\": \"\"}\n{\"id\": 3, \"expected\": 1}\n"),
      LintKind::kEmptyGold, LintSeverity::kWarning, {"1", "2"});
}

}  // namespace
}  // namespace leafscore::internal
