// engine/statistics/worst_case.h: bounds of the mean difference. They allow for rare large differences that
// were not observed. The verdict "equivalent" and --max-drop use these bounds.
//
// One unit is added to the observed units. It has as many records as the largest unit, all with the
// difference -1. All units get independent exponential weights E_i: W = sum E_i s_i / sum E_i c_i, where s_i
// is the sum and c_i the number of records of a unit. The lower bound at level alpha is the alpha quantile of
// W. If all differences are 0 or drops of 1, it is the exact bound of C. J. Clopper and E. S. Pearson
// (Biometrika 26, 1934). No distribution of differences in [-1, 1] is known for which the bound does not hold
// (N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
// variable", Math. Methods Statist. 14, 2005; E. Learned-Miller and P. S. Thomas, "A new confidence interval
// for the mean of a bounded random variable", arXiv:1905.06208). The distribution of W is computed by the
// approximation of R. Lugannani and S. Rice ("Saddle point approximation for the distribution of the sum of
// independent random variables", Adv. Appl. Probab. 12, 1980), without sampling.
#ifndef LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_
#define LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/statistics/paired_units.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// A score, and how many records have it.
struct CountedScore {
  double score = 0;
  std::uint64_t count = 0;
};

// Returns an interval for the mean of scores from 0 to 1, which may have any distribution. It contains the
// mean with this confidence. Both ends are worst-case bounds: the lower end is computed as if one more score
// of 0 had been seen, the upper end as if one more score of 1 had been seen. If all scores are 0 or 1, the
// interval is Clopper and Pearson's, except for the error of the approximation. Scores that depend on each
// other contain less information; for them, `weight` is below 1, and each score counts as this fraction of a
// score. REQUIRES: at least one score. COST: some 0.3 us for each side and distinct score.
Interval MeanScoreInterval(std::span<const CountedScore> scores, double confidence, double weight = 1);

// The bounds for some units. Owns its data. THREADS: const calls from any.
class WorstCaseBound {
 public:
  // COST: sorts the units. If there are more than 65,536 units, all with the same number of records, puts
  // units that hardly differ into one bin instead of sorting.
  explicit WorstCaseBound(std::span<const Unit> units);

  // For units with one record each. `differences` has each difference with its number of units; these numbers
  // are multiplied by `weight`.
  explicit WorstCaseBound(std::span<const CountedScore> differences, double weight = 1);

  // Returns the lower bound of the mean difference, one-sided with confidence 1 - alpha.
  // RETURNS: the exact value within 1e-9, with the same bits for any order of the units. If the units are
  // combined in bins, it is within 2e-9, and the order of the units may change the last bits.
  double Lower(double alpha) const;

  // Returns the upper bound, also one-sided.
  double Upper(double alpha) const;

  // Returns the p-value of the hypothesis that the mean difference is outside (-margin, margin): the larger
  // p-value of two one-sided tests. REQUIRES: margin > 0.
  double EquivalenceP(double margin) const;

 private:
  // Units with equal differences.
  struct Term {
    double sum = 0;
    double count = 1;
    double times = 1;
  };

  // Returns the chance that W is at most `x` if all sums are multiplied by `sign`, which is 1 or -1.
  double ShareUpTo(double x, double sign) const;
  void SetTerms(std::span<const Unit> units);
  void SetBins(std::span<const Unit> units);
  double LowerOf(double alpha, double sign) const;

  std::vector<Term> terms_;
  double largest_count_ = 1;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_
