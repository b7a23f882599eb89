// engine/statistics/agreement_intervals.h: 95% intervals for the agreement of two raters. Stateless.
//
// Each is a t-interval by the delta method: the influences of the records on the figure are summed within
// each unit, and the spread of these sums gives the standard error, as for a mean (F. R. Hampel, "The
// influence curve and its role in robust estimation", J. Amer. Statist. Assoc. 69, 1974). The interval is
// computed for log(1 - figure) or atanh(figure), whose distributions are less skewed, so it stays below 1.
// Raters who never disagreed here may still disagree elsewhere. Each unit then contributes one rating, its
// mean. Some units are assumed to disagree by the whole range of the ratings; their share is
// 1 - 0.025^(1/units) (C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits",
// Biometrika 26, 1934).
#ifndef LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_
#define LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_

#include <cstddef>
#include <optional>
#include <span>

#include "leafscore/report.h"

namespace leafscore::internal {

// Two ratings of each record. REQUIRES: spans of equal size; units are numbered from 0, without gaps.
struct RatedRecords {
  std::span<const double> one;
  std::span<const double> other;
  std::span<const std::size_t> units;  // the unit of each record; records of a unit may depend on each other
};

// Return the intervals of KrippendorffAlpha, of Cohen's kappa (for ratings of 0 and 1) and of KendallTauB.
// RETURNS: nullopt for fewer than two units, or if the figure itself is missing. COST: linear in the number
// of records for alpha and kappa, quadratic for tau-b.
std::optional<Interval> AlphaInterval(const RatedRecords& records);
std::optional<Interval> KappaInterval(const RatedRecords& records);
std::optional<Interval> TauBInterval(const RatedRecords& records);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_
