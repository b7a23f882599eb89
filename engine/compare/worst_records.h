// engine/compare/worst_records.h: what the lines of the worst records, and the records themselves, tell of
// them.
#ifndef LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
#define LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_

#include "leafscore/compare.h"

namespace leafscore::internal {

// Fills the fields of each ChangedRecord from the score files, which are read once more where lists_fields
// says that their lines list any, and the answers from options.records, where there are any. ERRORS:
// Error(kInput), Error(kInterrupted).
void DescribeWorst(const ComparisonOptions& options, bool lists_fields, Comparison& comparison);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_WORST_RECORDS_H_
