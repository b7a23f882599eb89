// engine/match/unexpected_leaves.h: counts the leaves of an actual value that have no expected counterpart.
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_MATCH_UNEXPECTED_LEAVES_H_
#define LEAFSCORE_ENGINE_MATCH_UNEXPECTED_LEAVES_H_

#include <cstdint>

#include "engine/json/shape_table.h"
#include "engine/match/pair_walker.h"

namespace leafscore::internal {

class UnexpectedLeaves {
 public:
  explicit UnexpectedLeaves(ShapeTable* shapes) : walker_(shapes) {}

  // Returns how many leaves of the actual value have no counterpart: the expected value lacks their key or
  // position, or has a value of another kind in place of the object or array around them. With
  // `texts_hold_json`, an expected text that begins like an object or array is not a value of another kind.
  // COST: looks at the children of objects and arrays, except if all of them are leaves with the same keys as
  // the counterpart.
  std::uint32_t Count(ValueRef expected, ValueRef actual, bool texts_hold_json = false);

 private:
  PairWalker walker_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_UNEXPECTED_LEAVES_H_
