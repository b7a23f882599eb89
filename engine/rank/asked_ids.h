// engine/rank/asked_ids.h: what the models were asked under one scorer, as far as their lines tell. Made
// once, then read. THREADS: one.
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

  // The ids that count for every model that is ranked: all that any of them has a line for or, with
  // common_only, those that all of them have. A record's number is one of them only where no line has a real
  // id; else it is that of a line whose id could not be read, which stands for an id that its model lacks, if
  // it lacks any.
  std::vector<std::uint32_t> shared;  // in the order of their numbers
  std::vector<std::uint32_t> index;   // by id: its index in `shared`, or kNotShared
  bool common_only = false;           // no other ids count

  std::vector<bool> common;  // by id: several models have a line for it

  // By number of a model: it has too few of the ids to be ranked. Its figures are over its own ids.
  std::vector<bool> apart;
  // By number of a model: its ids, and those of the models among which it was last looked at.
  std::vector<IdShare> share;

  bool has_verdicts = false;  // on any line
  // By id, where any line judges fields: how many there are, and for how many of them a value is expected.
  struct Fields {
    std::uint32_t all = 0;
    std::uint32_t expected = 0;
  };
  std::vector<Fields> fields;
};

// Finds the ids of these models, which are of scorer number `scorer`.
//
// Ranks are over the ids of all models, so a model that was asked little would rank low, and one that was
// asked other things would push all others down. So a model without an id in common with another leaves; and
// the models with the smallest share of the ids leave together while that is below options.min_share, and
// the ids of the others are gathered again. Fewer than two cannot be ranked. With common_only nobody leaves.
// ERRORS: Error(kInput) when fewer than kLeastCommonIds ids are common to all, with common_only.
AskedIds FindAsked(const ScoreSheet& sheet, std::uint32_t scorer, const LeaderboardOptions& options);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_
