#include "engine/lint/lint_names.h"

#include <algorithm>
#include <string_view>

#include "engine/base/choices.h"
#include "leafscore/lint.h"

namespace leafscore {

namespace internal {
namespace {

constexpr NamedChoice<LintKind> kLintKinds[] = {
    {"unreadable_gold", LintKind::kUnreadableGold},
    {"missing_id", LintKind::kMissingId},
    {"missing_expected", LintKind::kMissingExpected},
    {"repeated_id", LintKind::kRepeatedId},
    {"contradictory_id", LintKind::kContradictoryId},
    {"similar_id", LintKind::kSimilarId},
    {"repeated_question", LintKind::kRepeatedQuestion},
    {"contradictory_question", LintKind::kContradictoryQuestion},
    {"constant_path", LintKind::kConstantPath},
    {"rare_path", LintKind::kRarePath},
    {"empty_gold", LintKind::kEmptyGold},
    {"placeholder_gold", LintKind::kPlaceholderGold},
    {"error_gold", LintKind::kErrorGold},
    {"invalid_gold", LintKind::kInvalidGold},
    {"lone_record", LintKind::kLoneRecord},
    {"unscorable_gold", LintKind::kUnscorableGold},
    {"gold_not_perfect", LintKind::kGoldNotPerfect},
    {"nothing_compared", LintKind::kNothingCompared},
    {"absent_path", LintKind::kAbsentPath},
    {"easy_answer", LintKind::kEasyAnswer},
    {"unseen_addition", LintKind::kUnseenAddition},
    {"wide_tolerance", LintKind::kWideTolerance},
    {"zero_threshold", LintKind::kZeroThreshold},
    {"unreadable_answer", LintKind::kUnreadableAnswer},
    {"answer_without_gold", LintKind::kAnswerWithoutGold},
    {"unanswered_gold", LintKind::kUnansweredGold},
    {"constant_answer", LintKind::kConstantAnswer},
    {"never_answered_path", LintKind::kNeverAnsweredPath},
    {"failed_by_all", LintKind::kFailedByAll},
    {"passed_by_all", LintKind::kPassedByAll},
};

}  // namespace

std::vector<std::string_view> LintKindNames() {
  std::vector<std::string_view> names;
  for (const NamedChoice<LintKind>& kind : kLintKinds) names.push_back(kind.name);
  return names;
}

}  // namespace internal

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

std::string_view LintKindName(LintKind kind) { return internal::NameOf(internal::kLintKinds, kind); }

std::uint64_t LintReport::Count(LintSeverity severity) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(findings, [&](const LintFinding& finding) {
    return finding.severity == severity && !finding.accepted;
  }));
}

}  // namespace leafscore
