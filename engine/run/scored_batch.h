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

#include "engine/base/packed_bytes.h"
#include "engine/io/record_batch.h"
#include "engine/run/field_presence.h"
#include "engine/run/record_ids.h"
#include "engine/run/result_rows.h"
#include "leafscore/error.h"
#include "leafscore/report.h"

namespace leafscore::internal {

class PendingAnswer;

struct ScoredBatch {
  // Gives back what became of the records, with its memory.
  void ForgetResults();

  RecordBatch batch;
  std::string lines;  // the output
  ResultRows results;
  std::vector<std::string_view> groups;  // [r * record groups + g]; null data: the record lacks the field
  std::deque<std::string> group_texts;   // that are not in the batch as they are
  std::vector<std::uint32_t> gold;       // with gold, the entry of each record
  ListedIds without_gold;
  RecordIds ids;  // without gold
  FieldPresence presence;
  std::vector<FieldPresence> paths;  // BatchScorer::PathPresence
  RunTotals totals;                  // of this batch
  std::optional<Error> failure;      // there was no memory to score it
  bool in_parts = false;             // it takes more than a batch may: the sink scores it
  std::size_t live_bytes = 0;        // of a batch with a long record, and of its questions
  std::vector<std::shared_ptr<const PendingAnswer>> asked = {};  // of models, about its records
  // Where there is a journal, the bytes that had been read of the input, as they lie on disk.
  std::uint64_t input_bytes = 0;
  bool input_ended = false;  // these are all
  std::string input_checksum;
};

// Packs all of a batch but its bytes and its lines.
void PackBatch(const ScoredBatch& scored, PackedWriter& out);

// Reads it back: the batch has as many records, without texts. RETURNS: false for what PackBatch did not
// write.
bool UnpackBatch(PackedReader& in, ScoredBatch& scored);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_SCORED_BATCH_H_
