// engine/statistics/sign_flip.h: whether two models that were asked the same can be told apart.
//
// The test is the sign-flip test, also called the paired permutation or randomization test (R. A. Fisher,
// "The Design of Experiments", 1935, section 21). If two models are equally good, each difference between
// them could as well have the other sign; so the sum of the differences is compared with their sums under
// other choices of the signs. Scores are bounded, mostly 0 or 1 and often equal, so that their differences
// are far from normal: a t-test holds for them only when there are many, and the tests of Wilcoxon and of
// signs look at another question than the mean. This one needs no distribution: for models that could swap
// their answers it is exact with any number of records, and for those whose means alone are equal, with many
// (J. P. Romano, "On the behavior of randomization tests without a group invariance assumption", J. Amer.
// Statist. Assoc. 85, 1990). M. D. Smucker, J. Allan and B. Carterette, "A comparison of statistical
// significance tests for information retrieval evaluation", CIKM 2007, advise against those two. With
// clusters, whose records are dependent, all differences of a cluster flip together: the caller hands over
// their sums (I. A. Canay, J. P. Romano and A. M. Shaikh, "Randomization tests under an approximate symmetry
// assumption", Econometrica 85, 2017). Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_
#define LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_

#include <span>

namespace leafscore::internal {

// Returns the two-sided p-value of the mean of these differences being 0: the share of the choices of signs
// whose sum is at least as far from 0. Of at most 16 differences that are not 0 all choices are looked at; of
// more, 9,999 random ones (with a fixed seed) and the one that was seen (B. Phipson and G. K. Smyth,
// "Permutation p-values should never be zero", Stat. Appl. Genet. Mol. Biol. 9, 2010).
// RETURNS: 1 when there is no difference. The same on every machine.
// COST:    about a microsecond a difference.
double SignFlipTest(std::span<const double> differences);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_SIGN_FLIP_H_
