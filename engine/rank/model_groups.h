// engine/rank/model_groups.h: which models paired tests cannot tell apart. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_MODEL_GROUPS_H_
#define LEAFSCORE_ENGINE_RANK_MODEL_GROUPS_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/rank/shared_scores.h"

namespace leafscore::internal {

// Returns letters for each of these models (CompactLetters): two models share one exactly if their test,
// corrected by Holm's method for all pairs, does not tell them apart (two-sided, 5%). The test is the
// sign-flip test; of more than 100 pairs the paired t-test, as the correction would ask for smaller p-values
// than 9,999 flips can show.
// RETURNS: nothing for more letters than CompactLetters can find.
// ERRORS:  Error(kInput) for more models than kMaxGrouped.
// COST:    a microsecond a pair and unit, some nanoseconds for the t-test.
std::optional<std::vector<std::string>> GroupLetters(const SharedScores& scores, const IdPart& part,
                                                     std::span<const std::size_t> models);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_MODEL_GROUPS_H_
