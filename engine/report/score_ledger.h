// engine/report/score_ledger.h: a line of scores as a ledger for people. Keeps no state.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_

#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/json/json_reader.h"

namespace leafscore::internal {

// How to read a line of JSON Lines again. It nests the values of a record, whose depth was checked, a few
// levels deeper.
inline constexpr JsonOptions kScoreLineJson = {.strict = false,
                                               .max_depth = static_cast<std::uint32_t>(kMaxDepth.max) + 8};

// Returns what a JSON line of ResultWriter says: the scorer and its score, or why there is none; every array
// of objects in the details as a table, one row an object, with the edits between the expected and the actual
// value marked; then the other details. Rows with a path, which are those of leaves and fields, also tell
// their share: their weight (1 where they have none) over that of all rows.
// REQUIRES: a line that ResultWriter wrote.
std::string RenderLedger(std::string_view line, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
