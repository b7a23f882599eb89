// engine/rank/scorer_matrix.h: the parts that all matrices share, and means by model and scorer. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_

#include <span>
#include <string>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns a matrix for one scorer, with a row for each of these rows and without columns.
ScoreMatrix MatrixOf(std::span<const LeaderboardRow> rows, std::string field);

// Marks the highest means of the last column as the best, if there are several ranked models.
void MarkBest(ScoreMatrix& matrix);

// Adds a column with the mean of the columns before it, and marks the best of the ranked models in it.
void AddMeanColumn(ScoreMatrix& matrix);

// Adds a column with the means over all ids. REQUIRES: the rows from which the matrix was made.
void AddOverAllColumn(std::span<const LeaderboardRow> rows, ScoreMatrix& matrix);

// Returns a matrix of the means over all ids. Its rows are sorted by mean, then by name; models that lack a
// scorer or a rank come last. REQUIRES: rows sorted by scorer.
ScoreMatrix ScorerMatrix(std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
