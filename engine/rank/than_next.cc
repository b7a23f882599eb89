#include "engine/rank/than_next.h"

#include <cstddef>
#include <vector>

#include "engine/statistics/families.h"

namespace leafscore::internal {

ThanNext CompareWithNext(std::span<const TestedDifference> rows, double say_nothing) {
  // Rows without a change need no test of one, and are not in the family.
  std::vector<TestedDifference> changed;
  std::vector<double> p;
  std::vector<double> least_p;
  std::vector<double> p_equivalence;
  const double alpha = ComparisonOptions().alpha;
  const bool is_known = say_nothing <= kMarginThanNext;
  bool all_equivalent = is_known;
  for (const TestedDifference& row : rows) {
    if (row.test.differing() == 0) {
      all_equivalent &= row.p_equivalence < alpha;
      continue;
    }
    changed.push_back(row);
    p.push_back(row.test.p);
    least_p.push_back(row.test.least_p);
    p_equivalence.push_back(row.p_equivalence);
  }
  p = HolmAttainableCorrected(p, least_p);
  p_equivalence = HolmCorrected(p_equivalence);

  bool any_better = false;
  for (std::size_t row = 0; row < changed.size(); ++row) {
    if (is_known && p_equivalence[row] < alpha) continue;
    all_equivalent = false;
    if (p[row] >= alpha) continue;
    if (changed[row].test.difference < 0) return ThanNext::kWorse;
    any_better = true;
  }
  if (any_better) return ThanNext::kBetter;
  return all_equivalent ? ThanNext::kNoWorse : ThanNext::kCannotTell;
}

}  // namespace leafscore::internal
