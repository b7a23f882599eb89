// engine/compare/verdicts.h: what the rows of a family of tests say, once they are corrected for being
// several. Stateless.
#ifndef LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
#define LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_

#include <cstddef>
#include <span>

#include "leafscore/compare.h"

namespace leafscore::internal {

// Fills p_corrected, p_equivalence_corrected, verdict and more_units of the rows, which are one family.
//
// A row is equivalent when the two one-sided tests say so and there are LeastUnits of units at least; else it
// improved or regressed when the test of no difference says so; else it is inconclusive. Rows of
// which no record changed need no test of a change, and are not in the family (compare R. E. Tarone, "A
// modified Bonferroni method for discrete data", Biometrics 46, 1990).
// RETURNS: the number of tests in the family.
std::size_t DecideFamily(std::span<ComparedMean* const> rows, double margin, double alpha,
                         Correction correction);

// Returns the graver of two verdicts: regressed, inconclusive, improved, equivalent.
ComparisonVerdict Graver(ComparisonVerdict a, ComparisonVerdict b);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_VERDICTS_H_
