// engine/statistics/sign_flip.h: tests whether two runs over the same records differ.
//
// The test is the sign-flip test, also called the paired permutation or randomization test (R. A. Fisher,
// "The Design of Experiments", 1935, section 21; E. J. G. Pitman, "Significance tests which may be applied to
// samples from any populations", J. R. Statist. Soc. Suppl. 4, 1937). If two runs could swap their answers
// unit by unit, each difference could just as well have the other sign. The sum of the differences is
// therefore compared with the sums for all other choices of signs. The choices are counted, not sampled. For
// such runs the test is exact for any number of units and any distribution of scores. For runs that only have
// equal means, it is exact in the limit of many units (A. Janssen, "Studentized permutation tests for
// non-i.i.d. hypotheses and the generalized Behrens-Fisher problem", Statist. Probab. Lett. 36, 1997; the sum
// of squares is the same for all signs, so studentizing changes nothing). For verdicts it is McNemar's exact
// test. All differences in a cluster flip together (I. A. Canay, J. P. Romano and A. M. Shaikh,
// "Randomization tests under an approximate symmetry assumption", Econometrica 85, 2017). Stateless; any
// thread may call.
#ifndef LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_
#define LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_

#include <cstdint>
#include <span>

#include "engine/statistics/paired_units.h"

namespace leafscore::internal {

// How the choices of signs were counted.
enum class SignFlipMethod {
  kNone,           // no counting: no unit differs, or the sums of both signs are equal
  kBinomial,       // all differences have the same size
  kAll,            // one by one, for at most 16 units that differ
  kLattice,        // exactly, if all differences are multiples of one number
  kGrid,           // on a grid, with p on the safe side: at most 2% too large
  kGridAndNormal,  // the 2,048 largest differences on the grid, and the others as normal noise
};

struct SignFlipResult {
  double p = 1;        // two-sided
  double least_p = 1;  // the smallest p that these units could have given: 2^(1 - rises - falls), at most 1
  double difference = 0;    // mean difference per record
  std::uint64_t rises = 0;  // units whose differences have a positive sum
  std::uint64_t falls = 0;
  SignFlipMethod method = SignFlipMethod::kNone;

  std::uint64_t differing() const { return rises + falls; }
};

// Tests whether the mean difference is 0: if m units differ, p is the share of the 2^m choices of signs whose
// sum is at least as far from 0 as the observed sum.
// RETURNS: the same bits of p for any order of the units and on every machine.
// COST: sorts the units that differ. After that, microseconds for up to 16 of these units, or if all
// differences have the same size; about 2^21 additions for 30 units, and 2^27 for 2,048 or more (M. Pagano
// and D. Tritchler, "On obtaining permutation distributions in polynomial time", J. Amer. Statist. Assoc. 78,
// 1983).
SignFlipResult SignFlipTest(std::span<const Unit> units);

// The same for units with one record each.
SignFlipResult SignFlipTest(std::span<const double> differences);

// Returns 2^(1 - units), at most 1: the smallest p that `units` units that differ can give.
double LeastSignFlipP(std::uint64_t units);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_
