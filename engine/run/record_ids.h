// engine/run/record_ids.h: what a run without gold was asked, as its records tell: their ids, what was
// expected for them, and which ids come again. Made batch by batch in any thread; the sink adds it up.
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

// Ids of records, in their order.
struct IdList {
  std::size_t size() const { return hashes.size(); }
  std::string_view text(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(texts).substr(begin, ends[i] - begin);
  }
  // An order in which ids that are counted up rise, with leading zeros or without.
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

  std::string texts;                  // one after the other
  std::vector<std::size_t> ends;      // in `texts`
  std::vector<std::uint64_t> hashes;  // 64 bits of their checksums
  bool rise = true;                   // each is greater than the one before
};

// The value expected of a record without an id, whose number in the run is not known yet.
struct UnnumberedValue {
  std::uint64_t row = 0;  // of its batch
  Hash128 expected;
};

// Of the records of a batch.
struct RecordIds {
  BagChecksum ids;
  BagChecksum expected;                // with the values expected for them (Manifest::expected)
  IdList each;                         // of the records that have one
  std::vector<std::uint64_t> without;  // rows of the batch whose records have none, ascending
  std::vector<UnnumberedValue> unnumbered;

  // Returns the id of a row of the batch; empty where its record has none, or nothing is known of ids.
  std::string_view TextOf(std::uint64_t row) const;
};

// Appends the records that `scorer` has just scored; `number` is that of the first one in the run.
void AppendIds(const BatchScorer& scorer, std::uint64_t number, RecordIds& ids);

// Appends them likewise in a shard, which does not know the numbers in the run; `row` is that of the first
// one in its batch.
void AppendUnnumberedIds(const BatchScorer& scorer, std::uint64_t row, RecordIds& ids);

// Adds what was left out as the number of the batch's first record was not known.
void NumberIds(std::uint64_t first_number, RecordIds& ids);

// Finds ids that come again: two ids are one if their hashes are, which happens by chance to one of 10^6
// runs. As long as each id is greater than the one before, none can come again, and the hashes are only kept.
// Then they go into a table, some thousands at a time, sorted by where they belong, as each place in it is
// far from the others. THREADS: one.
class SeenIds {
 public:
  // After `max_ids` different ids, and at most 32,767 more, further ones are looked for but not remembered.
  // REQUIRES: max_ids > 0.
  explicit SeenIds(std::size_t max_ids = kMaxSeenIds.default_value) : max_ids_(max_ids) {}

  // Adds ids in the order of their records to those seen, and those seen before to `repeated`, at the latest
  // at the end. COST: memory of 8 to 21 bytes an id that is remembered, twice that while it grows.
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
  std::string last_;                  // id, while they are rising
  std::vector<std::uint64_t> kept_;   // their hashes
  std::uint64_t not_kept_ = 0;        // as there were too many
  IdList next_;                       // to be placed
  std::size_t size_ = 0;              // of the hashes in slots_
  unsigned bits_ = 0;                 // of slots_.size()
  std::vector<std::uint64_t> slots_;  // hashes, placed by upper bits, then linear; 0 is free
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_RECORD_IDS_H_
