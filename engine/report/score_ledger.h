// engine/report/score_ledger.h: explains a score to people, as a ledger. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the content of a JSON line of ResultWriter: the scorer and its score, or why there is no score;
// every array of objects in the details as a table, one row an object, with the edits between the expected
// and the actual value marked; then the other details. Rows with a path (leaves and fields) also show their
// share: their weight, 1 if they have none, divided by the weight of all rows.
// REQUIRES: a line that ResultWriter wrote.
std::string RenderLedger(std::string_view line, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
