// engine/report/stage_table.h: a table of the processor time of a run's stages, for people. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_

#include <cstdint>
#include <span>
#include <string>

#include "leafscore/report.h"

namespace leafscore::internal {

// Returns a row for each stage, then the sums: seconds in parallel and serial stages, share of the total, and
// the time of the serial ones per GB (10^9 bytes) of `bytes`. The serial ones run in parallel with each
// other: the source, the thread that unpacks an input, the sink with everything that it does in order, and
// the thread that appends to the output and its journal. With any number of cores, the run takes at least the
// longest of them.
std::string StageTable(std::span<const StageTime> stages, std::uint64_t bytes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
