#include "engine/compare/verdicts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/compare/paired_mean.h"
#include "engine/compare/row_figures.h"
#include "engine/statistics/families.h"
#include "engine/statistics/looks.h"
#include "engine/statistics/sign_flip.h"
#include "engine/statistics/test_plan.h"

namespace leafscore::internal {
namespace {

// A figure and its row.
struct Member {
  const ComparedRow* row;
  ComparedFigure* figure;
};

// Returns the figures of all rows that have records.
std::vector<Member> MembersOf(std::span<ComparedRow* const> rows) {
  std::vector<Member> members;
  for (ComparedRow* row : rows) {
    if (row->records == 0) continue;
    ForEachFigure(*row, [&](ComparedPart, ComparedFigure& figure) { members.push_back({row, &figure}); });
  }
  return members;
}

bool Changed(const ComparedFigure& figure) { return figure.wins + figure.losses > 0; }

// Sets p_corrected of each figure that was tested.
void CorrectChanges(std::span<const Member> tested, Correction correction) {
  std::vector<double> p;
  std::vector<double> least;
  for (const Member& member : tested) {
    p.push_back(*member.figure->p);
    least.push_back(*member.figure->least_p);
  }
  p = CorrectedP(p, least, correction);
  for (std::size_t i = 0; i < tested.size(); ++i) tested[i].figure->p_corrected = p[i];
}

// Sets p_equivalence_corrected. The correction counts all figures, because each claim of equivalence may be
// wrong by itself.
void CorrectEquivalence(std::span<const Member> members, Correction correction) {
  std::vector<double> p;
  for (const Member& member : members) p.push_back(*member.figure->p_equivalence);
  if (correction == Correction::kHolm) p = HolmCorrected(p);
  if (correction == Correction::kBenjaminiHochberg) p = BenjaminiHochbergCorrected(p);
  for (std::size_t i = 0; i < members.size(); ++i) members[i].figure->p_equivalence_corrected = p[i];
}

ComparisonVerdict VerdictOf(const Member& member, double margin, double alpha) {
  const ComparedRow& row = *member.row;
  const ComparedFigure& figure = *member.figure;
  if (row.group && !row.could_fail()) return ComparisonVerdict::kInconclusive;
  const bool is_known = static_cast<double>(row.say_nothing) <= margin * static_cast<double>(row.records);
  if (*figure.p_equivalence_corrected < alpha && is_known) return ComparisonVerdict::kEquivalent;
  if (*figure.p_corrected >= alpha) return ComparisonVerdict::kInconclusive;
  return figure.difference < 0 ? ComparisonVerdict::kRegressed : ComparisonVerdict::kImproved;
}

// Fills in how more units would help with an inconclusive figure, tested at this level.
void FillInconclusive(const Member& member, double margin, double level) {
  ComparedFigure& figure = *member.figure;
  const std::uint64_t units = member.row->units;
  const double sd = figure.standard_error.value_or(0) * std::sqrt(static_cast<double>(units));
  if (sd == 0) return;
  const auto power = [&](std::uint64_t records) {
    return ScorePower(records, sd, margin, level, ScoreDrop::kAllALittle);
  };
  figure.units_for_margin = RecordsForPower(power, kPower);
  const Interim interim{.p = *figure.p, .difference = figure.difference, .sd = sd, .units = units};
  for (const std::uint64_t in_all : {2 * units, 4 * units}) {
    figure.more.push_back({.units = in_all,
                           .if_as_seen = ConditionalPowerOf(interim, in_all, figure.difference, level),
                           .if_margin = ConditionalPowerOf(interim, in_all, -margin, level),
                           .if_unchanged = ConditionalPowerOf(interim, in_all, 0, level)});
  }
}

}  // namespace

void SetUnitsToFail(std::span<ComparedRow* const> rows, double alpha, Correction correction, bool anytime) {
  std::vector<std::uint64_t> units;  // one per figure, ascending
  for (const Member& member : MembersOf(rows)) units.push_back(member.row->units);
  std::ranges::sort(units);
  for (ComparedRow* row : rows) {
    const auto as_many =
        anytime ? std::ssize(units) : units.end() - std::ranges::lower_bound(units, row->units);
    const bool alone = correction == Correction::kNone || as_many == 0;
    row->units_to_fail = LeastUnitsToFail(alone ? 1 : static_cast<std::uint64_t>(as_many), alpha,
                                          anytime ? &LeastAnytimeP : &LeastSignFlipP);
  }
}

std::vector<double> CorrectedP(std::span<const double> p, std::span<const double> least_p,
                               Correction correction) {
  if (correction == Correction::kHolm) return HolmAttainableCorrected(p, least_p);
  if (correction == Correction::kBenjaminiHochberg) return BenjaminiHochbergCorrected(p);
  return {p.begin(), p.end()};
}

std::size_t DecideFamily(std::span<ComparedRow* const> rows, double margin, double alpha,
                         Correction correction) {
  const std::vector<Member> members = MembersOf(rows);
  std::vector<Member> tested;
  for (const Member& member : members) {
    member.figure->p_corrected = member.figure->p;
    if (Changed(*member.figure)) tested.push_back(member);
  }
  CorrectChanges(tested, correction);
  CorrectEquivalence(members, correction);
  const auto tests = static_cast<double>(std::max(tested.size(), std::size_t{1}));
  const double level = correction == Correction::kNone ? alpha : alpha / tests;
  for (const Member& member : members) {
    ComparedFigure& figure = *member.figure;
    figure.verdict = VerdictOf(member, margin, alpha);
    const bool is_of_scorer = !member.row->group && !member.row->field && !member.row->rate;
    if (figure.verdict == ComparisonVerdict::kInconclusive && is_of_scorer) {
      FillInconclusive(member, margin, level);
    }
    if (figure.verdict == ComparisonVerdict::kRegressed)
      figure.holds_for_any_scores = figure.bounds->high < 0;
    if (figure.verdict == ComparisonVerdict::kImproved) figure.holds_for_any_scores = figure.bounds->low > 0;
  }
  for (ComparedRow* row : rows) {
    row->verdict = row->mean.verdict;
    ForEachFigure(*row, [&](ComparedPart, const ComparedFigure& figure) {
      row->verdict = Joined(row->verdict, figure.verdict);
    });
    row->contradiction = row->verdict == ComparisonVerdict::kRegressed &&
                         FigureWith(ComparisonVerdict::kImproved, *row) != nullptr;
  }
  return tested.size();
}

ComparisonVerdict Joined(ComparisonVerdict a, ComparisonVerdict b) {
  using enum ComparisonVerdict;
  if (a == b) return a;
  for (const ComparisonVerdict either : {kRegressed, kImproved}) {
    if (a == either || b == either) return either;
  }
  return kInconclusive;
}

ComparisonVerdict Graver(ComparisonVerdict a, ComparisonVerdict b) {
  for (const ComparisonVerdict verdict :
       {ComparisonVerdict::kRegressed, ComparisonVerdict::kInconclusive, ComparisonVerdict::kImproved}) {
    if (a == verdict || b == verdict) return verdict;
  }
  return ComparisonVerdict::kEquivalent;
}

}  // namespace leafscore::internal
