// engine/run/record_ids.h: what a run without gold was asked, as its records tell: their ids, what was
// expected for them, and which ids come again. Made batch by batch in any thread; the sink adds it up.
#ifndef LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_
#define LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/run/batch_scorer.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Of the records of a batch.
struct RecordIds {
  struct Id {
    std::uint64_t hash;
    std::size_t end;  // of its text in `texts`, where that of the next one begins
  };

  BagChecksum ids;
  BagChecksum expected;  // with the values expected for them (Manifest::expected)
  std::vector<Id> each;  // of the records that have one, in their order
  std::string texts;
};

// Appends the records that `scorer` has just scored; `number` is that of the first one in the run.
void AppendIds(const BatchScorer& scorer, std::uint64_t number, RecordIds& ids);

// Finds ids that come again. THREADS: one.
class SeenIds {
 public:
  // The ids after the first `max_ids` different ones are looked for among these, but not remembered.
  // REQUIRES: max_ids > 0.
  explicit SeenIds(std::size_t max_ids = kMaxSeenIds.default_value) : max_ids_(max_ids) {}

  // Adds ids in the order of their records to those seen, and the ones seen before to `repeated`.
  // COST: memory of 11 to 22 bytes an id that is remembered, half as much again while it grows. Two ids are
  //       one if 64 bits of their checksums are, which happens by chance to one of 10^6 runs.
  void Add(const RecordIds& ids, RepeatedIds& repeated);

 private:
  std::size_t SlotOf(std::uint64_t hash) const;
  void Grow();

  std::size_t max_ids_;
  std::size_t size_ = 0;
  unsigned bits_ = 0;                 // of slots_.size()
  std::vector<std::uint64_t> slots_;  // hashes, placed by upper bits, then linear; 0 is free
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_
