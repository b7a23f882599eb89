// engine/run/record_ids.h: the ids and expected values of the records of a run without gold, and the ids that
// repeat. They are collected batch by batch in any thread, and the sink adds them up.
#ifndef LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_
#define LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/checksum.h"
#include "engine/base/limits.h"
#include "engine/run/batch_scorer.h"
#include "leafscore/report.h"

namespace leafscore::internal {

// Ids of records, in order.
struct IdList {
  std::size_t size() const { return hashes.size(); }
  std::string_view text(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(texts).substr(begin, ends[i] - begin);
  }
  // An order in which consecutive numbers rise, with or without leading zeros.
  static bool IsGreater(std::string_view id, std::string_view than) {
    return id.size() != than.size() ? id.size() > than.size() : id > than;
  }
  void Add(std::string_view id, std::uint64_t hash) {
    rise = rise && (hashes.empty() || IsGreater(id, text(size() - 1)));
    texts += id;
    ends.push_back(texts.size());
    hashes.push_back(hash);
  }
  void Clear() {
    texts.clear();
    ends.clear();
    hashes.clear();
    rise = true;
  }

  std::string texts;                  // one after another
  std::vector<std::size_t> ends;      // offsets into `texts`
  std::vector<std::uint64_t> hashes;  // 64 bits of each checksum
  bool rise = true;                   // each id is greater than the previous one
};

// The expected value of a record without an id, whose number in the run is still unknown.
struct UnnumberedValue {
  std::uint64_t row = 0;  // row in its batch
  Hash128 expected;
};

// The ids of the records in a batch.
struct RecordIds {
  MultisetHash ids;
  MultisetHash expected;               // ids with their expected values (Manifest::expected)
  IdList each;                         // ids of the records that have one
  std::vector<std::uint64_t> without;  // rows of the records without an id, ascending
  std::vector<UnnumberedValue> unnumbered;

  // Returns the id of a row in the batch; empty if its record has no id, or ids are not collected.
  std::string_view TextOf(std::uint64_t row) const;
};

// Appends the ids of the records that `scorer` has just scored. `number` is the first one's number in the
// run.
void AppendIds(const BatchScorer& scorer, std::uint64_t number, RecordIds& ids);

// Appends the ids in a shard, which does not know the numbers in the run. `row` is the first record's row in
// its batch.
void AppendUnnumberedIds(const BatchScorer& scorer, std::uint64_t row, RecordIds& ids);

// Adds the unnumbered values, now that the number of the batch's first record is known.
void NumberIds(std::uint64_t first_number, RecordIds& ids);

// Finds repeated ids. Ids with equal hashes are taken as equal; in one of 10^6 runs, different ids have equal
// hashes by chance. While each id is greater than the previous one, no id can repeat, and the hashes are only
// kept. After that, hashes go into a table, some thousands at a time. They are first sorted by the part of
// the table that they belong to, because access to distant slots is slow.
// THREADS: one.
class SeenIds {
 public:
  // Remembers `max_ids` different ids, and up to 32,767 more. Further ids are looked up but not remembered.
  // REQUIRES: max_ids > 0.
  explicit SeenIds(std::size_t max_ids = kMaxSeenIds.default_value) : max_ids_(max_ids) {}

  // Adds ids in record order. Ids that were added before go to `repeated`, at the latest in End.
  // COST: 8 to 21 bytes of memory for each remembered id; twice as much while the table grows.
  void Add(const IdList& ids, RepeatedIds& repeated);
  void End(RepeatedIds& repeated);

 private:
  std::size_t SlotOf(std::uint64_t hash) const;
  void Reserve(std::size_t ids);
  void Place(std::span<const std::uint64_t> hashes, std::vector<std::uint32_t>& repeated,
             std::uint64_t& not_remembered);
  void StopKeeping(RepeatedIds& repeated);
  void PlaceNext(RepeatedIds& repeated);

  std::size_t max_ids_;
  bool rising_ = true;
  std::string last_;                  // the last id, while they rise
  std::vector<std::uint64_t> kept_;   // the hashes of the rising ids
  std::uint64_t not_kept_ = 0;        // ids that were not remembered, as there were too many
  IdList next_;                       // ids that wait to be placed
  std::size_t size_ = 0;              // number of hashes in slots_
  unsigned bits_ = 0;                 // log2 of slots_.size()
  std::vector<std::uint64_t> slots_;  // hashes, placed by upper bits, linear probing; 0 is free
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_
