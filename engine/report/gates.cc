#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/report/human_numbers.h"
#include "engine/report/text_table.h"
#include "leafscore/report.h"

namespace leafscore {

using namespace internal;

namespace {

constexpr std::size_t kMaxReasons = 3;

// Returns for example ": missing_expected 2, invalid_json 1". Empty when there is none.
std::string ReasonsText(const std::vector<ReasonCount>& reasons, bool errors_only) {
  std::string text;
  std::size_t told = 0;
  for (const ReasonCount& reason : reasons) {
    if (errors_only && reason.outcome != Outcome::kError) continue;
    if (told == kMaxReasons) return text + ", ...";
    text += fmt::format("{} {} {}", told++ == 0 ? ":" : ",", RejectReasonName(reason.reason),
                        WithThousands(reason.records));
  }
  return text;
}

// The figures that a gate is held against: those of a scorer, or of one of its groups.
struct Candidate {
  std::string name;
  const Figures* figures;
  const std::vector<ReasonCount>* reasons;  // null: those of a group are not known
};

std::vector<Candidate> CandidatesOf(const ScorerReport& scorer, const Gates& gates) {
  const std::string name = DisplayName(scorer.scorer);
  std::vector<Candidate> candidates = {{name, &scorer.figures, &scorer.reasons}};
  for (const GroupFigures& group : scorer.groups) {
    if (std::ranges::find(gates.by, group.field) == gates.by.end()) continue;
    candidates.push_back({fmt::format("{} for {}", name, DisplayName(group.field + "=" + group.value)),
                          &group.figures, nullptr});
  }
  return candidates;
}

// Returns for example "; 99 of 100 records have no score: no_answer 99".
std::string UnscoredText(const Candidate& candidate) {
  const Figures& figures = *candidate.figures;
  if (figures.scored == figures.asked)
    return fmt::format("; all {} records are scored", WithThousands(figures.asked));
  return fmt::format("; {} of {} records have no score{}", WithThousands(figures.asked - figures.scored),
                     WithThousands(figures.asked),
                     candidate.reasons == nullptr ? "" : ReasonsText(*candidate.reasons, false));
}

// Adds a sentence when a figure is less than it may be, or is not there.
void CheckLeast(std::string_view what, const Candidate& candidate, std::optional<double> figure, double least,
                std::vector<std::string>& failed) {
  if (!figure) {
    failed.push_back(fmt::format("there is no {} of {} to hold against {:.6g}{}", what, candidate.name, least,
                                 UnscoredText(candidate)));
  } else if (*figure < least) {
    failed.push_back(fmt::format("the {} of {} over all that was asked is {:.6g}, {:.6g} under {:.6g}{}",
                                 what, candidate.name, *figure, least - *figure, least,
                                 UnscoredText(candidate)));
  }
}

// Returns a figure by classes as gates take it. Records without a score are in no count, so leaving out what
// is hard would raise it: it counts for the share of records that have one.
double FigureOverAll(const ScorerReport& scorer) {
  return *scorer.class_figure * scorer.figures.coverage.value_or(0);
}

// The same for the final score.
double FinalScoreOverAll(const RunReport& report) {
  double less = 0;
  double weights = 0;
  for (const FinalPart& part : report.final_score->parts) {
    weights += part.weight;
    const auto scorer = std::ranges::find(report.scorers, part.scorer, &ScorerReport::scorer);
    if (scorer != report.scorers.end() && scorer->class_figure) {
      less += part.weight * (part.average - FigureOverAll(*scorer));
    }
  }
  return report.final_score->score - (weights > 0 ? less / weights : 0);
}

// Adds a sentence when the scores of all scored records say nothing of the answers.
void CheckCompared(const Candidate& candidate, std::vector<std::string>& failed) {
  const Figures& figures = *candidate.figures;
  if (figures.scored == 0 || figures.nothing_compared < figures.scored) return;
  failed.push_back(fmt::format(
      "nothing was compared by {}: the expected values of all {} scored records hold nothing that counts",
      candidate.name, WithThousands(figures.scored)));
}

// Adds a sentence when a path in the options of a scorer leads nowhere.
void CheckPathsLead(const ScorerReport& scorer, std::vector<std::string>& failed) {
  if (scorer.absent_paths.empty()) return;
  failed.push_back(fmt::format("no expected value has {}, which the options of {} name",
                               QuoteForMessage(scorer.absent_paths.front()), DisplayName(scorer.scorer)));
}

void CheckErrors(const RunReport& report, const ScorerReport& scorer, const ErrorLimit& limit,
                 std::vector<std::string>& failed) {
  std::uint64_t errors = scorer.figures.errors;
  std::string more;  // what is in error beside the records that were asked for
  const auto add = [&](std::uint64_t count, const char* what) {
    errors += count;
    if (count > 0) more += fmt::format(", {} {}", WithThousands(count), what);
  };
  add(scorer.figures.nothing_compared, "records of which nothing was compared");
  if (report.repeated_ids) add(report.repeated_ids->ids.count, "records with the id of an earlier one");
  for (const SourceCounts& source : report.sources) {
    add(source.rejected, "rejected records");
    add(source.without_gold.count, "answers without gold");
  }
  if (report.gold) {
    add(report.gold->rejected, "rejected gold records");
    add(report.gold->without_id, "gold records without id");
    add(report.gold->duplicates.count, "gold ids that come again");
  }
  // Of ids, where many answers to one of them count: they must not make room for errors.
  const auto sources =
      static_cast<std::uint64_t>(std::ranges::count_if(report.sources, &SourceCounts::is_asked));
  const std::uint64_t asked = report.gold ? report.gold->ids * sources : scorer.figures.asked;
  const double most =
      limit.share ? *limit.share * static_cast<double>(asked) : static_cast<double>(limit.count);
  if (static_cast<double>(errors) <= most) return;
  const std::string allowed =
      limit.share ? fmt::format("{:.6g}%", *limit.share * 100) : WithThousands(limit.count);
  failed.push_back(fmt::format("{} errors of {} in {} records asked for are more than {}{}{}",
                               WithThousands(errors), DisplayName(scorer.scorer),
                               WithThousands(limit.share ? asked : scorer.figures.asked), allowed,
                               ReasonsText(scorer.reasons, /*errors_only=*/true), more));
}

}  // namespace

bool RunReport::CountsAddUp() const { return std::ranges::all_of(scorers, &ScorerReport::counts_add_up); }

void CheckGates(const Gates& gates, std::span<const std::string> scorers,
                std::span<const std::string> group_fields) {
  const auto check_number = [](double number) {
    if (std::isnan(number))
      throw Error(ErrorCode::kUsage, "a gate is NaN, which nothing reaches; give a number");
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
                    "the final score is one of all records, and there is none of each group: hold a gate "
                    "against each scorer, or none by groups");
      }
      throw Error(ErrorCode::kUsage,
                  fmt::format("there is no scorer {} to hold a gate against", QuoteForMessage(gate.scorer)));
    }
  }
  if (!gates.by.empty() && !gates.any()) {
    throw Error(ErrorCode::kUsage,
                fmt::format("there is no gate to hold for each group by {}; give one, such as a least mean",
                            QuoteForMessage(gates.by.front())));
  }
  for (const std::string& field : gates.by) {
    if (std::ranges::find(group_fields, field) != group_fields.end()) continue;
    throw Error(ErrorCode::kUsage,
                fmt::format("there are no groups by {} to hold gates against; group the records by it",
                            QuoteForMessage(field)));
  }
}

std::vector<std::string> FailedGates(const RunReport& report, const Gates& gates) {
  std::vector<std::string> scorers;
  for (const ScorerReport& scorer : report.scorers) scorers.push_back(scorer.scorer);
  CheckGates(gates, scorers, report.group_fields);
  std::vector<std::string> failed;
  if (!gates.any()) return failed;
  for (const Gate& gate : gates.fail_under) {
    if (gate.scorer != Gate::kFinalScore || std::ranges::find(scorers, gate.scorer) != scorers.end())
      continue;
    if (!report.final_score) {
      failed.push_back("there is no final score to hold a gate against: no scorer has a final_weight");
    } else if (const double score = FinalScoreOverAll(report); score < gate.least) {
      failed.push_back(fmt::format("the final score over all that was asked is {:.6g}, {:.6g} under {:.6g}",
                                   score, gate.least - score, gate.least));
    }
  }
  bool any_verdicts = false;
  for (const ScorerReport& scorer : report.scorers) {
    any_verdicts |= scorer.figures.passed.has_value();
    for (const Candidate& candidate : CandidatesOf(scorer, gates)) {
      const Figures& figures = *candidate.figures;
      for (const Gate& gate : gates.fail_under) {
        if (!gate.scorer.empty() && gate.scorer != scorer.scorer) continue;
        const bool by_class = candidate.figures == &scorer.figures && scorer.class_figure;
        CheckLeast(by_class ? "figure by classes" : "mean", candidate,
                   by_class ? FigureOverAll(scorer) : figures.over_all.mean, gate.least, failed);
      }
      for (const Gate& gate : gates.min_pass_rate) {
        if (!gate.scorer.empty() && gate.scorer != scorer.scorer) continue;
        // A scorer that has scored and given no verdict has no threshold.
        if (gate.scorer.empty() && !scorer.figures.passed && scorer.figures.scored > 0) continue;
        CheckLeast("pass rate", candidate, figures.over_all.pass_rate, gate.least, failed);
      }
      if (gates.min_coverage) {
        CheckLeast("coverage", candidate, figures.coverage, *gates.min_coverage, failed);
      }
      CheckCompared(candidate, failed);
    }
    for (const GroupFigures& group : scorer.groups) {
      if (group.kind != GroupKind::kOther || std::ranges::find(gates.by, group.field) == gates.by.end())
        continue;
      failed.push_back(
          fmt::format("{} records are in groups by {} that are too many or have too long names for "
                      "gates to be held against; raise --max-groups or group by another field",
                      WithThousands(group.figures.asked), DisplayName(group.field)));
    }
    if (!gates.allow_absent_paths) CheckPathsLead(scorer, failed);
    CheckErrors(report, scorer, gates.max_errors.value_or(ErrorLimit{}), failed);
  }
  if (!gates.min_pass_rate.empty() && !any_verdicts && failed.empty()) {
    failed.push_back("no scorer passes or fails records, so there is no pass rate");
  }
  return failed;
}

}  // namespace leafscore
