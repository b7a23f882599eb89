// engine/match/unexpected_leaves.h: the leaves of an actual value that are expected nowhere.
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

  // Returns how many leaves of the actual value have no counterpart: none has their key or position, or what
  // stands there is no object, or no array, as theirs is. With `texts_hold_json`, a text that begins like an
  // object or array may be either.
  // COST: looks at the children of objects and arrays, but not of those that hold leaves alone and have the
  //       keys of their counterpart.
  std::uint32_t Count(ValueRef expected, ValueRef actual, bool texts_hold_json = false);

 private:
  PairWalker walker_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_UNEXPECTED_LEAVES_H_
