// engine/rank/asked_ids.h: what the models were asked under one scorer, as far as their lines tell. Made
// once, then read. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_
#define LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/rank/score_sheet.h"

namespace leafscore::internal {

struct AskedIds {
  static constexpr std::uint32_t kNotShared = IdTable::kNone;

  // The ids that are asked of every model that is ranked: all that any of them has a line for. A record's
  // number is one of them only where no line has a real id; else it is that of a line whose id could not be
  // read, which stands for an id that its model lacks, if it lacks any.
  std::vector<std::uint32_t> shared;  // in the order of `place`
  std::vector<std::uint32_t> index;   // by id: its index in `shared`, or kNotShared

  std::vector<bool> common;  // by id: several models have a line for it

  // By number of a model: it has no id in common with another, so it was asked its own and is not ranked.
  std::vector<bool> apart;

  bool has_verdicts = false;  // on any line
  // By id, where any line judges fields: how many there are, and for how many of them a value is expected.
  struct Fields {
    std::uint32_t all = 0;
    std::uint32_t expected = 0;
  };
  std::vector<Fields> fields;
};

// `place` is that of an IdOrder.
AskedIds FindAsked(const ScoreSheet& sheet, std::span<const ModelLines> models,
                   std::span<const std::uint32_t> place);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_ASKED_IDS_H_
