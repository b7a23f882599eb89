// engine/rank/scorer_matrix.h: means by model and scorer. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_

#include <span>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Adds a column with the mean of the columns before it, with the best of the ranked models marked.
void AddMeanColumn(ScoreMatrix& matrix);

// Returns the means over all ids, from rows sorted by scorer. Its rows are sorted by mean, equal ones by
// name; models without a scorer or a rank come last.
ScoreMatrix ScorerMatrix(std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
