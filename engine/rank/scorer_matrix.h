// engine/rank/scorer_matrix.h: the parts that all matrices share, and means by model and scorer. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
#define LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_

#include <span>
#include <string>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns a matrix of one scorer without columns yet, with a row for each of these rows.
ScoreMatrix MatrixOf(std::span<const LeaderboardRow> rows, std::string field);

// Marks the highest means of the last column as the best, if there are several ranked models.
void MarkBest(ScoreMatrix& matrix);

// Adds a column with the mean of the columns before it, with the best of the ranked models marked.
void AddMeanColumn(ScoreMatrix& matrix);

// Adds a column with the means over all ids. REQUIRES: the rows that the matrix was made of.
void AddOverAllColumn(std::span<const LeaderboardRow> rows, ScoreMatrix& matrix);

// Returns the means over all ids, from rows sorted by scorer. Its rows are sorted by mean, equal ones by
// name; models without a scorer or a rank come last.
ScoreMatrix ScorerMatrix(std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SCORER_MATRIX_H_
