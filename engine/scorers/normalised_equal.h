// engine/scorers/normalised_equal.h: whether two values are equal once their leaves are normalised.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_
#define LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_

#include <string_view>
#include <vector>

#include "engine/match/pair_walker.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

// Tells whether two leaves are equal, or both are nothing. REQUIRES: neither is a container.
bool EqualLeaves(ValueRef expected, ValueRef actual, const Normaliser& normaliser);

// Tells whether two values are DeepEqual but for what the normaliser makes one of.
bool EqualWhenNormalised(ValueRef expected, ValueRef actual, const Normaliser& normaliser,
                         PairWalker& walker);

// Returns the names of the steps without which two leaves that are EqualLeaves would not be.
std::vector<std::string_view> NeededSteps(ValueRef expected, ValueRef actual, const Normaliser& normaliser);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_
