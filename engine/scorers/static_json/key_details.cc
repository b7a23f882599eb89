#include "engine/scorers/static_json/key_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace leafscore::internal {
namespace {

std::string MatchType(const KeyDetail& detail, double similarity_threshold) {
  if (detail.presence == KeyDetail::Presence::kMissing) return "missing";
  if (detail.presence == KeyDetail::Presence::kExtra) return "extra";
  if (detail.exact) return "exact";
  if (detail.similarity > similarity_threshold) return fmt::format("partial ({:.2f})", detail.similarity);
  return "mismatch";
}

}  // namespace

std::vector<KeyDetail> SortedKeyDetails(std::span<const KeyDetail> details) {
  std::vector<KeyDetail> sorted(details.begin(), details.end());
  std::ranges::sort(sorted, {}, [](const KeyDetail& detail) {
    return std::pair<KeyDetail::Presence, std::string_view>(detail.presence, detail.key);
  });
  return sorted;
}

void WriteReading(std::string_view steps_key, std::string_view span_key, const AnswerSteps& steps,
                  JsonWriter& json) {
  std::string text;
  steps.AppendText(text);
  json.Key(steps_key).String(text);
  json.Key(span_key);
  if (steps.rung == AnswerRung::kValue) return json.Null();
  json.StartArray();
  json.Integer(steps.begin);
  json.Integer(steps.end);
  json.EndArray();
}

void WriteKeyDetails(std::span<const KeyDetail> details, double similarity_threshold, DetailsWriter& json) {
  json.Key<"details">();
  json.StartList();
  for (const KeyDetail& detail : details) {
    json.StartObject();
    json.Key<"key">().String(detail.key);
    json.Key<"gold_value">().String(detail.gold_value);
    json.Key<"model_value">().String(detail.model_value);
    json.Key<"exact">().Bool(detail.exact);
    json.Key<"match_type">().String(MatchType(detail, similarity_threshold));
    json.Key<"similarity">().Number(detail.similarity);
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

}  // namespace leafscore::internal
