// engine/lint/answer_checks.h: what the answers of models tell of the gold, and of themselves.
#ifndef LEAFSCORE_ENGINE_LINT_ANSWER_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_ANSWER_CHECKS_H_

#include <string>
#include <vector>

#include "engine/lint/batch_judge.h"
#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Reads options.inputs and scores each answer to an id of the gold; of several answers of an input to one id
// the last counts. REQUIRES: the judge has the scorers of these names.
// ERRORS: Error(kInput) for an input that cannot be read, and a field that no record has.
void CheckAnswers(GoldRecords& gold, const FileOptions& options, const std::vector<std::string>& scorers,
                  BatchJudge& judge, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_ANSWER_CHECKS_H_
