// engine/rank/scorer_matrix.h: means by model and scorer. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_

#include <span>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Adds the column of the mean of those before it, with the best of the ranked models marked.
void AddMeanColumn(ScoreMatrix& matrix);

// Returns the means over all of rows that are ordered by scorer. Its rows are by their mean, equals by name,
// and models that lack a scorer or a rank come last.
ScoreMatrix ScorerMatrix(std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
