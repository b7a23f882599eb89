// engine/rank/scorer_ranking.h: sorts the models of one scorer, and tests how sure their order is.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/rank/score_sheet.h"
#include "engine/statistics/sign_flip.h"
#include "leafscore/compare.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// The result of comparing two models alone. Stateless.

// Neighbours are compared with the defaults of leafscore compare.
inline const double kMarginThanNext = ComparisonOptions().margin;

// How much better a model is than the next one, in scores or in verdicts.
struct TestedDifference {
  SignFlipResult test;
  double p_equivalence = 1;  // p of the test that rules out a difference of kMarginThanNext or more
};

// Returns the result of `leafscore compare` for a model, with the next model as the base, under one scorer.
// `rows` has the difference in scores and, if verdicts differ from scores, the difference in verdicts.
// `say_nothing` is the share of the records that say nothing about the answer of one model or both.
ThanNext CompareWithNext(std::span<const TestedDifference> rows, double say_nothing);

struct ScorerRanking {
  std::vector<LeaderboardRow> rows;
  ScoreMatrix by_task;                       // with options.task
  std::optional<ScoreMatrix> by_field = {};  // with options.fields, if lines list fields
  RankingSensitivity sensitivity;            // with options.task: sensitivity to tasks
};

// Returns the rows of a scorer. Ranked rows come first, sorted by mean over all ids, then by name; rows
// without a rank follow, sorted by name. The result is the same for any order of the lines, except for
// repeated ids.
// ERRORS: Error(kInput) for a repeated id with Repeats::kError, more models than kMaxGrouped with groups, and
// errors of FindAsked.
// COST: 8 bytes for each id and model, and 8 more if verdicts differ from scores; the tests of all pairs.
ScorerRanking RankModels(const ScoreSheet& sheet, std::uint32_t scorer, const IdFields& id_fields,
                         const LeaderboardOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_RANKING_H_
