// engine/rank/model_figures.h: the figures of one model under one scorer. Each id that the model was asked
// has one score, which is the mean of the lines that count. All figures are means over ids.
#ifndef LEAFSCORE_ENGINE_RANK_MODEL_FIGURES_H_
#define LEAFSCORE_ENGINE_RANK_MODEL_FIGURES_H_

#include <cstdint>
#include <functional>
#include <span>

#include "engine/rank/asked_ids.h"
#include "engine/rank/row_builder.h"
#include "engine/rank/score_sheet.h"
#include "leafscore/leaderboard.h"

namespace leafscore::internal {

// Returns the numbers of the lines grouped by id; the lines of one id keep their order.
std::vector<std::uint32_t> LinesById(const ModelLines& lines);

// Removes and returns the leading lines that have one id. REQUIRES: at least one line.
LineNumbers TakeId(const ModelLines& lines, LineNumbers& by_id);

// Sets `chosen` to the lines of one id that count. REQUIRES: `of_id` is in line order.
// ERRORS: Error(kInput) for a repeated id with Repeats::kError.
void ChooseLines(LineNumbers of_id, const ScoreSheet& sheet, const ModelLines& lines, Repeats repeats,
                 std::vector<std::uint32_t>& chosen);

// Gets an id that counts, its result, and the lines of the model that count for the id.
using AddResult = std::function<void(std::uint32_t id, const IdResult& result, LineNumbers numbers)>;

// Fills the figures of a row that depend only on its model, and calls `add` for every id that counts and for
// which the model has lines.
//
// RETURNS: whether the model's mean is over the shared ids, so that the model can be compared id by id.
//
// ERRORS: Error(kInput) for a repeated id with Repeats::kError.
//
// COST: sorts the lines by id, unless they are sorted.
bool FillRow(const ScoreSheet& sheet, const AskedIds& asked, const ModelLines& lines,
             const IdFields& id_fields, const LeaderboardOptions& options, const AddResult& add,
             LeaderboardRow& row);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RANK_MODEL_FIGURES_H_
