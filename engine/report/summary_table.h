// engine/report/summary_table.h: a run's summary as text for a terminal.
#ifndef LEAFSCORE_ENGINE_REPORT_SUMMARY_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_SUMMARY_TABLE_H_

#include <cstddef>
#include <string>

#include "engine/report/run_summary.h"

namespace leafscore::internal {

inline constexpr std::size_t kMaxTableGroups = 50;  // rows per scorer and field; the JSON summary has all

// Returns the aligned table (overall rows, then the groups' rows), one of the fields where a scorer judges
// fields, how answers met their gold where there is gold, the totals, and whether the counts add up.
// Rejects, errors and counts that do not add up are bold red with colour. Control characters in names, which
// come from the input, are replaced, so that they cannot steer the terminal; columns are counted in code
// points.
std::string RenderSummaryTable(const RunSummary& summary, bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_SUMMARY_TABLE_H_
