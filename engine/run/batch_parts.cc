#include "engine/run/batch_parts.h"

#include <algorithm>
#include <utility>

namespace leafscore::internal {

BatchParts::BatchParts(RecordBatch& batch)
    : batch_(batch), records_(std::exchange(batch.records, {})), all_end_(batch.data_end) {}

void BatchParts::Take(std::size_t count) {
  RestoreBytes();
  const std::size_t end = std::min(first_ + count, records_.size());
  batch_.records.assign(records_.begin() + static_cast<std::ptrdiff_t>(first_),
                        records_.begin() + static_cast<std::ptrdiff_t>(end));
  EndAt(end == records_.size() ? all_end_ : records_[end].begin);
}

void BatchParts::Reject(RejectReason reason) {
  RestoreBytes();
  RecordSpan& record = batch_.records.front();
  record.reject = reason;
  record.end = std::min(record.end, record.begin + static_cast<std::uint32_t>(kRejectHeadBytes));
  EndAt(record.end);
}

void BatchParts::Next() {
  first_ += batch_.records.size();
  batch_.first_record_in_input += batch_.records.size();
  batch_.first_record_in_run += batch_.records.size();
}

void BatchParts::EndAt(std::uint32_t end) {
  batch_.data_end = end;
  const auto begin = batch_.bytes.begin() + end;
  std::copy_n(begin, behind_.size(), behind_.begin());
  std::fill_n(begin, behind_.size(), '\0');
  has_zeros_ = true;
}

void BatchParts::RestoreBytes() {
  if (has_zeros_) std::ranges::copy(behind_, batch_.bytes.begin() + batch_.data_end);
  has_zeros_ = false;
}

}  // namespace leafscore::internal
