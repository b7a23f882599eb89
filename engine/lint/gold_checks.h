// engine/lint/gold_checks.h: what is wrong with the gold itself, and with gold and scorers together.
#ifndef LEAFSCORE_ENGINE_LINT_GOLD_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_GOLD_CHECKS_H_

#include <string>
#include <vector>

#include "engine/lint/batch_judge.h"
#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Looks for records that cannot be judged, and for ids and questions that come again.
void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

// Looks for leaves that never vary and paths that only a few records have.
// REQUIRES: report.answers is known, which tells what the former earn.
void CheckPaths(const GoldRecords& gold, LintReport& report);

// Scores each gold value as its own answer. REQUIRES: the judge has the scorers of these names.
void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_GOLD_CHECKS_H_
