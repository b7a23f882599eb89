// engine/rank/than_next.h: what a comparison of two models alone would say. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_THAN_NEXT_H_
#define LEAFSCORE_ENGINE_RANK_THAN_NEXT_H_

#include <span>

#include "engine/statistics/sign_flip.h"
#include "leafscore/compare.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Neighbours are compared with the defaults of leafscore compare.
inline const double kMarginThanNext = ComparisonOptions().margin;

// How much more a model has than the next one: of scores, or of verdicts.
struct TestedDifference {
  SignFlipResult test;
  double p_equivalence = 1;  // of a difference of kMarginThanNext or more
};

// Returns what leafscore compare says of one scorer where the next model is the base. `rows` are the scores
// and, if the scorer passes or fails records otherwise than by its score, the verdicts. `say_nothing` is the
// share of the records that say nothing of the answer of one model or both.
ThanNext CompareWithNext(std::span<const TestedDifference> rows, double say_nothing);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_THAN_NEXT_H_
