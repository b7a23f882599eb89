#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {

SelectingBatch::SelectingBatch(const PairSelectorOptions* selection, WorkerTools tools,
                               std::span<const std::string_view> metric_names, bool expected_optional)
    : shapes_(tools.shapes), selector_(selection, tools), expected_optional_(expected_optional) {
  for (const std::string_view name : metric_names) columns_.metrics.push_back({name, {}});
}

void SelectingBatch::Match(const PairBatch& batch, StringPairs& pairs) {
  ResetColumns(batch, columns_);
  selector_.Begin(batch);
  first_pair_ = pairs.size();
  BeginBatch(batch.size());
  for (std::uint32_t r = 0; r < batch.size(); ++r) {
    if (batch.readable(r) && selector_.Select(r, expected_optional_, columns_)) MatchRecord(r, pairs);
  }
  end_pair_ = pairs.size();
}

}  // namespace leafscore::internal
