// engine/lint/record_checks.h: gold records that cannot be judged, repeat or contradict each other.
#ifndef LEAFSCORE_ENGINE_LINT_RECORD_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_RECORD_CHECKS_H_

#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Looks for records that cannot be judged, and for ids and questions that come again.
void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_RECORD_CHECKS_H_
