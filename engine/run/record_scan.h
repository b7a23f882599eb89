// engine/run/record_scan.h: iterates over the records of inputs, with the fields that the caller wants.
// Records that are scored are read batch by batch instead (engine/run/batch_scorer.h). THREADS: one at a
// time.
#ifndef LEAFSCORE_ENGINE_RUN_RECORD_SCAN_H_
#define LEAFSCORE_ENGINE_RUN_RECORD_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/io/record_reader.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/field_finder.h"
#include "engine/match/record_text.h"
#include "engine/run/field_presence.h"

namespace leafscore::internal {

class RecordScan {
 public:
  // `fields` are names as in FieldFinder. ERRORS: as RecordReader, here and in Next.
  RecordScan(std::vector<std::string> inputs, const ReaderOptions& reading, const JsonOptions& json,
             const std::vector<std::string>& fields);

  // Reads the next record. RETURNS: false if there are no more or the run was stopped.
  bool Next();

  // Returns the parsed record: an object, or no root if it could not be read.
  const JsonResult& parsed() const { return parsed_; }
  bool is_readable() const { return parsed_.root != kNoNode; }
  JsonView record() const { return {table_, shapes_, parsed_.root}; }

  // Returns the fields of a readable record, indexed like their names; kNoNode for an absent field.
  const std::vector<NodeId>& nodes() const { return *nodes_; }
  JsonView field(std::size_t number) const { return {table_, shapes_, nodes()[number]}; }
  const LeafTable& table() const { return table_; }
  const ShapeTable& shapes() const { return shapes_; }

  // Returns the batch that contains the record. The reference stays valid, but Next may read other records
  // into the batch.
  const RecordBatch& batch() const { return batch_; }
  bool begins_batch() const { return row_ == 0; }
  std::uint64_t number_in_input() const { return batch_.first_record_in_input + row_; }

  // Returns how many of the readable records so far have each field.
  const FieldPresence& presence() const { return presence_; }

  const RecordReader& reader() const { return reader_; }

 private:
  bool NextBatch();

  RecordReader reader_;
  ShapeTable shapes_;
  LeafTable table_;
  JsonReader json_;
  FieldFinder finder_;
  RecordBatch batch_;
  std::optional<RecordText> text_;  // reads batch_
  std::size_t row_ = 0;
  JsonResult parsed_;
  const std::vector<NodeId>* nodes_ = nullptr;
  FieldPresence presence_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_SCAN_H_
