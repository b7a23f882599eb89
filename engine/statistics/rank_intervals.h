// engine/statistics/rank_intervals.h: the possible ranks of models, from tests of all pairs of models.
// Stateless.
#ifndef LEAFSCORE_ENGINE_STATISTICS_RANK_INTERVALS_H_
#define LEAFSCORE_ENGINE_STATISTICS_RANK_INTERVALS_H_

#include <span>
#include <vector>

#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns an interval for the rank of each model: from 1 + the number of models that are surely better, to
// the number of models that are not surely worse. A model is surely better than another if its mean is higher
// and the corrected p of the pair is below alpha. With confidence 1 - alpha, all intervals hold at once (M.
// Klein, T. Wright and J. Wieczorek, "A joint confidence region for an overall ranking of populations", J. R.
// Statist. Soc. A 183, 2020; M. Mogstad, J. P. Romano, A. M. Shaikh and D. Wilhelm, "Inference for ranks with
// applications to mobility across neighbourhoods and academic achievement across countries", Rev. Econ. Stud.
// 91, 2024). `p_corrected` has the p-values of all pairs, corrected as one family: (0, 1), (0, 2), ..., (1,
// 2), ...
// REQUIRES: p_corrected.size() is means.size() * (means.size() - 1) / 2.
std::vector<Interval> SimultaneousRankIntervals(std::span<const double> means,
                                                std::span<const double> p_corrected, double alpha);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_STATISTICS_RANK_INTERVALS_H_
