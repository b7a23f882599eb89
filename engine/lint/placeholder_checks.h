// engine/lint/placeholder_checks.h: gold that stands where an expected value should: null, TODO, an error.
#ifndef LEAFSCORE_ENGINE_LINT_PLACEHOLDER_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_PLACEHOLDER_CHECKS_H_

#include <cstdint>
#include <string_view>

#include "engine/lint/gold_records.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

enum class TextSense : std::uint8_t {
  kValue,        // nothing speaks against it
  kBlank,        // nothing but blanks
  kNoValue,      // N/A, nan: common in data, but no answer to a question
  kPlaceholder,  // TODO: whatever it stands in, it is not finished
  kError,        // what a failure says
};

// Tells what a text of the gold seems to be.
TextSense SenseOf(std::string_view text);

// Looks for expected values that are none, and for leaves of them that are unfinished or tell of a failure.
void CheckPlaceholders(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_PLACEHOLDER_CHECKS_H_
