// engine/compare/scorer_comparison.h: compares one scorer in two files: over all records, within groups, and
// field by field.
#ifndef LEAFSCORE_ENGINE_COMPARE_SCORER_COMPARISON_H_
#define LEAFSCORE_ENGINE_COMPARE_SCORER_COMPARISON_H_

#include <cstdint>
#include <set>
#include <string_view>

#include "engine/compare/compared_scores.h"
#include "engine/compare/pairing.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Returns the comparison of a scorer without verdicts; its worst records have only scores and outcomes. The
// rows are computed by ParallelFor. ERRORS: Error(kInput) for too many groups.
ScorerComparison CompareScorer(const ComparedNames& names, const OrderedIds& order, std::uint32_t scorer,
                               const Side& base, const Side& now, const ComparisonOptions& options);

// Adds one row, without a verdict, for all records of the given groups of a scorer.
void PoolGroups(const OrderedIds& order, const Side& base, const Side& now,
                const std::set<std::string_view>& groups, const ComparisonOptions& options,
                ScorerComparison& scorer);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_SCORER_COMPARISON_H_
