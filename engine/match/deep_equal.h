// engine/match/deep_equal.h: compares two JSON values for equality.
#ifndef LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_
#define LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// Returns whether `number`, the double nearest to what `token` spells, may stand for the token in comparisons
// that must be transitive. This holds for NaN, infinities, reals within the range of doubles, and integers
// that are exactly this double. Any other number equals only a number with the same spelling.
bool StandsForDouble(std::string_view token, double number);

// Returns whether two values are equal. Numbers are compared by EqualNumbers, strings by their unescaped
// texts, and objects in any order of keys. COST: linear in the values, up to the first difference.
bool DeepEqual(ValueRef expected, ValueRef actual, PairWalker& walker);

// Returns a hash that is the same for all values that are DeepEqual. There is one exception: an integer that
// is not exactly a double may have another hash than the real nearest to it. Without `seed`, each process
// uses a seed of its own, so that nobody can prepare values with the same hash. COST: linear in the value.
std::uint64_t DeepHash(ValueRef value, const ShapeTable& shapes, std::optional<std::uint64_t> seed = {});

// Returns whether two arrays have equal elements, each the same number of times, in any order. Here an
// integer that is not exactly a double equals only itself, although DeepEqual also accepts the nearest real.
// REQUIRES: both are arrays. COST: elements are sorted by hash; only elements with equal hashes are compared.
bool EqualInAnyOrder(ValueRef expected, ValueRef actual, const ShapeTable& shapes, PairWalker& walker);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_
