// engine/statistics/agreement_intervals.h: 95% intervals for the agreement of two raters. Stateless.
//
// Each is a t-interval by the delta method: a record's influence on the figure is summed by unit, and the
// spread of these sums gives the standard error, as for a mean (F. R. Hampel, "The influence curve and its
// role in robust estimation", J. Amer. Statist. Assoc. 69, 1974). The interval is taken of log(1 - figure)
// or of atanh(figure), whose distributions are less skewed, and so stays below 1. Raters who never disagreed
// might have: a share of 1 - 0.025^(1/units) of the units, each with its mean rating, is then taken to
// disagree as far as the ratings reach (C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial
// limits", Biometrika 26, 1934).
#ifndef LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_
#define LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_

#include <cstddef>
#include <optional>
#include <span>

#include "leafscore/report.h"

namespace leafscore::internal {

// Two ratings of each record. REQUIRES: spans of one size; units are numbered from 0, without gaps.
struct RatedRecords {
  std::span<const double> one;
  std::span<const double> other;
  std::span<const std::size_t> units;  // what each record was drawn with: records of a unit may be alike
};

// Return the interval of KrippendorffAlpha, of Cohen's kappa (of ratings of 0 and 1) and of KendallTauB.
// RETURNS: nullopt for fewer than two units, or if the figure itself is missing. COST: linear for alpha and
// kappa; for tau-b the number of records squared.
std::optional<Interval> AlphaInterval(const RatedRecords& records);
std::optional<Interval> KappaInterval(const RatedRecords& records);
std::optional<Interval> TauBInterval(const RatedRecords& records);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_AGREEMENT_INTERVALS_H_
