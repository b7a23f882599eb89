// engine/match/pair_batch.h: one batch of records as pairs of values.
#ifndef LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_
#define LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_

#include <cstdint>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/match/pair_walker.h"
#include "leafscore/outcome.h"

namespace leafscore::internal {

// Columns over the records of a batch. The two tables may be one. Owned by the worker that filled it.
struct PairBatch {
  const LeafTable* expected_table = nullptr;
  const LeafTable* actual_table = nullptr;
  std::vector<RejectReason> reject;  // kNone for a record that could be read
  std::vector<NodeId> expected;      // kNoNode when the record has none
  std::vector<NodeId> actual;
  std::vector<NodeId> calls;            // of the actual table; empty: runs have no field of their own
  std::vector<bool> actual_unreadable;  // there is an actual text, but it could not be read

  std::uint32_t size() const { return static_cast<std::uint32_t>(reject.size()); }
  bool readable(std::uint32_t record) const { return reject[record] == RejectReason::kNone; }
  ValueRef expected_value(std::uint32_t record) const { return {expected_table, expected[record]}; }
  ValueRef actual_value(std::uint32_t record) const { return {actual_table, actual[record]}; }
  // Returns the messages, spans or calls of the run that gave the answer.
  ValueRef calls_value(std::uint32_t record) const {
    return {actual_table, calls.empty() ? actual[record] : calls[record]};
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_PAIR_BATCH_H_
