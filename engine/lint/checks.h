// engine/lint/checks.h: what the linter looks for, a file each. Each check adds its findings to the report.
#ifndef LEAFSCORE_ENGINE_LINT_CHECKS_H_
#define LEAFSCORE_ENGINE_LINT_CHECKS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/lint/batch_judge.h"
#include "engine/lint/gold_records.h"
#include "engine/lint/path_tree.h"
#include "engine/run/scorer_set.h"
#include "leafscore/lint.h"

namespace leafscore::internal {

// Looks for records that cannot be judged, and for ids and questions that come again.
void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

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

// Scores each expected value as its own answer, and looks for paths in the options of the scorers that lead
// nowhere in any. REQUIRES: the judge has the scorers of these names, and has scored nothing.
void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report);

// Looks for thresholds of 0, and for tolerances and thresholds of values within which other records' values
// lie: each is put to pairs of records by a scorer of its own, and by one that takes only what is equal.
void CheckThresholds(const GoldRecords& gold, const EngineOptions& options, const ScorerSet& scorers,
                     LintReport& report);

// Reads options.inputs and scores each answer to an id of the gold; of several answers of an input to one id
// the last counts. REQUIRES: the judge has the scorers of these names.
// ERRORS: Error(kInput) for an input that cannot be read, and a field that no record has.
void CheckAnswers(GoldRecords& gold, const FileOptions& options, const std::vector<std::string>& scorers,
                  BatchJudge& judge, LintReport& report);

// Looks for leaves that never vary and paths that only a few records have.
// REQUIRES: report.answers is known, which tells what the former earn.
void CheckPaths(const PathTree& paths, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_CHECKS_H_
