// engine/arrow/record_columns.h: Arrow record batches, which are arrays of structs, and their columns.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
#define LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_

#include <cstddef>
#include <string_view>

#include "leafscore/arrow.h"

namespace leafscore::internal {

// RETURNS: the index of the child of `schema` with that name.
// ERRORS:  Error(kUsage) when none or several have it, or the schema is not that of record batches.
std::size_t FindColumn(const ArrowSchema& schema, std::string_view name);

// Checks that a batch has the columns of its schema, and each of them all rows of the batch: row i of the
// batch is row batch.offset + i of every column.
// REQUIRES: FindColumn has passed the schema.
// ERRORS:   Error(kInput) when it has not, or when a whole row is null.
void CheckRecordBatch(const ArrowSchema& schema, const ArrowArray& batch);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
