// engine/run/scored_batch.h: what the pipeline of a run over files hands from stage to stage, and what its
// journal keeps of it. THREADS: one at a time.
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

// The values of the group fields in a batch, each once, and which of them each record has.
struct BatchGroups {
  static constexpr std::uint32_t kNone = 0xffffffff;  // the record lacks the field

  struct Value {
    std::size_t field;
    std::string_view text;
  };
  std::vector<Value> values;              // in the order of the records that have them first
  std::vector<std::uint32_t> of_records;  // [r * record groups + g]: of `values`
};

struct ScoredBatch {
  ScoredBatch() = default;
  // Moved and never copied, as `groups` points into its own bytes.
  ScoredBatch(ScoredBatch&&) = default;
  ScoredBatch& operator=(ScoredBatch&&) = default;

  // Gives back what became of the records, with its memory.
  void ForgetResults();

  // Whether the last record was not read, as there was no memory for it in parallel.
  bool has_rest() const { return batch.range && batch.range->has_rest; }

  RecordBatch batch;
  std::string lines;  // the output
  ResultRows results;
  std::vector<std::string_view> groups;  // [r * record groups + g]; null data: the record lacks the field
  std::deque<std::string> group_texts;   // that are not in the batch as they are
  BatchGroups distinct_groups;           // of `groups` (FindGroups)
  std::vector<std::uint32_t> gold;       // with gold, the entry of each record
  ListedIds without_gold;
  RecordIds ids;  // without gold
  FieldPresence presence;
  std::vector<FieldPresence> paths;  // BatchScorer::PathPresence
  RunTotals totals;                  // of this batch
  std::optional<Error> failure;      // there was no memory to score it
  bool is_numbered = false;          // by an earlier run
  bool is_dropped = false;           // it lies behind what broke
  // What the sink has made of the groups, row by row of its summary, where the rows are still to be counted.
  std::vector<std::uint32_t> group_numbers;
  bool is_to_count = false;
  std::string entry;           // of a journal or shard, framed; empty: the sink makes it
  bool in_parts = false;       // it takes more than a batch may: the sink scores it
  std::size_t live_bytes = 0;  // of a batch with a long record, and of its questions
  std::vector<std::shared_ptr<const PendingAnswer>> asked = {};  // of models, about its records
  // Where there is a journal, the bytes that had been read of the input, as they lie on disk.
  std::uint64_t input_bytes = 0;
  bool input_ended = false;  // these are all
  std::string input_checksum;
  std::optional<BlockChecksum> input_read = {};  // of a batch with a rest
};

// Fills distinct_groups of a batch with so many record groups.
void FindGroups(std::size_t fields, ScoredBatch& scored);

// Packs all of a batch but its bytes and its lines.
void PackBatch(const ScoredBatch& scored, PackedWriter& out);

// Reads it back: the batch has as many records, without texts. RETURNS: false for what PackBatch did not
// write.
bool UnpackBatch(PackedReader& in, ScoredBatch& scored);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORED_BATCH_H_
