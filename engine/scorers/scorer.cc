#include "engine/scorers/scorer.h"

#include <cmath>
#include <utility>

#include "engine/json/compact_text.h"
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

JudgedLeaf MakeJudgedLeaf(std::string_view path, ValueRef expected, ValueRef actual, double similarity,
                          const ShapeTable& shapes) {
  JudgedLeaf leaf{std::string(path), {}, {}, similarity};
  if (expected.present()) AppendStandardJson(*expected.table, shapes, expected.node, leaf.expected_json);
  if (actual.present()) AppendStandardJson(*actual.table, shapes, actual.node, leaf.actual_json);
  return leaf;
}

void ScorerBatch::AppendTexts(std::uint32_t /*record*/, std::size_t /*metric*/,
                              std::vector<std::string>& /*texts*/) const {}

void ScorerBatch::AppendLeaves(std::uint32_t /*record*/, std::vector<JudgedLeaf>& /*leaves*/) const {}

void ScorerBatch::AppendDetails(std::uint32_t record, DetailLevel /*level*/, std::string& out) const {
  AppendMetrics(record, out);
  AppendTextMetrics(record, out);
}

void ScorerBatch::AppendMetrics(std::uint32_t record, std::string& out) const {
  const char* separator = "\"";
  for (const Metric& metric : columns_.metrics) {
    out += separator;
    separator = ", \"";
    out += metric.name;
    out += "\": ";
    AppendJsonNumber(out, metric.values[record]);
  }
}

void ScorerBatch::AppendTextMetrics(std::uint32_t record, std::string& out) const {
  const std::span<const TextMetric> metrics = text_metrics();
  std::vector<std::string> texts;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    texts.clear();
    AppendTexts(record, m, texts);
    out += ", \"";
    out += metrics[m].name;
    out += metrics[m].is_list ? "\": [" : "\": ";
    for (std::size_t t = 0; t < texts.size(); ++t) {
      if (t != 0) out += ", ";
      AppendJsonString(out, texts[t]);
    }
    if (metrics[m].is_list) out += ']';
  }
}

}  // namespace leafscore::internal
