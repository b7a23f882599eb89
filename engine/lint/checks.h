// engine/lint/checks.h: the checks of the linter, one per file. Each adds its findings to the report.
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

// Looks for records that cannot be judged, and for repeated ids and questions.
void CheckRecords(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

// Looks for expected values that are not values, and for unfinished leaves or error messages in them.
void CheckPlaceholders(const GoldRecords& gold, const EngineOptions& options, LintReport& report);

// Scores each expected value as its own answer, and looks for paths in the options of the scorers that lead
// nowhere in any expected value. REQUIRES: the judge has the scorers of these names, and has scored nothing
// yet.
void CheckAgainstItself(const GoldRecords& gold, const std::vector<std::string>& scorers, BatchJudge& judge,
                        LintReport& report);

// Looks for thresholds of 0, and for tolerances and value thresholds that would accept other records' values.
// For each such tolerance or value threshold, pairs of records are scored twice: with it, and by a scorer
// that accepts only equal values.
void CheckThresholds(const GoldRecords& gold, const EngineOptions& options, const ScorerSet& scorers,
                     LintReport& report);

// Checks the expected values against options.schema and the schemas in the options of scorers.
// ERRORS: as ReadSchemaFile; Error(kUsage) for a schema that is wrong.
void CheckSchemas(const GoldRecords& gold, const LintOptions& options, const ScorerSet& scorers,
                  LintReport& report);

// Reads options.inputs and scores each answer to an id of the gold; if an input has several answers to one
// id, the last counts. REQUIRES: the judge has the scorers of these names.
// ERRORS: Error(kInput) for an input that cannot be read, and a field that no record has.
void CheckAnswers(GoldRecords& gold, const FileOptions& options, const std::vector<std::string>& scorers,
                  BatchJudge& judge, LintReport& report);

// Looks for leaves that never vary, and for paths that only a few records have.
// REQUIRES: report.answers has the scores of answers made of constant leaves.
void CheckPaths(const PathTree& paths, LintReport& report);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_LINT_CHECKS_H_
