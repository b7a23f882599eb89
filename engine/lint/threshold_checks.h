// engine/lint/threshold_checks.h: tolerances and thresholds in the options of scorers that take too much.
#ifndef LEAFSCORE_ENGINE_LINT_THRESHOLD_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_THRESHOLD_CHECKS_H_

#include "engine/lint/gold_records.h"
#include "engine/run/scorer_set.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Looks for thresholds of 0, and for tolerances and thresholds of values within which other records' values
// lie: each is put to pairs of records by a scorer of its own, and by one that takes only what is equal.
void CheckThresholds(const GoldRecords& gold, const EngineOptions& options, const ScorerSet& scorers,
                     LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_THRESHOLD_CHECKS_H_
