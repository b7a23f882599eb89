// engine/match/record_field.h: finds a further field of the records, such as the schema of each record. The
// records may have come as whole records or as columns. In columns, the first key of a path such as
// meta.schema is the column's name. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_MATCH_RECORD_FIELD_H_
#define LEAFSCORE_ENGINE_MATCH_RECORD_FIELD_H_

#include <cstdint>

#include "engine/json/shape_table.h"
#include "engine/match/pair_batch.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {

class RecordField {
 public:
  // REQUIRES: `path`, which has a step, and `shapes` outlive this.
  RecordField(const TargetPath* path, const ShapeTable* shapes) : path_(path), follower_(path, shapes) {}

  // Drops the known shapes. Must be called when their table is cleared.
  void Reset() { follower_.Reset(); }

  // Returns the field of a record of the batch, or an absent value.
  ValueRef Find(const PairBatch& batch, std::uint32_t record) {
    if (!batch.records.empty()) return Follow({batch.actual_table, batch.records[record]}, 0);
    for (const FieldColumn& column : batch.fields) {
      if (column.name == path_->steps.front().key) return Follow({column.table, column.values[record]}, 1);
    }
    return {};
  }

 private:
  ValueRef Follow(ValueRef from, std::size_t first_step) {
    return from.present() ? follower_.Follow(from, first_step) : from;
  }

  const TargetPath* path_;
  PathFollower follower_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_RECORD_FIELD_H_
