#include "engine/scorers/scorer.h"

#include <cmath>
#include <utility>

#include "engine/json/json_text.h"

namespace leafscore::internal {

void ResetColumns(const PairBatch& batch, ScoreColumns& columns) {
  const std::uint32_t records = batch.size();
  columns.outcome.resize(records);
  for (std::uint32_t r = 0; r < records; ++r) {
    columns.outcome[r] = batch.readable(r) ? Outcome::kScored : Outcome::kError;
  }
  columns.score.assign(records, 0.0);
  columns.passed.assign(records, -1);
  for (Metric& metric : columns.metrics) metric.values.assign(records, std::nan(""));
  columns.errors.clear();
}

void SetRecordError(std::uint32_t record, RejectReason reason, std::string message, ScoreColumns& columns) {
  columns.outcome[record] = Outcome::kError;
  columns.errors.push_back({record, reason, std::move(message)});
}

void SetUnreadable(std::uint32_t record, std::string message, ScoreColumns& columns) {
  columns.outcome[record] = Outcome::kUnreadable;
  columns.errors.push_back({record, RejectReason::kInvalidActualJson, std::move(message)});
}

void ScorerBatch::AppendDetails(std::uint32_t record, DetailLevel /*level*/, std::string& out) const {
  const char* separator = "\"";
  for (const Metric& metric : columns_.metrics) {
    out += separator;
    separator = ", \"";
    out += metric.name;
    out += "\": ";
    AppendJsonNumber(out, metric.values[record]);
  }
}

}  // namespace leafscore::internal
