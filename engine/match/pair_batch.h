// engine/match/pair_batch.h: one batch of records as pairs of values.
#ifndef LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_
#define LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/match/pair_walker.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// A column of values beside the pairs.
struct FieldColumn {
  std::string_view name;  // owned by whoever named it
  const LeafTable* table;
  std::vector<NodeId> values;  // kNoNode for a record without the field
};

// The records of a batch, as columns. Two of the tables may be one and the same. A worker owns the batch that
// it filled.
struct PairBatch {
  const LeafTable* expected_table = nullptr;
  const LeafTable* actual_table = nullptr;
  const LeafTable* calls_table = nullptr;
  std::vector<RejectReason> reject;  // kNone for a record that could be read
  std::vector<NodeId> expected;      // kNoNode if the record has no expected value
  std::vector<NodeId> actual;
  std::vector<bool> actual_unreadable;  // there is an actual text, but it could not be read
  // The name of the field or column that has the calls of the run. The batch does not own the text. Empty if
  // the calls are in the actual value.
  std::string_view calls_field = {};
  std::vector<NodeId> calls;  // like `actual`
  std::vector<bool> calls_unreadable;
  // The further fields of the records: either the whole records, in the table of the actual values, or
  // columns (engine/match/record_field.h finds a field in either).
  std::vector<NodeId> records = {};
  std::vector<FieldColumn> fields = {};
  // With FileOptions::versus: the answers of the base to the same questions, with kNoNode as in `actual`.
  const LeafTable* base_table = nullptr;
  std::vector<NodeId> base = {};

  std::uint32_t size() const { return static_cast<std::uint32_t>(reject.size()); }
  bool readable(std::uint32_t record) const { return reject[record] == RejectReason::kNone; }
  ValueRef expected_value(std::uint32_t record) const { return {expected_table, expected[record]}; }
  ValueRef actual_value(std::uint32_t record) const { return {actual_table, actual[record]}; }
  // Returns the messages, spans or calls of the run that gave the answer.
  ValueRef calls_value(std::uint32_t record) const {
    return calls_field.empty() ? actual_value(record) : ValueRef{calls_table, calls[record]};
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_
