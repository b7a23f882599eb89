// engine/run/explain_records.h: explains the scores of the records with one id. It uses one thread, except
// for string pairs of more than 2^30 cells.
#ifndef LEAFSCORE_ENGINE_RUN_EXPLAIN_RECORDS_H_
#define LEAFSCORE_ENGINE_RUN_EXPLAIN_RECORDS_H_

#include <string>
#include <string_view>

#include "engine/run/scorer_set.h"
#include "leafscore/files.h"

namespace leafscore::internal {

// Reads the inputs of `options`, and its gold if there is one, and scores only the records with this id. Ids
// are compared as texts, so 7 and "7" are the same. If a record has no id, its number in the run is its id.
// RETURNS: for each record, its place and a ledger for each scorer (engine/report/score_ledger.h).
// ERRORS: Error(kInput) if no record has the id or an input cannot be read; errors of GoldTable;
// Error(kInterrupted) if options.stop became true; Error(kResources) if memory ran out.
std::string ExplainRecords(const ScorerSet& scorers, const FileOptions& options, std::string_view id,
                           bool colour);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_EXPLAIN_RECORDS_H_
