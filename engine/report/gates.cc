#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/render/cells.h"
#include "engine/report/failure_causes.h"
#include "leafscore/report.h"

namespace leafscore {

using namespace internal;

namespace {

// Returns for example `: missing_expected 2 ("17"), invalid_json 1`; empty if no record is in error.
std::string ErrorsText(const ScorerReport& scorer) {
  std::vector<FailureCause> errors;
  for (const FailureCause& cause : scorer.causes) {
    const auto reason = std::ranges::find(scorer.reasons, cause.reason, &ReasonCount::reason);
    if (cause.kind == FailureCause::Kind::kReason && reason != scorer.reasons.end() &&
        reason->outcome == Outcome::kError) {
      errors.push_back(cause);
    }
  }
  return CausesText(errors, ":");
}

// The figures that a gate checks, which are the figures of a scorer or of one of its groups.
struct Candidate {
  std::string scorer;
  std::string group;  // "field=value"; empty for all records
  const Figures* figures;
  std::span<const FailureCause> causes;
  std::optional<double> class_figure;

  std::string Name() const {
    const std::string name = DisplayName(scorer);
    return group.empty() ? name : fmt::format("{} for {}", name, DisplayName(group));
  }
};

std::vector<Candidate> CandidatesOf(const ScorerReport& scorer, const Gates& gates) {
  std::vector<Candidate> candidates = {
      {scorer.scorer, "", &scorer.figures, scorer.causes, scorer.class_figure}};
  for (const GroupFigures& group : scorer.groups) {
    if (std::ranges::find(gates.by, group.field) == gates.by.end()) continue;
    candidates.push_back(
        {scorer.scorer, group.field + "=" + group.value, &group.figures, group.causes, group.class_figure});
  }
  return candidates;
}

// Returns for example `; 99 of 100 records have no score; most often: no_answer 99 ("17"), score too low 1
// ("3")`.
std::string ShortfallText(const Candidate& candidate) {
  const Figures& figures = *candidate.figures;
  std::string text;
  if (figures.scored < figures.asked) {
    text = fmt::format("; {} of {} records have no score", WithThousands(figures.asked - figures.scored),
                       WithThousands(figures.asked));
  }
  return text + CausesText(candidate.causes);
}

// A figure and its interval.
struct SureFigure {
  std::optional<double> figure;
  std::optional<Interval> interval = {};
  bool may_be_sure = true;  // figures of this kind can have an interval
};

// Returns for example "0.9 (95% from 0.5958 to 0.9821, over 10 records)", and for 40 answers to 10 questions
// "over 40 records, as sure as 10".
std::string FigureText(const SureFigure& figure, const Figures& figures) {
  std::string over = fmt::format("over {}", Counted(figures.asked, "record", "records"));
  const auto effective = static_cast<std::uint64_t>(figures.effective_records + 1e-9);
  if (figure.interval && effective < figures.asked) {
    over += fmt::format(", as sure as {}", WithThousands(effective));
  }
  if (!figure.interval) return fmt::format("{:.6g} ({})", *figure.figure, over);
  return fmt::format("{:.6g} (95% from {:.4f} to {:.4f}, {})", *figure.figure, figure.interval->low,
                     figure.interval->high, over);
}

// Checks a figure against its minimum. The check fails if there is no figure or, with `sure`, no interval.
GateCheck CheckLeast(std::string_view gate, std::string_view what, const Candidate& candidate,
                     const SureFigure& figure, double least, bool sure) {
  sure = sure && figure.may_be_sure;
  GateCheck check{.gate = fmt::format("{} {}", gate, least),
                  .scorer = candidate.scorer,
                  .group = candidate.group,
                  .sure = sure,
                  .figure = figure.figure,
                  .interval = figure.interval,
                  .wanted = least,
                  .records = candidate.figures->asked,
                  .effective_records = candidate.figures->effective_records};
  if (!figure.figure) {
    check.sentence = fmt::format("there is no {} of {} to compare with {:.6g}{}", what, candidate.Name(),
                                 least, ShortfallText(candidate));
    return check;
  }
  check.sentence = fmt::format("the {} of {} over all that was asked is {}", what, candidate.Name(),
                               FigureText(figure, *candidate.figures));
  if (*figure.figure < least) {
    check.sentence += fmt::format(", {:.6g} under {:.6g}", least - *figure.figure, least);
  } else if (sure && !figure.interval) {
    check.sentence += fmt::format(", and how sure it is that it reaches {:.6g} is not known", least);
  } else if (sure && figure.interval->low < least) {
    check.sentence += fmt::format(", but it may be {:.4f} under {:.6g}", least - figure.interval->low, least);
  } else {
    check.passed = true;
    check.by_chance = figure.may_be_sure && least > 0 && (!figure.interval || figure.interval->low < least);
    check.sentence += fmt::format("; {:.6g} was wanted", least);
    return check;
  }
  check.sentence += ShortfallText(candidate);
  return check;
}

// Returns the figure by classes that gates check. Records without a score are not counted in `class_figure`,
// so a run could raise it by leaving out hard records. To prevent this, it is multiplied by the share of
// records with a score.
double FigureOverAll(double class_figure, const Figures& figures) {
  return class_figure * figures.coverage.value_or(0);
}

// Returns the final score that gates check. In this score, figures by classes are multiplied in the same way.
double FinalScoreOverAll(const RunReport& report) {
  double less = 0;
  double weights = 0;
  for (const FinalPart& part : report.final_score->parts) {
    weights += part.weight;
    const auto scorer = std::ranges::find(report.scorers, part.scorer, &ScorerReport::scorer);
    if (scorer != report.scorers.end() && scorer->class_figure) {
      less += part.weight * (part.average - FigureOverAll(*scorer->class_figure, scorer->figures));
    }
  }
  return report.final_score->score - (weights > 0 ? less / weights : 0);
}

// Returns a check that compares no figure.
GateCheck CheckOf(std::string_view gate, const Candidate& candidate, bool passed, std::string sentence) {
  return {.gate = std::string(gate),
          .scorer = candidate.scorer,
          .group = candidate.group,
          .passed = passed,
          .records = candidate.figures->asked,
          .sentence = std::move(sentence)};
}

// Adds a check that fails if the scores of all scored records say nothing about the answers.
void CheckCompared(const Candidate& candidate, std::vector<GateCheck>& checks) {
  const Figures& figures = *candidate.figures;
  if (figures.scored == 0 || figures.nothing_compared < figures.scored) return;
  checks.push_back(CheckOf(
      "compared", candidate, false,
      fmt::format(
          "{} compared nothing: the expected values of all {} scored records have nothing that counts",
          candidate.Name(), WithThousands(figures.scored))));
}

// Adds a check that fails if a path in the options of a scorer leads nowhere.
void CheckPathsLead(const ScorerReport& scorer, const Candidate& candidate, std::vector<GateCheck>& checks) {
  if (scorer.absent_paths.empty()) return;
  checks.push_back(CheckOf("paths", candidate, false,
                           fmt::format("no expected value has {}, which the options of {} name",
                                       QuoteForMessage(scorer.absent_paths.front()), candidate.Name())));
}

GateCheck CheckErrors(const RunReport& report, const ScorerReport& scorer, const Candidate& candidate,
                      const ErrorLimit& limit) {
  std::uint64_t errors = scorer.figures.errors;
  std::string more;  // errors outside of the records that were asked for
  const auto add = [&](std::uint64_t count, const char* what) {
    errors += count;
    if (count > 0) more += fmt::format(", {} {}", WithThousands(count), what);
  };
  add(scorer.figures.nothing_compared, "records with nothing compared");
  if (report.repeated_ids) add(report.repeated_ids->ids.count, "records with the id of an earlier one");
  for (const SourceCounts& source : report.sources) {
    add(source.rejected, "rejected records");
    add(source.without_gold.count, "answers without gold");
  }
  if (report.gold) {
    add(report.gold->rejected, "rejected gold records");
    add(report.gold->without_id, "gold records without id");
    add(report.gold->duplicates.count, "repeated gold ids");
  }
  // Use the number of ids, not of answers: many answers to one id must not make more errors acceptable.
  const auto sources =
      static_cast<std::uint64_t>(std::ranges::count_if(report.sources, &SourceCounts::is_asked));
  const std::uint64_t asked = report.gold ? report.gold->ids * sources : scorer.figures.asked;
  const double most =
      limit.share ? *limit.share * static_cast<double>(asked) : static_cast<double>(limit.count);
  const std::string allowed =
      limit.share ? fmt::format("{:.6g}%", *limit.share * 100) : WithThousands(limit.count);
  const bool passed = static_cast<double>(errors) <= most;
  GateCheck check =
      CheckOf("max-errors " + allowed, candidate, passed,
              fmt::format("{} errors of {} in {} records asked for are {} {}{}{}", WithThousands(errors),
                          candidate.Name(), WithThousands(limit.share ? asked : scorer.figures.asked),
                          passed ? "no more than" : "more than", allowed, ErrorsText(scorer), more));
  check.figure = static_cast<double>(errors);
  return check;
}

}  // namespace

bool RunReport::CountsAddUp() const { return std::ranges::all_of(scorers, &ScorerReport::counts_add_up); }

void CheckGates(const Gates& gates, std::span<const std::string> scorers,
                std::span<const std::string> group_fields) {
  const auto check_number = [](double number) {
    if (std::isnan(number))
      throw Error(ErrorCode::kUsage, "a gate is NaN, which no figure reaches; give a number");
  };
  if (gates.min_coverage) check_number(*gates.min_coverage);
  if (gates.max_errors && gates.max_errors->share) check_number(*gates.max_errors->share);
  for (const std::vector<Gate>* const named : {&gates.fail_under, &gates.min_pass_rate}) {
    for (const Gate& gate : *named) {
      check_number(gate.least);
      if (gate.scorer.empty() || std::ranges::find(scorers, gate.scorer) != scorers.end()) continue;
      if (gate.scorer == Gate::kFinalScore && named == &gates.fail_under) {
        if (gates.by.empty()) continue;
        throw Error(ErrorCode::kUsage,
                    "the final score covers all records, and groups have none: set a gate for each scorer, "
                    "or no gates by group");
      }
      throw Error(ErrorCode::kUsage,
                  fmt::format("there is no scorer {} for a gate{}", QuoteForMessage(gate.scorer),
                              DidYouMean(gate.scorer, scorers)));
    }
  }
  if (gates.sure && gates.fail_under.empty() && gates.min_pass_rate.empty()) {
    throw Error(ErrorCode::kUsage, "no gate can be sure: that needs a least mean or a least pass rate");
  }
  if (!gates.by.empty() && !gates.any()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no gate for the groups by {}; give one, such as a least mean",
                            QuoteForMessage(gates.by.front())));
  }
  for (const std::string& field : gates.by) {
    if (std::ranges::find(group_fields, field) != group_fields.end()) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("there are no groups by {} for gates; group the records by it{}",
                            QuoteForMessage(field), DidYouMean(field, group_fields)));
  }
}

namespace {

// Checks the final score, if gates name it and no scorer has that name.
void CheckFinalScore(const RunReport& report, const Gates& gates, std::vector<GateCheck>& checks) {
  if (std::ranges::find(report.scorers, Gate::kFinalScore, &ScorerReport::scorer) != report.scorers.end())
    return;
  for (const Gate& gate : gates.fail_under) {
    if (gate.scorer != Gate::kFinalScore) continue;
    GateCheck& check = checks.emplace_back();
    check.gate = fmt::format("fail-under {}", gate.least);
    check.wanted = gate.least;
    if (!report.final_score) {
      check.sentence = "there is no final score for a gate: no scorer has a final_weight";
      continue;
    }
    const double score = FinalScoreOverAll(report);
    check.figure = score;
    check.passed = score >= gate.least;
    check.by_chance = check.passed && gate.least > 0;
    check.sentence = fmt::format("the final score over all that was asked is {:.6g}", score);
    check.sentence += check.passed ? fmt::format("; {:.6g} was wanted", gate.least)
                                   : fmt::format(", {:.6g} under {:.6g}", gate.least - score, gate.least);
  }
}

void CheckScorer(const RunReport& report, const ScorerReport& scorer, const Gates& gates,
                 std::vector<GateCheck>& checks) {
  const std::vector<Candidate> candidates = CandidatesOf(scorer, gates);
  for (const Candidate& candidate : candidates) {
    const Figures& figures = *candidate.figures;
    const bool by_class = candidate.class_figure.has_value();
    const SureFigure mean = by_class ? SureFigure{FigureOverAll(*candidate.class_figure, figures)}
                                     : SureFigure{figures.over_all.mean, figures.over_all.mean_interval};
    for (const Gate& gate : gates.fail_under) {
      if (!gate.scorer.empty() && gate.scorer != scorer.scorer) continue;
      checks.push_back(CheckLeast("fail-under", by_class ? "figure by classes" : "mean", candidate, mean,
                                  gate.least, gates.sure));
    }
    for (const Gate& gate : gates.min_pass_rate) {
      if (!gate.scorer.empty() && gate.scorer != scorer.scorer) continue;
      // If a scorer has scored records but no verdicts, it has no threshold.
      if (gate.scorer.empty() && !scorer.figures.passed && scorer.figures.scored > 0) continue;
      checks.push_back(CheckLeast("min-pass-rate", "pass rate", candidate,
                                  {figures.over_all.pass_rate, figures.over_all.pass_interval}, gate.least,
                                  gates.sure));
    }
    if (gates.min_coverage) {
      // Coverage is known exactly, so it has no interval.
      checks.push_back(CheckLeast("min-coverage", "coverage", candidate, {figures.coverage, {}, false},
                                  *gates.min_coverage, gates.sure));
    }
    CheckCompared(candidate, checks);
  }
  for (const GroupFigures& group : scorer.groups) {
    if (group.kind != GroupKind::kOther || std::ranges::find(gates.by, group.field) == gates.by.end())
      continue;
    checks.push_back(
        CheckOf("gate-by " + group.field, candidates.front(), false,
                fmt::format("{} records are in groups by {} that gates cannot check, as they are too many or "
                            "their names too long; raise --max-groups or group by another field",
                            WithThousands(group.figures.asked), DisplayName(group.field))));
  }
  if (!gates.allow_absent_paths) CheckPathsLead(scorer, candidates.front(), checks);
  checks.push_back(CheckErrors(report, scorer, candidates.front(), gates.max_errors.value_or(ErrorLimit{})));
}

}  // namespace

std::vector<GateCheck> HoldGates(const RunReport& report, const Gates& gates) {
  std::vector<std::string> scorers;
  for (const ScorerReport& scorer : report.scorers) scorers.push_back(scorer.scorer);
  CheckGates(gates, scorers, report.group_fields);
  std::vector<GateCheck> checks;
  if (!gates.any()) return checks;
  CheckFinalScore(report, gates, checks);
  bool any_verdicts = false;
  for (const ScorerReport& scorer : report.scorers) {
    any_verdicts |= scorer.figures.passed.has_value();
    CheckScorer(report, scorer, gates, checks);
  }
  if (!gates.min_pass_rate.empty() && !any_verdicts && std::ranges::all_of(checks, &GateCheck::passed)) {
    checks.push_back(
        {.gate = "min-pass-rate", .sentence = "no scorer passes or fails records, so there is no pass rate"});
  }
  return checks;
}

std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates) {
  std::vector<std::string> failed;
  for (GateCheck& check : HoldGates(report, gates)) {
    if (!check.passed) failed.push_back(std::move(check.sentence));
  }
  return failed;
}

}  // namespace leafscore
