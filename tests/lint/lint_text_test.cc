#include <gtest/gtest.h>

#include <string>

#include "leafscore/lint.h"

namespace leafscore::internal {
namespace {

LintReport SmallReport() {
  LintReport report;
  report.records = 1200;
  report.judged = 1199;
  LintFinding contradictory;
  contradictory.severity = LintSeverity::kError;
  contradictory.kind = LintKind::kContradictoryId;
  contradictory.ids = {11, {"a\x1b[31m", "b|c"}};
  contradictory.numbers = {{"records", 11}};
  contradictory.message = "They contradict.";
  contradictory.advice = "Keep one.";
  LintFinding easy;
  easy.severity = LintSeverity::kWarning;
  easy.kind = LintKind::kEasyAnswer;
  easy.scorer = "s|t";
  easy.answer = "null";
  easy.paths = {1, {"x.y"}};
  easy.numbers = {{"mean", 0.25}};
  easy.message = "It passes \xE2\x80\xAE.";
  easy.advice = "Do not.";
  report.findings = {contradictory, easy};
  report.answers = {{"null", "s|t", 1199, 1198, 600, 600, 0.25}};
  report.judges_not_asked = {"judge"};
  return report;
}

TEST(LintText, TheVerdictIsTheFirstLine) {
  LintReport report = SmallReport();
  const auto first_line = [&] {
    const std::string text = RenderLint(report, LintFormat::kTable);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(first_line(), "unfit: 1 error, 1 warning, 0 notes in 1,200 gold records (1,199 can be judged)");
  report.findings.erase(report.findings.begin());
  EXPECT_EQ(first_line(),
            "doubtful: 0 errors, 1 warning, 0 notes in 1,200 gold records (1,199 can be judged)");
  report.findings[0].severity = LintSeverity::kNote;
  EXPECT_EQ(first_line(), "fine: 0 errors, 0 warnings, 1 note in 1,200 gold records (1,199 can be judged)");
}

TEST(LintText, TableShowsWhatCannotBeSeenAsEscapes) {
  EXPECT_EQ(RenderLint(SmallReport(), LintFormat::kTable),
            "unfit: 1 error, 1 warning, 0 notes in 1,200 gold records (1,199 can be judged)\n"
            "\n"
            "error: contradictory_id\n"
            "  They contradict.\n"
            "  -> Keep one.\n"
            "  ids: a\\u001B[31m, b|c, ... (11 in all)\n"
            "\n"
            "warning: easy_answer (s|t, null)\n"
            "  It passes \xEF\xBF\xBD.\n"
            "  -> Do not.\n"
            "  paths: x.y\n"
            "\n"
            "What easy answers get:\n"
            "scorer  answer  asked  scored    mean  passed  passed wrongly\n"
            "s|t     null    1,199   1,198  0.2500     600             600\n"
            "\n"
            "Not asked, as each answer would run a program (--ask-judges): judge\n");
}

TEST(LintText, ANarrowTerminalDoesWithoutTheScoredIfAllAre) {
  LintReport report = SmallReport();
  EXPECT_EQ(RenderLint(report, LintFormat::kTable, 40), RenderLint(report, LintFormat::kTable));
  report.answers[0].scored = report.answers[0].asked;
  const std::string text = RenderLint(report, LintFormat::kTable, 40);
  EXPECT_NE(text.find("\nscorer  answer  asked    mean  passed  passed wrongly\n"), std::string::npos)
      << text;
}

TEST(LintText, WhatIsAcceptedIsShownAndDoesNotCount) {
  LintReport report = SmallReport();
  report.findings[0].accepted = true;
  report.findings[1].accepted = true;
  report.accepted_not_found = {"rare_path"};
  const std::string text = RenderLint(report, LintFormat::kTable);
  EXPECT_TRUE(text.starts_with(
      "fine: 0 errors, 0 warnings, 0 notes, 2 accepted in 1,200 gold records (1,199 can be judged)\n"))
      << text;
  EXPECT_NE(text.find("\nerror (accepted): contradictory_id\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nAccepted (--accept), but not found: rare_path\n"), std::string::npos) << text;
  const std::string page = RenderLint(report, LintFormat::kMarkdown);
  EXPECT_NE(page.find("| warning (accepted) | easy\\_answer |"), std::string::npos) << page;
  const std::string json = RenderLint(report, LintFormat::kJson);
  EXPECT_NE(json.find("\"accepted\": 2,"), std::string::npos) << json;
  EXPECT_NE(json.find("\"accepted\": true,"), std::string::npos) << json;
}

TEST(LintText, MarkdownHoldsNoMarkupOfTheData) {
  const std::string text = RenderLint(SmallReport(), LintFormat::kMarkdown);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "**unfit**: 1 error, 1 warning, 0 notes in 1,200 gold records (1,199 can be judged)");
  EXPECT_NE(text.find("b\\|c"), std::string::npos) << text;
  EXPECT_NE(text.find("| s\\|t, null |"), std::string::npos) << text;
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos);
}

TEST(LintText, JsonHasEveryNumber) {
  EXPECT_EQ(RenderLint(SmallReport(), LintFormat::kJson), R"({
  "verdict": "unfit",
  "errors": 1,
  "warnings": 1,
  "notes": 0,
  "accepted": 0,
  "records": 1200,
  "judged": 1199,
  "findings": [
    {
      "severity": "error",
      "kind": "contradictory_id",
      "accepted": false,
      "ids": {
        "count": 11,
        "first": [
          "a\u001b[31m",
          "b|c"
        ]
      },
      "numbers": {
        "records": 11
      },
      "message": "They contradict.",
      "advice": "Keep one."
    },
    {
      "severity": "warning",
      "kind": "easy_answer",
      "accepted": false,
      "scorer": "s|t",
      "answer": "null",
      "paths": {
        "count": 1,
        "first": [
          "x.y"
        ]
      },
      "numbers": {
        "mean": 0.25
      },
      "message": "It passes )"
                                                          "\xE2\x80\xAE"
                                                          R"(.",
      "advice": "Do not."
    }
  ],
  "answers": [
    {
      "scorer": "s|t",
      "answer": "null",
      "asked": 1199,
      "scored": 1198,
      "passed": 600,
      "wrong_passed": 600,
      "mean": 0.25
    }
  ],
  "judges_not_asked": [
    "judge"
  ],
  "accepted_not_found": []
}
)");
}

}  // namespace
}  // namespace leafscore::internal
