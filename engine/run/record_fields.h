// engine/run/record_fields.h: the fields of a record that a run uses, and how many records have them.
#ifndef LEAFSCORE_ENGINE_RUN_RECORD_FIELDS_H_
#define LEAFSCORE_ENGINE_RUN_RECORD_FIELDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/field_finder.h"
#include "engine/run/field_presence.h"
#include "engine/run/gold_table.h"

namespace leafscore::internal {

// The fields of a record that a run uses (engine/match/field_finder.h).
struct RecordFields {
  std::string id = "id";
  std::string expected = "expected";
  std::string actual = "actual";
  std::string calls = {};  // the calls of the run; if empty, the actual value contains them
  std::vector<std::string> groups;
  bool has_source = false;  // the last group says who answered; each answerer may use the same ids
  // With gold, the expected value comes from the gold record for the value of `join`, even if the record has
  // an expected value of its own.
  std::string join;
  const GoldTable* gold = nullptr;
  const GoldTable* base = nullptr;  // the answers to compare with, also by `join`
};

// Positions of the fields in FieldPresence::found; the groups come last.
inline constexpr std::size_t kIdField = 0;
inline constexpr std::size_t kExpectedField = 1;
inline constexpr std::size_t kActualField = 2;
inline constexpr std::size_t kJoinField = 3;
inline constexpr std::size_t kCallsField = 4;
inline constexpr std::size_t kFirstGroupField = 5;

// Finds these fields in the records of a batch. THREADS: one at a time.
class RecordFieldFinder {
 public:
  // REQUIRES: `shapes` outlives this.
  RecordFieldFinder(const RecordFields& fields, const ShapeTable* shapes);

  // Drops the known shapes. It must be called after the shape table was cleared.
  void Reset() { finder_.Reset(); }

  // Begins a batch, in which no field was found yet.
  void Begin() { presence_ = {.records = 0, .found = std::vector<std::uint64_t>(field_count_), .there = {}}; }

  // Finds and counts the fields of a record. Groups are not counted, as they may come from the gold.
  // RETURNS: by field, its node, or kNoNode if the record lacks it; valid until the next call.
  const std::vector<NodeId>& Find(const LeafTable& table, NodeId record);

  // Counts a group field that was found.
  void CountGroup(std::size_t group) { ++presence_.found[kFirstGroupField + group]; }

  // Ends the batch: if a field was found nowhere, lists the fields of the first record.
  void End(const LeafTable& table);

  // Returns how many records have each field: id, expected, actual, join, calls, and the groups.
  const FieldPresence& presence() const { return presence_; }

 private:
  std::size_t field_count_;
  const ShapeTable& shapes_;
  FieldFinder finder_;
  FieldPresence presence_;
  NodeId first_ = kNoNode;  // the first record
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_FIELDS_H_
