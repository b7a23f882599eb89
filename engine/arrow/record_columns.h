// engine/arrow/record_columns.h: Arrow record batches, which are arrays of structs, and their columns.
// Stateless; any thread may call.
#ifndef LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
#define LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_

#include <cstddef>
#include <string_view>

#include "engine/base/text_map.h"
#include "leafscore/arrow.h"

namespace leafscore::internal {

// Checks the structs of a foreign schema at all levels, before anything else reads it.
// ERRORS: Error(kInput) for a missing format, child or dictionary, and for negative counts and sizes.
void CheckSchema(const ArrowSchema& schema);

// The columns of a schema, by name. A view: the schema must outlive it.
class ColumnNames {
 public:
  // REQUIRES: CheckSchema has passed the schema.
  // ERRORS: Error(kUsage) if it is not a schema of record batches.
  explicit ColumnNames(const ArrowSchema& schema);

  // RETURNS: the index of the column with that name.
  // ERRORS: Error(kUsage) unless exactly one column has it.
  // COST: one hash look-up.
  std::size_t Find(std::string_view name) const;

  bool Has(std::string_view name) const { return by_name_.contains(name); }

  const ArrowSchema& type(std::size_t column) const { return *schema_.children[column]; }

 private:
  struct Columns {
    std::size_t first;
    std::size_t count = 0;
  };

  const ArrowSchema& schema_;
  TextMap<std::string_view, Columns> by_name_;
};

// Checks that a batch has the columns of its schema, each with all rows of the batch: row i of the batch is
// row batch.offset + i of every column. It checks the structs of the columns at all levels, but not the
// contents of their buffers.
// REQUIRES: CheckSchema has passed the schema, which is a schema of record batches.
// ERRORS: Error(kInput) if the batch does not match, or a whole row is null.
void CheckRecordBatch(const ArrowSchema& schema, const ArrowArray& batch);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_ARROW_RECORD_COLUMNS_H_
