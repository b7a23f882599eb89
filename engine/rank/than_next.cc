#include "engine/rank/than_next.h"

#include <cstddef>
#include <vector>

#include "engine/statistics/families.h"

namespace leafscore::internal {

ThanNext CompareWithNext(std::span<const TestedDifference> rows, double say_nothing) {
  const double alpha = ComparisonOptions().alpha;
  const bool is_known = say_nothing <= kMarginThanNext;
  std::vector<double> p_equivalence;
  std::vector<double> p;  // of rows that changed: no other can give a false alarm
  std::vector<double> least_p;
  for (const TestedDifference& row : rows) {
    p_equivalence.push_back(row.p_equivalence);
    if (row.test.differing() == 0) continue;
    p.push_back(row.test.p);
    least_p.push_back(row.test.least_p);
  }
  p_equivalence = HolmCorrected(p_equivalence);
  p = HolmAttainableCorrected(p, least_p);

  bool all_equivalent = true;
  bool any_better = false;
  auto corrected = p.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const SignFlipResult& test = rows[i].test;
    const bool is_sure = test.differing() > 0 && *corrected++ < alpha;
    if (is_known && p_equivalence[i] < alpha) continue;
    all_equivalent = false;
    if (is_sure && test.difference < 0) return ThanNext::kWorse;
    any_better |= is_sure;
  }
  if (any_better) return ThanNext::kBetter;
  return all_equivalent ? ThanNext::kNoWorse : ThanNext::kCannotTell;
}

}  // namespace leafscore::internal
