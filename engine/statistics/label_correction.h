// engine/statistics/label_correction.h: corrects the pass rate that an imperfect judge gives. The correction
// is based on answers that both people and the judge have judged. Stateless.
//
// The estimate is by W. J. Rogan and B. Gladen ("Estimating prevalence from the results of a screening test",
// Am. J. Epidemiol. 107, 1978). The interval, which allows for chance in both the answers and the labels, is
// by Z. Lang and J. Reiczigel ("Confidence limits for prevalence of disease adjusted for estimated
// sensitivity and specificity", Prev. Vet. Med. 113, 2014). C. Lee et al. ("How to correctly report
// LLM-as-a-judge evaluations", arXiv:2511.21140) recommend it for judges.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_
#define LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_

#include <cstdint>
#include <optional>

#include "leafscore/report.h"

namespace leafscore::internal {

// A correction needs at least this number of answers that people pass, and at least this number that people
// fail.
inline constexpr std::uint64_t kLeastLabels = 5;

// Corrects a pass rate. `records` is the number of independent answers behind the rate. With sensitivity a,
// specificity b and raw rate p, the corrected rate is (p + b - 1) / (a + b - 1), limited to [0, 1].
// RETURNS: no rate if there are fewer than kLeastLabels labels of either kind, or if a + b <= 1. If the
// labels are too few to show that a + b > 1, the interval is all of [0, 1].
// REQUIRES: records > 0.
CorrectedPassRate CorrectByLabels(double pass_rate, double records, const VerdictCounts& labels);

// Returns the 95% interval of now - base. It combines the intervals of both rates as if the rates were
// independent (G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures", Statist.
// Med. 27, 2008); it is too wide if the errors of the rates are alike. RETURNS: nullopt unless both rates
// have an interval.
std::optional<Interval> CorrectedDifference(const CorrectedPassRate& base, const CorrectedPassRate& now);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LABEL_CORRECTION_H_
