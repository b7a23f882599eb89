#include "engine/scorers/selecting_batch.h"

#include <cmath>

namespace leafscore::internal {

SelectingBatch::SelectingBatch(const PairSelectorOptions* selection, WorkerTools tools,
                               std::span<const std::string_view> metric_names, bool expected_optional)
    : shapes_(tools.shapes), selector_(selection, tools), expected_optional_(expected_optional) {
  for (const std::string_view name : metric_names) columns_.metrics.push_back({name, {}});
}

void SelectingBatch::Match(const PairBatch& batch, StringPairs& pairs) {
  const std::uint32_t records = batch.size();
  // A record that could not be read is an error; the batch knows the reason.
  columns_.outcome.assign(records, Outcome::kError);
  columns_.score.assign(records, 0.0);
  columns_.passed.assign(records, -1);
  for (Metric& metric : columns_.metrics) metric.values.assign(records, std::nan(""));
  columns_.errors.clear();
  nothing_compared_.clear();
  read_from_text_.clear();
  of_other_kind_.clear();
  unexpected_.clear();
  selector_.Begin(batch);
  first_pair_ = pairs.size();
  BeginBatch(records);
  for (std::uint32_t r = 0; r < records; ++r) {
    if (!batch.readable(r)) continue;
    columns_.outcome[r] = Outcome::kScored;
    selector_.Select(r, expected_optional_, columns_);
    if (selector_.answer_was_read()) read_from_text_.push_back(r);
    if (scored(r)) {
      MatchRecord(r, pairs);
      if (const double share = UnexpectedShare(); share > 0) unexpected_.push_back({r, share});
    } else if (columns_.outcome[r] != Outcome::kError) {
      MissRecord(r, pairs);
    }
    if (AnswerIsOfOtherKind()) of_other_kind_.push_back(r);
  }
  end_pair_ = pairs.size();
}

}  // namespace leafscore::internal
