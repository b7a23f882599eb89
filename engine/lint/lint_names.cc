// The names that outputs of the linter use.
#include <algorithm>
#include <string_view>

#include "leafscore/lint.h"

namespace leafscore {

std::string_view LintSeverityName(LintSeverity severity) {
  switch (severity) {
    case LintSeverity::kNote:
      return "note";
    case LintSeverity::kWarning:
      return "warning";
    case LintSeverity::kError:
      return "error";
  }
  return "unknown";
}

std::string_view LintKindName(LintKind kind) {
  switch (kind) {
    case LintKind::kUnreadableGold:
      return "unreadable_gold";
    case LintKind::kMissingId:
      return "missing_id";
    case LintKind::kMissingExpected:
      return "missing_expected";
    case LintKind::kRepeatedId:
      return "repeated_id";
    case LintKind::kContradictoryId:
      return "contradictory_id";
    case LintKind::kRepeatedQuestion:
      return "repeated_question";
    case LintKind::kContradictoryQuestion:
      return "contradictory_question";
    case LintKind::kConstantPath:
      return "constant_path";
    case LintKind::kRarePath:
      return "rare_path";
    case LintKind::kUnscorableGold:
      return "unscorable_gold";
    case LintKind::kGoldNotPerfect:
      return "gold_not_perfect";
    case LintKind::kNothingCompared:
      return "nothing_compared";
    case LintKind::kAbsentPath:
      return "absent_path";
    case LintKind::kEasyAnswer:
      return "easy_answer";
    case LintKind::kWideTolerance:
      return "wide_tolerance";
    case LintKind::kZeroThreshold:
      return "zero_threshold";
    case LintKind::kUnreadableAnswer:
      return "unreadable_answer";
    case LintKind::kAnswerWithoutGold:
      return "answer_without_gold";
    case LintKind::kUnansweredGold:
      return "unanswered_gold";
    case LintKind::kConstantAnswer:
      return "constant_answer";
    case LintKind::kNeverAnsweredPath:
      return "never_answered_path";
    case LintKind::kFailedByAll:
      return "failed_by_all";
    case LintKind::kPassedByAll:
      return "passed_by_all";
  }
  return "unknown";
}

std::uint64_t LintReport::Count(LintSeverity severity) const {
  return static_cast<std::uint64_t>(std::ranges::count(findings, severity, &LintFinding::severity));
}

}  // namespace leafscore
