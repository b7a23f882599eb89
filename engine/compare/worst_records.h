// engine/compare/worst_records.h: describes the worst records, from their lines of scores and from the
// records themselves.
#ifndef LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
#define LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_

#include "leafscore/compare.h"

namespace leafscore::internal {

// Fills the fields of each ChangedRecord from the score files, which are read again if lists_fields says that
// their lines have any, and the answers from options.records, if there are any. ERRORS: Error(kInput),
// Error(kInterrupted).
void DescribeWorst(const ComparisonOptions& options, bool lists_fields, Comparison& comparison);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
