// engine/report/stage_table.h: a table of the processor time of a run's stages, for people. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_

#include <cstdint>
#include <span>
#include <string>

#include "leafscore/report.h"

namespace leafscore::internal {

// Returns a row for each stage, then the sums. A row has the seconds of parallel and of serial work, the
// share of the total, and the serial seconds per GB (10^9 bytes) of `bytes`. Serial work is done by four
// threads, which run in parallel with each other: the source, the thread that unpacks an input, the sink with
// everything that it does in order, and the thread that appends to the output and its journal. With any
// number of cores, the run takes at least as long as the slowest of these threads.
std::string StageTable(std::span<const StageTime> stages, std::uint64_t bytes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
