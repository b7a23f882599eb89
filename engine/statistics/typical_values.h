// engine/statistics/typical_values.h: the sign-flip test turned round, an interval for the mean difference.
// Stateless; any thread may call.
//
// A shift is in the interval if the sign-flip test of the differences less that shift does not reject it. Its
// ends are order statistics of the means of subsets of the units, which J. A. Hartigan, "Using subsample
// values as typical values", J. Amer. Statist. Assoc. 64, 1969, calls typical values: of all subsets, or of a
// random set of them, the mean of a symmetric distribution lies between any two neighbours with the same
// chance.
#ifndef LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_
#define LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_

#include <span>

#include "engine/statistics/paired_units.h"
#include "engine/statistics/sign_flip.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns the interval that holds the mean difference with confidence 1 - alpha. `test` is the sign-flip test
// of the units, which the interval never contradicts: it leaves out 0 if and only if p < alpha. Of at most 13
// units all subsets are looked at, of more 9,999 random ones with a fixed seed. Beyond kMostBlocks units it
// takes BlocksOf them, and the order of the units matters then. RETURNS: -1 to 1 where the units are too few
// for any other. COST:    about 2 ns for each subset and each 8 units.
Interval TypicalValuesInterval(std::span<const Unit> units, double alpha, const SignFlipResult& test);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_TYPICAL_VALUES_H_
