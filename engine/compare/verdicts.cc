#include "engine/compare/verdicts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/compare/paired_mean.h"
#include "engine/statistics/families.h"
#include "engine/statistics/mean_estimate.h"

namespace leafscore::internal {
namespace {

std::vector<double> Corrected(std::span<const double> p_values, Correction correction) {
  switch (correction) {
    case Correction::kHolm:
      return HolmCorrected(p_values);
    case Correction::kBenjaminiHochberg:
      return BenjaminiHochbergCorrected(p_values);
    case Correction::kNone:
      break;
  }
  return {p_values.begin(), p_values.end()};
}

ComparisonVerdict VerdictOf(const ComparedMean& row, double margin, double alpha) {
  if (!row.p_corrected) return ComparisonVerdict::kInconclusive;
  const bool is_known = static_cast<double>(row.say_nothing) <= margin * static_cast<double>(row.records);
  if (*row.p_equivalence_corrected < alpha && row.units >= LeastUnits(margin, alpha) && is_known) {
    return ComparisonVerdict::kEquivalent;
  }
  if (*row.p_corrected >= alpha) return ComparisonVerdict::kInconclusive;
  return row.difference < 0 ? ComparisonVerdict::kRegressed : ComparisonVerdict::kImproved;
}

// Returns how many units more would decide an inconclusive row at this level.
std::optional<std::uint64_t> UnitsMore(const ComparedMean& row, double margin, double alpha,
                                       double alpha_in_family) {
  if (static_cast<double>(row.say_nothing) > margin * static_cast<double>(row.records)) return std::nullopt;
  const MeanEstimate estimate = {row.difference, *row.standard_error, static_cast<double>(row.units) - 1};
  std::optional<std::uint64_t> wanted = UnitsToDecide(estimate, margin, 1 - alpha_in_family);
  if (!wanted) return std::nullopt;
  const bool would_be_equivalent = margin - std::abs(row.difference) >= std::abs(row.difference);
  if (would_be_equivalent) wanted = std::max(*wanted, LeastUnits(margin, alpha));
  // Of few units that differ, so many have to that all choices of signs are enough for the level.
  const std::uint64_t differ = std::min(row.wins + row.losses, row.units);
  if (differ > 0 && !would_be_equivalent) {
    const double have_to = std::ceil(1 - std::log2(alpha_in_family));
    wanted = std::max(*wanted, static_cast<std::uint64_t>(std::ceil(have_to * static_cast<double>(row.units) /
                                                                    static_cast<double>(differ))));
  }
  return std::max(*wanted, row.units + 1) - row.units;
}

}  // namespace

std::size_t DecideFamily(std::span<ComparedMean* const> rows, double margin, double alpha,
                         Correction correction) {
  std::vector<ComparedMean*> tested;
  std::vector<double> p_values;
  std::vector<double> p_equivalence;
  for (ComparedMean* row : rows) {
    if (!row->p) continue;
    row->p_corrected = row->p;
    row->p_equivalence_corrected = row->p_equivalence;
    if (row->wins + row->losses == 0) continue;
    tested.push_back(row);
    p_values.push_back(*row->p);
    p_equivalence.push_back(*row->p_equivalence);
  }
  p_values = Corrected(p_values, correction);
  p_equivalence = Corrected(p_equivalence, correction);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    tested[i]->p_corrected = p_values[i];
    tested[i]->p_equivalence_corrected = p_equivalence[i];
  }
  const auto tests = static_cast<double>(std::max(tested.size(), std::size_t{1}));
  const double alpha_in_family = correction == Correction::kNone ? alpha : alpha / tests;
  for (ComparedMean* row : rows) {
    row->verdict = VerdictOf(*row, margin, alpha);
    if (row->p && row->verdict == ComparisonVerdict::kInconclusive) {
      row->more_units = UnitsMore(*row, margin, alpha, alpha_in_family);
    }
  }
  return tested.size();
}

ComparisonVerdict Graver(ComparisonVerdict a, ComparisonVerdict b) {
  constexpr ComparisonVerdict kGravestFirst[] = {
      ComparisonVerdict::kRegressed, ComparisonVerdict::kInconclusive, ComparisonVerdict::kImproved,
      ComparisonVerdict::kEquivalent};
  return *std::ranges::find_if(kGravestFirst, [&](ComparisonVerdict v) { return v == a || v == b; });
}

}  // namespace leafscore::internal
