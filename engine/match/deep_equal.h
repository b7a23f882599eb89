// engine/match/deep_equal.h: compares two JSON values for equality.
#ifndef LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_
#define LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/match/pair_walker.h"

namespace leafscore::internal {

// Tells whether a number can be represented by `number`, its nearest double, when equality must be
// transitive: it is NaN or infinite, a real within the range, or an integer that is exactly that double. Any
// other number equals only a number with the same spelling.
bool StandsForDouble(std::string_view token, double number);

// Tells whether two values are equal: numbers by EqualNumbers, strings by their unescaped texts, objects
// whatever the order of their keys. COST: linear in the values, up to the first difference.
bool DeepEqual(ValueRef expected, ValueRef actual, PairWalker& walker);

// Returns a hash that values which are DeepEqual share, apart from integers that are not exactly a double and
// the real nearest to them. Without a seed, each process has its own, so that nobody can prepare values that
// share one. COST: linear in the value.
std::uint64_t DeepHash(ValueRef value, const ShapeTable& shapes, std::optional<std::uint64_t> seed = {});

// Tells whether two arrays have equal elements, each the same number of times, in any order. Here an integer
// that is not exactly a double equals only itself, although DeepEqual also accepts the real nearest to it.
// REQUIRES: both are arrays. COST: elements are sorted by hash; only elements with equal hashes are compared.
bool EqualInAnyOrder(ValueRef expected, ValueRef actual, const ShapeTable& shapes, PairWalker& walker);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_DEEP_EQUAL_H_
