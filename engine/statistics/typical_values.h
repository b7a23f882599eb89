// engine/statistics/typical_values.h: the interval of the mean difference that corresponds to the sign-flip
// test. Stateless; any thread may call.
//
// A shift is in the interval if the sign-flip test of the differences minus the shift does not reject it. The
// ends are order statistics of the means of subsets of the units. J. A. Hartigan ("Using subsample values as
// typical values", J. Amer. Statist. Assoc. 64, 1969) calls these means typical values: the mean of a
// symmetric distribution is equally likely to lie between any two neighbouring values. This holds for the
// means of all subsets, and of a random set of subsets.
#ifndef LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_
#define LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_

#include <span>

#include "engine/statistics/paired_units.h"
#include "engine/statistics/sign_flip.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns the interval that contains the mean difference with confidence 1 - alpha. `test` is the sign-flip
// test of the units. The interval never contradicts the test: it excludes 0 if and only if p < alpha. For at
// most 13 units, all subsets are used; for more units, 9,999 random subsets with a fixed seed. More than
// kMostBlocks units are first combined by BlocksOf, so the order of the units then matters.
// RETURNS: -1 to 1 if there are too few units for any other interval.
// COST: about 2 ns per subset for every 8 units.
Interval TypicalValuesInterval(std::span<const Unit> units, double alpha, const SignFlipResult& test);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_
