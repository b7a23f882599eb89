// engine/rank/scorer_ranking.h: the models of one scorer in order, and how sure that order is.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/rank/score_sheet.h"
#include "engine/statistics/sign_flip.h"
#include "leafscore/compare.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// What a comparison of two models alone would say. Stateless.

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

struct ScorerRanking {
  std::vector<LeaderboardRow> rows;
  ScoreMatrix by_task;             // with options.task
  RankingSensitivity sensitivity;  // likewise: to tasks
};

// Returns the rows of a scorer: the best mean over all first, equals by name, then those
// without a rank by name; the same for any order of the lines, but for ids that are repeated.
// ERRORS: Error(kInput) for a repeated id with Repeats::kError, more models than kMaxGrouped with groups, and
//         those of FindAsked.
// COST:   8 bytes for each id and model, and 8 for its verdict; the tests of all pairs.
ScorerRanking RankModels(const ScoreSheet& sheet, std::uint32_t scorer, const IdFields& id_fields,
                         const LeaderboardOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_
