// engine/scorers/normalised_equal.h: compares two values after their leaves are normalised. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_
#define LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_

#include <string>
#include <string_view>
#include <vector>

#include "engine/match/pair_walker.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {

// A leaf after normalisation.
struct NormalLeaf {
  NormalForm form = NormalForm::kNothing;
  std::string text;  // of a number or text

  // Tells whether both leaves are the same; numbers are compared by value.
  bool operator==(const NormalLeaf& other) const;
};

// REQUIRES: not a container.
NormalLeaf NormalLeafOf(ValueRef leaf, const Normaliser& normaliser);

// Tells whether two leaves are equal or both kNothing. REQUIRES: neither is a container.
bool EqualLeaves(ValueRef expected, ValueRef actual, const Normaliser& normaliser);

// Tells whether two values are DeepEqual after the normaliser is applied to their leaves.
bool EqualWhenNormalised(ValueRef expected, ValueRef actual, const Normaliser& normaliser,
                         PairWalker& walker);

// Returns the names of the steps that are needed to make two leaves equal. REQUIRES: the leaves are
// EqualLeaves.
std::vector<std::string_view> NeededSteps(ValueRef expected, ValueRef actual, const Normaliser& normaliser);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_NORMALISED_EQUAL_H_
