// engine/rank/versus_board.h: ranks models by matches, which are the lines of outputs whose answers were
// compared with those of a base (FileOptions::versus). Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_VERSUS_BOARD_H_
#define LEAFSCORE_ENGINE_RANK_VERSUS_BOARD_H_

#include <span>
#include <string>
#include <vector>

#include "engine/rank/score_sheet.h"
#include "engine/scores/compare_manifests.h"
#include "leafscore/error.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns a row for each scorer and model. Each file of answers that was scored or was a base is a model, and
// gives the model its name. `manifests` are the manifests of the outputs; in the sheet, the models have the
// names of the outputs instead (ModelOfFile). With LeaderboardOptions::common_only, only matches over ids
// that all outputs have count, and a warning says so. ERRORS: Error(kInput) for an output with the answers of
// several models, for two models of one name, and for a repeated id with Repeats::kError.
std::vector<VersusRow> RankByMatches(const ScoreSheet& sheet, std::span<const NamedManifest> manifests,
                                     const LeaderboardOptions& options, std::vector<std::string>& warnings);

// Returns the error for an output without a manifest: only a manifest names the base of its matches.
Error MatchesWithoutBase(const std::string& output);

struct DescribedObject;

// Returns the figures of the objects of RenderVersus as JSON, for docs/schemas/leaderboard_versus.json.
std::vector<DescribedObject> VersusObjects();

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_VERSUS_BOARD_H_
