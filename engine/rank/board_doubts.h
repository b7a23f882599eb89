// engine/rank/board_doubts.h: warns of what a reader should know before believing a leaderboard. Stateless.
#ifndef LEAFSCORE_ENGINE_RANK_BOARD_DOUBTS_H_
#define LEAFSCORE_ENGINE_RANK_BOARD_DOUBTS_H_

#include <span>
#include <string>
#include <vector>

#include "engine/scores/compare_manifests.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Adds warnings about problems that ranks and figures alone do not show.
void AddDoubts(std::span<const LeaderboardRow> rows, double min_share, std::vector<std::string>& warnings);

// Adds warnings about matches: judges that often choose by place, and answers that could not be compared.
void AddVersusDoubts(std::span<const VersusRow> rows, std::vector<std::string>& warnings);

// A model under a scorer.
struct JudgedModel {
  std::string scorer;
  std::string model;
};

template <class Row>
std::vector<JudgedModel> JudgedModels(const std::vector<Row>& rows) {
  std::vector<JudgedModel> models;
  for (const Row& row : rows) models.push_back({row.scorer, row.model});
  return models;
}

// Adds warnings about models that judged their own answers.
void AddSelfJudging(std::span<const JudgedModel> models, std::span<const NamedManifest> manifests,
                    std::vector<std::string>& warnings);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_BOARD_DOUBTS_H_
