// engine/arrow/record_columns.h: Arrow record batches, which are arrays of structs, and their columns.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
#define LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_

#include <cstddef>
#include <string_view>

#include "engine/base/text_map.h"
#include "leafscore/arrow.h"

namespace leafscore::internal {

// Checks the structs of a schema from outside at all levels, before anything else reads it.
// ERRORS: Error(kInput) for a format, child or dictionary that is not there, and for negative counts and
//         sizes.
void CheckSchema(const ArrowSchema& schema);

// The columns of a schema, by name. A view: the schema must outlive it.
class ColumnNames {
 public:
  // REQUIRES: CheckSchema has passed the schema.
  // ERRORS:   Error(kUsage) when it is not that of record batches.
  explicit ColumnNames(const ArrowSchema& schema);

  // RETURNS: the index of the column with that name.
  // ERRORS:  Error(kUsage) when none or several have it.
  // COST:    one hash look-up.
  std::size_t Find(std::string_view name) const;

  const ArrowSchema& type(std::size_t column) const { return *schema_.children[column]; }

 private:
  struct Columns {
    std::size_t first;
    std::size_t count = 0;
  };

  const ArrowSchema& schema_;
  TextMap<std::string_view, Columns> by_name_;
};

// Checks that a batch has the columns of its schema, and each of them all rows of the batch: row i of the
// batch is row batch.offset + i of every column. Of the columns, it checks the structs at all levels, but not
// what their buffers hold.
// REQUIRES: CheckSchema has passed the schema, which is that of record batches.
// ERRORS:   Error(kInput) when it has not, or when a whole row is null.
void CheckRecordBatch(const ArrowSchema& schema, const ArrowArray& batch);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
