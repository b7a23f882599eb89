// engine/lint/self_check.h: gold that is not right by its own scorers.
#ifndef LEAFSCORE_ENGINE_LINT_SELF_CHECK_H_
#define LEAFSCORE_ENGINE_LINT_SELF_CHECK_H_

#include <string>
#include <vector>

#include "engine/lint/batch_judge.h"
#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Scores each expected value as its own answer, and looks for paths in the options of the scorers that lead
// nowhere in any. REQUIRES: the judge has the scorers of these names, and has scored nothing.
void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_SELF_CHECK_H_
