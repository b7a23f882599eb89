// engine/compare/verdicts.h: decides the verdicts on the rows of a family of tests, corrected for multiple
// testing. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
#define LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns the corrected p-values of a family. `least_p` has the smallest p that each test could have given.
std::vector<double> CorrectedP(std::span<const double> p, std::span<const double> least_p,
                               Correction correction);

// Fills units_to_fail of the rows, which are one family. With `anytime`, the tests are AnytimeP, and the
// correction counts all of them. Without it, the correction for a row counts only figures with at least as
// many units as the row.
void SetUnitsToFail(std::span<ComparedRow* const> rows, double alpha, Correction correction,
                    bool anytime = false);

// Fills the other members that depend on the family: p_corrected, p_equivalence_corrected, the verdicts and,
// for whole scorers that are inconclusive, how more units would help.
//
// A figure is equivalent if a change of at least the margin is ruled out for any distribution of scores, and
// the share of records that say nothing about the answers is at most the margin. Else it improved or
// regressed if the test of no difference is significant. Else it is inconclusive. A group that could not fail
// is always inconclusive. Figures that changed in no record are not tested for a change, and are not in the
// family (R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46, 1990).
// REQUIRES: SetUnitsToFail for the same rows.
// RETURNS: the number of tests in the family.
std::size_t DecideFamily(std::span<ComparedRow* const> rows, double margin, double alpha,
                         Correction correction);

// Returns the joint verdict of two figures of a row: regressed if either is; else their verdict if they
// agree; else improved if either is; else inconclusive. For several figures, apply it in any order.
ComparisonVerdict Joined(ComparisonVerdict a, ComparisonVerdict b);

// Returns the graver of two verdicts, in the order regressed, inconclusive, improved, equivalent.
ComparisonVerdict Graver(ComparisonVerdict a, ComparisonVerdict b);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
