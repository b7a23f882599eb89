// engine/report/stage_table.h: the processor time of a run's stages, as a table for people. Stateless.
#ifndef LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
#define LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_

#include <cstdint>
#include <span>
#include <string>

#include "leafscore/report.h"

namespace leafscore::internal {

// Returns a row for each stage, then their sums: seconds in parallel and serial stages, share of all, and
// what the serial ones take for each GB (10^9 bytes) of `bytes`. These run beside each other: the source,
// what unpacks an input, the sink with all that it does in order, and what appends to the output and its
// journal. No number of cores goes below what the longest of them takes.
std::string StageTable(std::span<const StageTime> stages, std::uint64_t bytes);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_REPORT_STAGE_TABLE_H_
