// engine/run/batch_parts.h: a batch in parts, each of which is a batch for itself: the same bytes, some of
// the records, and zeros behind them. THREADS: one.
#ifndef LEAFSCORE_ENGINE_RUN_BATCH_PARTS_H_
#define LEAFSCORE_ENGINE_RUN_BATCH_PARTS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/io/record_batch.h"

namespace leafscore::internal {

class BatchParts {
 public:
  // Makes the batch empty. REQUIRES: nobody else uses it before this ends.
  explicit BatchParts(RecordBatch& batch);

  bool done() const { return first_ == records_.size(); }

  // Makes the batch the next `count` of its records, or those that are left, instead of the part that it was.
  // REQUIRES: count > 0, not done.
  void Take(std::size_t count);

  // Rejects the only record of the part, of which little is then left. REQUIRES: it was not rejected.
  void Reject(RejectReason reason);

  // Goes on behind the part.
  void Next();

 private:
  void EndAt(std::uint32_t end);
  void RestoreBytes();

  RecordBatch& batch_;
  std::vector<RecordSpan> records_;          // all of them
  std::size_t first_ = 0;                    // of the part
  std::uint32_t all_end_;                    // of the data
  std::array<char, kTextPadding> behind_{};  // the bytes where the zeros behind the part are
  bool has_zeros_ = false;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_RUN_BATCH_PARTS_H_
