// engine/compare/verdicts.h: what the rows of a family of tests say, once they are corrected for being
// several. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
#define LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_

#include <cstddef>
#include <span>
#include <vector>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns the p-values of a family, corrected. `least_p` has the smallest that each test could have given.
std::vector<double> CorrectedP(std::span<const double> p, std::span<const double> least_p,
                               Correction correction);

// Fills units_to_fail of the rows, which are one family. With `anytime` their tests are AnytimeP, which all
// count against each other.
void SetUnitsToFail(std::span<ComparedRow* const> rows, double alpha, Correction correction,
                    bool anytime = false);

// Fills the rest of what the family decides: p_corrected, p_equivalence_corrected, the verdicts and, of whole
// scorers that are inconclusive, what more units would tell.
//
// A figure is equivalent when a change of the margin or more is ruled out whatever the scores are like; else
// it improved or regressed when the test of no difference says so; else it is inconclusive, as is a group
// that could not fail. Figures of which no record changed need no test of a change, and are not in the family
// (R. E. Tarone, "A modified Bonferroni method for discrete data", Biometrics 46, 1990).
// REQUIRES: SetUnitsToFail of the same rows.
// RETURNS:  the number of tests in the family.
std::size_t DecideFamily(std::span<ComparedRow* const> rows, double margin, double alpha,
                         Correction correction);

// Returns the verdict of two figures of a row together: regressed if either is, their own where they agree,
// else improved if either is, else inconclusive. Of several figures, in any order.
ComparisonVerdict Joined(ComparisonVerdict a, ComparisonVerdict b);

// Returns the graver of two verdicts: regressed, inconclusive, improved, equivalent.
ComparisonVerdict Graver(ComparisonVerdict a, ComparisonVerdict b);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
