// engine/run/scored_batch.h: the unit that passes through the pipeline of a run over files, and the part of
// it that the journal stores. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_RUN_SCORED_BATCH_H_
#define LEAFSCORE_ENGINE_RUN_SCORED_BATCH_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/packed_bytes.h"
#include "engine/io/record_batch.h"
#include "engine/run/field_presence.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "leafscore/error.h"
#include "leafscore/report.h"

namespace leafscore::internal {

class PendingAnswer;

// The distinct values of the group fields in a batch, and the values of each record.
struct BatchGroups {
  static constexpr std::uint32_t kNone = 0xffffffff;  // the record lacks the field

  struct Value {
    std::size_t field;
    std::string_view text;
  };
  std::vector<Value> values;              // field by field, in the order of first occurrence
  std::vector<std::uint32_t> of_records;  // [r * record groups + g]: index into `values`
};

struct ScoredBatch {
  ScoredBatch() = default;
  // Movable but not copyable, as `groups` points into its own bytes.
  ScoredBatch(ScoredBatch&&) = default;
  ScoredBatch& operator=(ScoredBatch&&) = default;

  // Frees the results of the records.
  void ForgetResults();

  // Returns whether the last record is still unread, because parallel reading had no memory for it.
  bool has_rest() const { return batch.range && batch.range->has_rest; }

  RecordBatch batch;
  std::string lines;  // for the output
  ResultRows results;
  std::vector<std::string_view> groups;  // [r * record groups + g]; null data if the record lacks the field
  std::deque<std::string> group_texts;   // texts that are not in the batch verbatim
  BatchGroups distinct_groups;           // from `groups` (FindGroups)
  std::vector<std::uint32_t> gold;       // with gold: the entry of each record
  ListedIds without_gold;
  RecordIds ids;  // without gold
  FieldPresence presence;
  std::vector<FieldPresence> paths;  // BatchScorer::PathPresence
  RunTotals totals;                  // for this batch
  std::string first_fault;           // why the first rejected record was rejected; not in a journal
  std::optional<Error> failure;      // why it could not be read or scored
  bool is_numbered = false;          // its records already have their numbers
  bool is_dropped = false;           // it comes after a failure
  // The numbers of the groups in the summary, row by row: [r * summary groups + g].
  std::vector<std::uint32_t> group_numbers;
  bool is_to_count = false;
  std::string entry;           // for a journal or shard, framed; if empty, the sink makes it
  bool in_parts = false;       // it needs more memory than a batch may use, so the sink scores it
  std::size_t live_bytes = 0;  // memory of long records and of questions
  std::vector<std::shared_ptr<const PendingAnswer>> asked = {};  // questions to models about its records
  // With a journal: the bytes read from the input so far, as on disk.
  std::uint64_t input_bytes = 0;
  bool input_ended = false;  // input_bytes is the whole input
  std::string input_checksum;
  std::optional<BlockChecksum> input_read = {};  // what was read before a batch with a rest
};

// Fills distinct_groups of a batch with `fields` record groups.
void FindGroups(std::size_t fields, ScoredBatch& scored);

// Packs a batch, except its bytes and its lines.
void PackBatch(const ScoredBatch& scored, PackedWriter& out);

// Reads a packed batch: as many records as were packed, without their texts. RETURNS: false for data that
// PackBatch did not write.
bool UnpackBatch(PackedReader& in, ScoredBatch& scored);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORED_BATCH_H_
