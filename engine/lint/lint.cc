#include "leafscore/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/choices.h"
#include "engine/base/limits.h"
#include "engine/base/resource_error.h"
#include "engine/base/suggest.h"
#include "engine/lint/batch_judge.h"
#include "engine/lint/checks.h"
#include "engine/lint/easy_answers.h"
#include "engine/lint/gold_records.h"
#include "engine/run/scorer_set.h"
#include "engine/run/source_names.h"
#include "leafscore/error.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr char kAdvice[] = "lint a part of the gold, or with fewer threads";

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

// Returns the names of all kinds of findings.
std::vector<std::string_view> LintKindNames() {
  std::vector<std::string_view> names;
  for (const NamedChoice<LintKind>& kind : kLintKinds) names.push_back(kind.name);
  return names;
}

// The findings that the user knows and accepts.
class AcceptedFindings {
 public:
  // `accept` is LintOptions::accept; `subjects` are the existing scorers, easy answers and sources.
  // ERRORS: Error(kUsage) for a kind or a subject that does not exist; it names the nearest one.
  AcceptedFindings(std::span<const std::string> accept, std::span<const std::string_view> subjects);

  // Marks the accepted findings, and lists accepted ones that do not occur.
  void Mark(LintReport& report) const;

 private:
  struct Accepted {
    std::string text;  // as given by the user
    std::string kind;
    std::vector<std::string> subjects;  // a finding must have all of them
  };

  std::vector<Accepted> accepted_;
};

// Returns the subjects in a text of names separated by colons; a name may contain colons itself.
std::vector<std::string> SplitSubjects(std::string_view text, std::span<const std::string_view> known) {
  std::vector<std::string> subjects;
  for (;;) {
    // The longest known name at the start of the text; if there is none, the part before the next colon.
    std::string_view found = text.substr(0, text.find(':'));
    for (const std::string_view name : known) {
      const bool fits = text == name || (text.starts_with(name) && text.substr(name.size()).starts_with(':'));
      if (fits && name.size() > found.size()) found = name;
    }
    if (std::ranges::find(known, found) == known.end()) {
      throw Error(ErrorCode::kUsage,
                  "--accept: " + UnknownNameMessage("scorer, answer or input", found, known));
    }
    subjects.emplace_back(found);
    if (found.size() == text.size()) return subjects;
    text.remove_prefix(found.size() + 1);
  }
}

AcceptedFindings::AcceptedFindings(std::span<const std::string> accept,
                                   std::span<const std::string_view> subjects) {
  const std::vector<std::string_view> kinds = LintKindNames();
  for (const std::string& text : accept) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    Accepted accepted{text, text.substr(0, colon), {}};
    if (std::ranges::find(kinds, accepted.kind) == kinds.end()) {
      throw Error(ErrorCode::kUsage, "--accept: " + UnknownNameMessage("finding", accepted.kind, kinds));
    }
    if (colon < text.size()) {
      accepted.subjects = SplitSubjects(std::string_view(text).substr(colon + 1), subjects);
    }
    accepted_.push_back(std::move(accepted));
  }
}

void AcceptedFindings::Mark(LintReport& report) const {
  for (const Accepted& accepted : accepted_) {
    bool any = false;
    for (LintFinding& finding : report.findings) {
      const auto has = [&](const std::string& subject) {
        return subject == finding.scorer || subject == finding.answer || subject == finding.source;
      };
      if (LintKindName(finding.kind) != accepted.kind || !std::ranges::all_of(accepted.subjects, has))
        continue;
      finding.accepted = any = true;
    }
    if (!any) report.accepted_not_found.push_back(accepted.text);
  }
}

bool IsJudge(const ScorerSpec& spec) {
  return spec.type == "code_judge" || spec.type.starts_with("llm_judge");
}

// Returns the plan without the scorers that run programs; it may be empty.
Plan WithoutJudges(const Plan& plan) {
  std::vector<ScorerSpec> specs;
  std::ranges::remove_copy_if(plan.scorers().specs(), std::back_inserter(specs), IsJudge);
  return Plan(std::make_shared<const ScorerSet>(std::move(specs), "lint"));
}

AcceptedFindings AcceptedOf(const Plan& plan, const LintOptions& options) {
  const std::vector<std::string> scorers = plan.scorer_names();
  const std::vector<std::string> sources = SourceNames(options.files.inputs);
  std::vector<std::string_view> subjects(std::begin(kEasyAnswers), std::end(kEasyAnswers));
  subjects.insert(subjects.end(), scorers.begin(), scorers.end());
  subjects.insert(subjects.end(), sources.begin(), sources.end());
  return {options.accept, subjects};
}

LintReport Lint(const Plan& plan, const LintOptions& options) {
  LintReport report;
  const AcceptedFindings accepted = AcceptedOf(plan, options);
  const Plan asked = options.ask_judges ? plan : WithoutJudges(plan);
  if (!options.ask_judges) {
    for (const ScorerSpec& spec : plan.scorers().specs()) {
      if (IsJudge(spec)) report.judges_not_asked.push_back(spec.name);
    }
  }
  GoldRecords gold(options, plan.scorers().needs_expected());
  report.records = gold.records();
  report.judged = gold.size();
  CheckRecords(gold, options.files, report);
  CheckPlaceholders(gold, options.files, report);
  CheckSchemas(gold, options, plan.scorers(), report);
  const std::vector<std::string> scorers = asked.scorer_names();
  BatchJudge judge(asked, options.files, options.pass_score, options.files.calls_field);
  CheckAgainstItself(gold, scorers, judge, report);
  JudgeEasyAnswers(gold, options.files, scorers, judge, report);
  CheckPaths(gold.paths(), report);
  CheckThresholds(gold, options.files, plan.scorers(), report);
  if (!options.files.inputs.empty()) CheckAnswers(gold, options.files, scorers, judge, report);
  accepted.Mark(report);
  std::ranges::stable_sort(report.findings, [](const LintFinding& a, const LintFinding& b) {
    return std::tuple(a.accepted, b.severity, a.kind) < std::tuple(b.accepted, a.severity, b.kind);
  });
  return report;
}

}  // namespace

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

std::string_view LintKindName(LintKind kind) { return NameOf(kLintKinds, kind); }

std::uint64_t LintReport::Count(LintSeverity severity) const {
  return static_cast<std::uint64_t>(std::ranges::count_if(findings, [&](const LintFinding& finding) {
    return finding.severity == severity && !finding.accepted;
  }));
}

LintReport LintGold(const Plan& plan, const LintOptions& options) {
  if (!(options.pass_score >= 0 && options.pass_score <= 1)) {
    throw Error(ErrorCode::kUsage,
                fmt::format("--pass-score is {}; give a score from 0 to 1", options.pass_score));
  }
  CheckLimit(kBatchBytes, options.files.batch_bytes);
  CheckLimit(kMaxLineBytes, options.files.max_line_bytes);
  CheckLimit(kMaxRatio, options.files.max_ratio);
  const std::vector<std::string>& answers = options.files.inputs;
  if (options.files.gold == "-" && std::ranges::find(answers, "-") != answers.end()) {
    throw Error(ErrorCode::kUsage, "standard input (-) cannot be both gold and answers; name a file for one");
  }
  return WithResourceErrors(kAdvice, [&] { return Lint(plan, options); });
}

}  // namespace leafscore
