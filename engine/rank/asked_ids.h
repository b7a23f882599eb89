// engine/rank/asked_ids.h: what the models were asked under one scorer, according to their lines. Made once,
// then read. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_
#define LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/rank/score_sheet.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

struct AskedIds {
  static constexpr std::uint32_t kNotShared = IdTable::kNone;

  // The ids that count for every ranked model: all ids for which one of these models has a line or, with
  // common_only, the ids that all of them have. A record's number counts as an id only if no line has a real
  // id. Otherwise, the number comes from a line whose id could not be read. Such a line represents one of the
  // ids that its model lacks, if it lacks any.
  std::vector<std::uint32_t> shared;  // in ascending order
  std::vector<std::uint32_t> index;   // indexed by id: the id's index in `shared`, or kNotShared
  bool common_only = false;           // only ids in `shared` count

  std::vector<bool> common;  // indexed by id: several models have a line for it

  // Indexed by model: whether it has too few of the ids to be ranked. Its figures are then over its own ids.
  std::vector<bool> apart;
  // Indexed by model: the number of its ids, and the number of ids of all models that were left when it was
  // last considered.
  std::vector<IdShare> share;

  bool has_verdicts = false;  // some line has a verdict
  // Indexed by id, if any line judges fields: the number of fields, and how many of them have an expected
  // value.
  struct Fields {
    std::uint32_t all = 0;
    std::uint32_t expected = 0;
  };
  std::vector<Fields> fields;
};

// Finds the ids of these models, which are the models of scorer number `scorer`.
//
// Ranks are over the ids of all models. So a model that was asked few of them would rank low, and a model
// that was asked other ids would push all other models down. Therefore, models without an id in common with
// another model are dropped. Then the models with the smallest share of the ids are dropped together if their
// share is below options.min_share. Both steps are repeated over the ids of the remaining models until no
// model is dropped. A single remaining model is dropped, too. With common_only, no model is dropped.
// ERRORS: with common_only, Error(kInput) if fewer than kLeastCommonIds ids are common to all models.
AskedIds FindAsked(const ScoreSheet& sheet, std::uint32_t scorer, const LeaderboardOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_
