// engine/compare/worst_records.h: describes the worst records, from their lines of scores and from the
// records themselves.
#ifndef LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
#define LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_

#include "leafscore/compare.h"

namespace leafscore::internal {

// Fills the fields and the answers of each ChangedRecord. The fields come from the score files, which are
// read again if their lines list fields (`lists_fields`). The answers come from options.records, if given.
// ERRORS: Error(kInput), Error(kInterrupted).
void DescribeWorst(const ComparisonOptions& options, bool lists_fields, Comparison& comparison);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
