// engine/statistics/looks.h: tests that are evaluated more than once, while data come in. Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_LOOKS_H_
#define LEAFSCORE_ENGINE_STATISTICS_LOOKS_H_

#include <cstdint>
#include <span>

#include "engine/statistics/paired_units.h"

namespace leafscore::internal {

// Returns how much of alpha is spent once this share of the planned units has been seen: little early, and
// all of it at the end (K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials",
// Biometrika 70, 1983, in the form of O'Brien and Fleming). Each look tests at the level that is spent after
// it, minus the level that was spent before it. The chance of a false alarm at any look is then at most
// alpha, whatever the tests are. REQUIRES: share > 0; a share above 1 counts as 1.
double SpentAlpha(double share, double alpha);

// Returns a p-value that is valid at every look, planned or not, for two runs that could swap their answers
// unit by unit. The p-value is 1/e, where e is the mean over theta of prod exp(theta x) / cosh(theta x).
// Here, x is the mean difference of a unit, and theta is one of +-2^(j/2) with j from -4 to 14. Without a
// change, e is a supermartingale (J. Ville, "Etude critique de la notion de collectif", 1939; V. H. de la
// Pena, "A general class of exponential inequalities for martingales and ratios", Ann. Probab. 27, 1999; A.
// Ramdas, J. Ruf, M. Larsson and W. Koolen, "Admissible anytime-valid sequential inference must rely on
// nonnegative martingales", arXiv:2009.03167).
// RETURNS: the same bits for any order of the units. COST: sorts the units; 19 logarithms for each distinct
// difference.
double AnytimeP(std::span<const Unit> units);

// Returns the smallest AnytimeP that `units` units can give. It is reached if all their records fell from 1
// to 0.
double LeastAnytimeP(std::uint64_t units);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_LOOKS_H_
