// engine/run/joined_values.h: the values from another file that belong to the records of a batch: the gold,
// or the answers of the base. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_JOINED_VALUES_H_
#define LEAFSCORE_ENGINE_RUN_JOINED_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/json/json_reader.h"
#include "engine/json/leaf_table.h"
#include "engine/run/gold_table.h"

namespace leafscore::internal {

class JoinedValues {
 public:
  // Begins a batch of at most `records` records, without values. `file` has the values; null if none are
  // joined.
  void Begin(const GoldTable* file, std::size_t records);

  // Finds the value for the id of record r, and appends its text. RETURNS: its entry in the file, or
  // GoldTable::kNone. REQUIRES: calls in the order of the records.
  std::uint32_t Find(const std::optional<std::string>& id, std::uint32_t r);

  // Parses the values of the first `records` records into their nodes, and adds their nonstandard JSON and
  // duplicate keys to `parsed`. No value is rejected, because all were parsed when their file was read.
  void Read(std::size_t records, JsonReader& reader, std::vector<JsonResult>& parsed,
            std::vector<NodeId>& nodes);

  std::size_t bytes() const { return text_.size(); }  // before Read
  const LeafTable& table() const { return table_; }

  // The entry of each record in the file, or GoldTable::kNone.
  const std::vector<std::uint32_t>& entries() const { return entries_; }

 private:
  const GoldTable* file_ = nullptr;
  std::uint32_t likely_ = 0;  // probably the entry of the next record, as records often come in order
  std::vector<std::uint32_t> entries_;
  std::string text_;  // the values, a line each, then padding
  LeafTable table_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_JOINED_VALUES_H_
