// engine/statistics/label_correction.h: a pass rate by an imperfect judge, corrected by the share of its
// mistakes in answers that people have judged as well. Stateless.
//
// The estimate is by W. J. Rogan and B. Gladen ("Estimating prevalence from the results of a screening
// test", Am. J. Epidemiol. 107, 1978). The interval, over the answers and the labels, is by Z. Lang and
// J. Reiczigel ("Confidence limits for prevalence of disease adjusted for estimated sensitivity and
// specificity", Prev. Vet. Med. 113, 2014), which C. Lee et al. ("How to correctly report LLM-as-a-judge
// evaluations", arXiv:2511.21140) recommend for judges.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_
#define LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_

#include <cstdint>
#include <optional>

#include "leafscore/report.h"

namespace leafscore::internal {

// The least number of answers that people pass, and of those that they fail, for a correction.
inline constexpr std::uint64_t kLeastLabels = 5;

// Corrects a pass rate. `records` is the number of independent answers that it is over. With sensitivity a,
// specificity b and raw rate p, the corrected rate is (p + b - 1) / (a + b - 1), limited to [0, 1].
// RETURNS: without a rate for fewer than kLeastLabels of either kind, and for a + b <= 1. If the labels do
// not show that a + b > 1, the interval is all of [0, 1].
// REQUIRES: records > 0.
CorrectedPassRate CorrectByLabels(double pass_rate, double records, const VerdictCounts& labels);

// Returns the 95% interval of now - base, from the intervals of both, as if they were independent (G. Y. Zou
// and A. Donner, "Construction of confidence limits about effect measures", Statist. Med. 27, 2008): too wide
// if their errors are alike. RETURNS: nullopt unless both have one.
std::optional<Interval> CorrectedDifference(const CorrectedPassRate& base, const CorrectedPassRate& now);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_
