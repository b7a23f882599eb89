// engine/report/score_ledger.h: explains a score to people, as a ledger. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
#define LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_

#include <string>
#include <string_view>

namespace leafscore::internal {

// Returns the content of a JSON line of ResultWriter. It begins with the scorer and its score, or why there
// is no score. Then, every array of objects in the details is a table with a row for each object, in which
// the edits between the expected and the actual value are marked. The other details follow. Rows with a path
// (leaves and fields) also show their share, which is their weight divided by the weight of all rows. A row
// without a weight has the weight 1.
// REQUIRES: a line that ResultWriter wrote.
std::string RenderLedger(std::string_view line, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SCORE_LEDGER_H_
