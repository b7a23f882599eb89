// engine/lint/easy_answers.h: what answers get that are given without looking at the question.
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

// An easy answer is a warning from this share of records that it passes though it is not their gold, or from
// this mean; below that a note, unless it passes nowhere and its mean is below kNotedMean.
inline constexpr double kWarnedShare = 0.05;
inline constexpr double kWarnedMean = 0.5;
inline constexpr double kNotedMean = 0.2;

// The names of easy answers.
inline constexpr std::string_view kEasyAnswers[] = {
    "empty_object",    "empty_array",      "empty_text", "null",
    "question",        "most_common_gold", "other_gold", "null_values",
    "constant_leaves", "number_in_prose",  "superset"};

// Puts every kind of easy answer to every record that it can be put to, and adds what they get and what is
// to be said of it to the report; then looks for scorers that take more than the gold where superset did not
// show it. REQUIRES: the judge has the scorers of these names.
void JudgeEasyAnswers(const GoldRecords& gold, const EngineOptions& options,
                      const std::vector<std::string>& scorers, BatchJudge& judge, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_EASY_ANSWERS_H_
