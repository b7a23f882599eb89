// engine/lint/easy_answers.h: measures the scores of answers that ignore the question.
#ifndef LEAFSCORE_ENGINE_LINT_EASY_ANSWERS_H_
#define LEAFSCORE_ENGINE_LINT_EASY_ANSWERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lint/batch_judge.h"
#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// An easy answer is a warning if it passes for at least kWarnedShare of the records although it is not their
// gold, or if its mean is at least kWarnedMean. Otherwise it is a note, unless it never passes and its mean
// is below kNotedMean.
inline constexpr double kWarnedShare = 0.05;
inline constexpr double kWarnedMean = 0.5;
inline constexpr double kNotedMean = 0.2;

// The names of easy answers.
inline constexpr std::string_view kEasyAnswers[] = {
    "empty_object",    "empty_array",      "empty_text", "null",
    "question",        "most_common_gold", "other_gold", "null_values",
    "constant_leaves", "number_in_prose",  "superset"};

// Gives every kind of easy answer to every record to which it applies, and adds the results and findings to
// the report. Then looks for scorers that accept additions to the gold, unless the answer superset has
// already shown it. REQUIRES: the judge has the scorers of these names.
void JudgeEasyAnswers(const GoldRecords& gold, const EngineOptions& options,
                      const std::vector<std::string>& scorers, BatchJudge& judge, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_EASY_ANSWERS_H_
