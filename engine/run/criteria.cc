#include "engine/run/criteria.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/suggest.h"
#include "engine/json/json_view.h"

namespace leafscore::internal {

const PairBatch& CriteriaSelector::Select(const PairBatch& batch, const ShapeTable& shapes) {
  batch_ = batch;
  left_out_.clear();
  for (std::uint32_t r = 0; r < batch.size(); ++r) {
    if (!batch.readable(r)) continue;
    const auto leave_out = [&](RejectReason reason, std::string message) {
      batch_.reject[r] = reason;
      left_out_.push_back({r, reason, std::move(message)});
    };
    const JsonView all(*batch.expected_table, shapes, batch.expected[r]);
    batch_.expected[r] = kNoNode;
    if (!all.Is(ValueKind::kObject)) {
      leave_out(RejectReason::kBadCriteria, "the expected value is not an object of criteria");
      continue;
    }
    const JsonView criteria = all.Member(key_);
    if (!criteria.present()) {
      leave_out(RejectReason::kNotAsked, "the record has no criteria for this scorer");
    } else if (const JsonView fault = criteria.Member("fault"); fault.present()) {
      leave_out(RejectReason::kBadCriteria, fault.Text().value_or("the criteria are wrong"));
    } else if (!criteria.Is(ValueKind::kObject)) {
      leave_out(RejectReason::kBadCriteria,
                fmt::format("the criteria {} are not an object", QuoteForMessage(key_)));
    } else {
      batch_.expected[r] = criteria.Member("expected").node();
    }
  }
  return batch_;
}

void CriteriaSelector::Finish(ScoreColumns& columns) const {
  for (RecordError& error : columns.errors) {  // a missing expected value is the criteria's fault
    if (error.reason == RejectReason::kMissingExpected) error.reason = RejectReason::kBadCriteria;
  }
  if (left_out_.empty()) return;
  for (const RecordError& error : left_out_) {
    if (error.reason == RejectReason::kNotAsked) columns.outcome[error.record] = Outcome::kNotAsked;
  }
  std::vector<RecordError> all;
  all.reserve(columns.errors.size() + left_out_.size());
  std::ranges::merge(columns.errors, left_out_, std::back_inserter(all), {}, &RecordError::record,
                     &RecordError::record);
  columns.errors = std::move(all);
}

}  // namespace leafscore::internal
