// engine/run/record_scan.h: the records of inputs one after the other, each with the fields that are asked
// for. What a run scores is read batch by batch instead (engine/run/batch_scorer.h). THREADS: one at a time.
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
  // `fields` are names as FieldFinder has them. ERRORS: those of RecordReader, here and in Next.
  RecordScan(std::vector<std::string> inputs, const ReaderOptions& reading, const JsonOptions& json,
             std::vector<std::string> fields);

  // Reads the next record. RETURNS: false when there are no more or the run was stopped.
  bool Next();

  // The record as it was parsed: an object, or without a root where it cannot be read.
  const JsonResult& parsed() const { return parsed_; }
  bool is_readable() const { return parsed_.root != kNoNode; }
  JsonView record() const { return {table_, shapes_, parsed_.root}; }

  // The fields of a readable record, by the numbers of their names; absent ones are kNoNode.
  const std::vector<NodeId>& nodes() const { return *nodes_; }
  JsonView field(std::size_t number) const { return {table_, shapes_, nodes()[number]}; }
  const LeafTable& table() const { return table_; }
  const ShapeTable& shapes() const { return shapes_; }

  // Where the record lies. The batch stays at its place, and holds others after Next.
  const RecordBatch& batch() const { return batch_; }
  bool begins_batch() const { return row_ == 0; }
  std::uint64_t number_in_input() const { return batch_.first_record_in_input + row_; }

  // Which readable records so far have which field.
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
  std::optional<RecordText> text_;  // of the batch
  std::size_t row_ = 0;
  JsonResult parsed_;
  const std::vector<NodeId>* nodes_ = nullptr;
  FieldPresence presence_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_SCAN_H_
