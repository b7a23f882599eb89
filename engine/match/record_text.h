// engine/match/record_text.h: reads the records of a batch with the JSON reader.
#ifndef LEAFSCORE_ENGINE_MATCH_RECORD_TEXT_H_
#define LEAFSCORE_ENGINE_MATCH_RECORD_TEXT_H_

#include <cstddef>
#include <cstdint>

#include "engine/io/record_batch.h"
#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"

namespace leafscore::internal {

class RecordText {
 public:
  // Takes the text of the records from `first` on; there must be at least one.
  // REQUIRES: all arguments outlive this.
  RecordText(const RecordBatch& batch, std::size_t first, JsonReader& reader, LeafTable& table);

  // Reads a record, which must be an object, into the table. REQUIRES: records are read in ascending order.
  // RETURNS: a result whose offset is within the record.
  JsonResult Read(std::size_t record);

 private:
  const RecordBatch& batch_;
  JsonReader& reader_;
  const LeafTable& table_;
  std::uint32_t text_begin_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_RECORD_TEXT_H_
