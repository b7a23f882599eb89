// engine/rank/field_scores.h: how well the models of one scorer match each field of the expected values,
// from the fields that the details of their lines list. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RANK_FIELD_SCORES_H_
#define LEAFSCORE_ENGINE_RANK_FIELD_SCORES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/rank/asked_ids.h"
#include "engine/rank/row_builder.h"
#include "engine/rank/score_sheet.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

class FieldScores {
 public:
  // REQUIRES: the arguments outlive this.
  FieldScores(const ScoreSheet& sheet, const AskedIds& asked) : sheet_(sheet), asked_(asked) {}

  // Adds an id with the lines of a model that count for it. `model` is the number of the model.
  void Add(std::size_t model, std::uint32_t id, const ModelLines& lines, LineNumbers numbers);

  // Returns whether any line listed a field.
  bool empty() const { return cells_.empty(); }

  // Returns the means by model and field. If one ranked model lists a field of an id, the field counts for
  // all ranked models, as in a comparison: models that do not list it get 0. If a ranked model has a score
  // for an id but no list of fields (a limit may have cut the list), the id counts for no field. `models` are
  // the models of the rows.
  ScoreMatrix Matrix(std::span<const std::size_t> models, std::span<const LeaderboardRow> rows);

 private:
  struct Cell {
    std::uint32_t field;
    std::uint32_t id;
    std::size_t model;
    double match;
  };

  const ScoreSheet& sheet_;
  const AskedIds& asked_;
  std::vector<Cell> cells_;
  std::vector<bool> unlisted_;  // indexed by id: a ranked model has a score, but no list
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_FIELD_SCORES_H_
