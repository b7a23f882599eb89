#include "engine/scorers/scorer.h"

#include <utility>

#include "engine/json/compact_text.h"

namespace leafscore::internal {

void SetUnscored(std::uint32_t record, Outcome outcome, RejectReason reason, std::string message,
                 ScoreColumns& columns) {
  columns.outcome[record] = outcome;
  columns.errors.push_back({record, reason, std::move(message)});
}

void SetRecordError(std::uint32_t record, RejectReason reason, std::string message, ScoreColumns& columns) {
  SetUnscored(record, Outcome::kError, reason, std::move(message), columns);
}

void SetUnreadable(std::uint32_t record, std::string message, ScoreColumns& columns) {
  SetUnscored(record, Outcome::kUnreadable, RejectReason::kInvalidActualJson, std::move(message), columns);
}

JudgedLeaf MakeJudgedLeaf(std::string_view path, ValueRef expected, ValueRef actual, double similarity,
                          const ShapeTable& shapes) {
  JudgedLeaf leaf{std::string(path), {}, {}, similarity};
  if (expected.present()) AppendStandardJson(*expected.table, shapes, expected.node, leaf.expected_json);
  if (actual.present()) AppendStandardJson(*actual.table, shapes, actual.node, leaf.actual_json);
  return leaf;
}

void ScorerBatch::AppendFieldOutcomes(std::uint32_t /*record*/,
                                      std::vector<FieldOutcome>& /*outcomes*/) const {}

void ScorerBatch::AppendTexts(std::uint32_t /*record*/, std::size_t /*metric*/,
                              std::vector<std::string>& /*texts*/) const {}

void ScorerBatch::AppendLeaves(std::uint32_t /*record*/, LeafList& /*leaves*/) const {}

void ScorerBatch::WriteDetails(std::uint32_t record, DetailLevel /*level*/, DetailsWriter& json) const {
  WriteMetrics(record, json);
  WriteTextMetrics(record, json);
}

void ScorerBatch::WriteMetrics(std::uint32_t record, DetailsWriter& json) const {
  for (const Metric& metric : columns_.metrics) json.Key(metric.name).Number(metric.values[record]);
}

void ScorerBatch::WriteTextMetrics(std::uint32_t record, DetailsWriter& json) const {
  const std::span<const TextMetric> metrics = text_metrics();
  std::vector<std::string> texts;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    texts.clear();
    AppendTexts(record, m, texts);
    json.Key(metrics[m].name);
    if (!metrics[m].is_list) {
      json.String(texts.front());
      continue;
    }
    json.StartList();
    for (const std::string& text : texts) {
      json.String(text);
      if (!json.EndElement()) break;
    }
    json.EndArray();
  }
}

}  // namespace leafscore::internal
