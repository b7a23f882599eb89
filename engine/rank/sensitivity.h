// engine/rank/sensitivity.h: how far a ranking depends on the scorer and on single tasks. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_SENSITIVITY_H_
#define LEAFSCORE_ENGINE_RANK_SENSITIVITY_H_

#include <cstddef>
#include <span>
#include <vector>

#include "engine/rank/shared_scores.h"
#include "engine/rank/task_scores.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns, for each pair of scorers, how far they agree on the models that both rank. REQUIRES: rows sorted
// by scorer.
std::vector<ScorerAgreement> CompareScorers(std::span<const LeaderboardRow> rows);

// Leaves out each task in turn, and ranks the models of a scorer over the others. `models` are the models of
// the rows; all have a rank and were asked the same.
// RETURNS: the tasks and the models; both are empty unless there are at least two tasks and two models.
// COST: a few nanoseconds for each id and model; for each task, quadratic in the models.
RankingSensitivity LeaveTasksOut(const SharedScores& scores, const TaskScores& tasks,
                                 std::span<const std::size_t> models, std::span<const LeaderboardRow> rows);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_SENSITIVITY_H_
