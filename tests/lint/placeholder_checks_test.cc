#include <gtest/gtest.h>

#include <string>

#include "engine/lint/checks.h"
#include "leafscore/leafscore.h"
#include "lint/lint_testing.h"

namespace leafscore::internal {
namespace {

class PlaceholderChecksTest : public LintTest {};

TEST_F(PlaceholderChecksTest, TextsThatStandForAValueAreKnown) {
  for (const char* text : {"TODO", " todo ", "TODO: ask", "FIXME", "tbd", "Lorem ipsum dolor"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kPlaceholder) << text;
  }
  for (const char* text : {"N/A", "n.a.", "NaN", "null", "undefined"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kNoValue) << text;
  }
  for (const char* text :
       {"Traceback (most recent call last):\n  File", "Error: 500", "ValueError: no",
        "openai.RateLimitError: slow down", "HTTPError: 404", "ERROR: no", "HTTP 429",
        "503 Service Unavailable", "HTTP 500 Internal Server Error", "HTTP 503: try later",
        "HTTP Error 404: Not Found", "HTTP error occurred: 500", "HTTP error", "I'm sorry, I can't do that.",
        "I\xE2\x80\x99m sorry, but I can\xE2\x80\x99t help"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kError) << text;
  }
  EXPECT_EQ(SenseOf(" \n"), TextSense::kBlank);
  EXPECT_EQ(SenseOf(""), TextSense::kBlank);
  for (const char* text :
       {"none", "NA", "No", "todos", "Todo list of Anna", "error", "Terror: a history", "The error: a fuse",
        "An error: none", "HTTP 404", "I'm sorry to hear that", "nanometre", "Nanny", "HTTP", "HTTP 4290",
        "HTTP 500 ml bottle", "HTTP errors are common", "StandardError: 0.3", "NoError: fine"}) {
    EXPECT_EQ(SenseOf(text), TextSense::kValue) << text;
  }
}

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
