#include "leafscore/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/resource_error.h"
#include "engine/lint/accepted.h"
#include "engine/lint/batch_judge.h"
#include "engine/lint/checks.h"
#include "engine/lint/easy_answers.h"
#include "engine/lint/gold_records.h"
#include "engine/run/scorer_set.h"
#include "engine/run/source_names.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr char kAdvice[] = "lint a part of the gold, or with fewer threads";

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
