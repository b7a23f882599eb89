// engine/statistics/worst_case.h: how far the mean difference may be from what was seen, where rare large
// differences may have been missed: the bound behind "equivalent" and --max-drop.
//
// One unit of the worst size is added to those seen, all of its records at -1, and all units are weighed by
// independent exponential weights E_i: W = sum E_i s_i / sum E_i c_i. The lower bound at a level is that
// quantile of W. For drops of 1 among no other differences it is C. J. Clopper and E. S. Pearson's exact
// bound (Biometrika 26, 1934). For differences in [-1, 1] no distribution is known for which it does not hold
// (N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
// variable", Math. Methods Statist. 14, 2005; E. Learned-Miller and P. S. Thomas, "A new confidence interval
// for the mean of a bounded random variable", arXiv:1905.06208). The distribution of W is R. Lugannani and S.
// Rice's approximation ("Saddle point approximation for the distribution of the sum of independent random
// variables", Adv. Appl. Probab. 12, 1980), so that nothing is drawn.
#ifndef LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_
#define LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/statistics/paired_units.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Scores that are equal, and how many there are.
struct CountedScore {
  double score = 0;
  std::uint64_t count = 0;
};

// Returns the interval that holds the mean of scores like these, from 0 to 1, with this confidence, whatever
// they are like: both ends are worst-case bounds, as if one more score had been seen, 0 below and 1 above. Of
// scores that are 0 or 1 it is Clopper and Pearson's but for the approximation. Scores that depend on each
// other tell less: with `weight`, from 0 to 1, each is that part of one. REQUIRES: at least one score. COST:
// some 0.3 us a side and a distinct score.
Interval MeanScoreInterval(std::span<const CountedScore> scores, double confidence, double weight = 1);

// The bounds for some units. Owns what it needs of them. THREADS: const calls from any.
class WorstCaseBound {
 public:
  // COST: sorts the units; of more than 65,536 of one size puts those together that hardly differ.
  explicit WorstCaseBound(std::span<const Unit> units);

  // Units of one record each, so many of each difference, or that many times `weight`.
  explicit WorstCaseBound(std::span<const CountedScore> differences, double weight = 1);

  // Returns the lower bound of the mean difference, which holds with confidence 1 - alpha: one-sided.
  // RETURNS: what the definition says within 1e-9, and the same bits for any order of the units. More than
  // 65,536 units of one size are put together in bins: within 2e-9, and their order may change the last bits.
  double Lower(double alpha) const;

  // Returns the upper bound, one-sided too.
  double Upper(double alpha) const;

  // Returns the p-value of the mean difference being outside (-margin, margin): the larger one of two
  // one-sided tests. REQUIRES: margin > 0.
  double EquivalenceP(double margin) const;

 private:
  // Units with equal differences.
  struct Term {
    double sum = 0;
    double count = 1;
    double times = 1;
  };

  // Returns the chance that W is `x` at most, for the sums times `sign`, which is 1 or -1.
  double ShareUpTo(double x, double sign) const;
  void SetTerms(std::span<const Unit> units);
  void SetBins(std::span<const Unit> units);
  double LowerOf(double alpha, double sign) const;

  std::vector<Term> terms_;
  double largest_count_ = 1;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_WORST_CASE_H_
