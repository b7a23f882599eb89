// engine/report/score_ledger.h: shows people how a score came about, as a ledger. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns what a JSON line of ResultWriter says: the scorer and its score, or why there is none; every array
// of objects in the details as a table, one row an object, with the edits between the expected and the actual
// value marked; then the other details. Rows with a path (leaves and fields) also show their share: their
// weight, 1 if they have none, over that of all rows.
// REQUIRES: a line that ResultWriter wrote.
std::string RenderLedger(std::string_view line, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
