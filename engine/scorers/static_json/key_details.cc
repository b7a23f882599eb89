#include "engine/scorers/static_json/key_details.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace leafscore::internal {
namespace {

std::string MatchType(const KeyDetail& detail, double similarity_threshold) {
  if (detail.presence == KeyDetail::Presence::kMissing) return "missing";
  if (detail.presence == KeyDetail::Presence::kExtra) return "extra";
  if (!detail.match_type.empty()) return std::string(detail.match_type);
  if (detail.exact) return "exact";
  if (detail.similarity > similarity_threshold) return fmt::format("partial ({:.2f})", detail.similarity);
  return "mismatch";
}

}  // namespace

std::vector<KeyDetail> SortedKeyDetails(std::span<const KeyDetail> details) {
  std::vector<KeyDetail> sorted;
  std::ranges::copy_if(details, std::back_inserter(sorted), [](const KeyDetail& detail) {
    return detail.presence != KeyDetail::Presence::kOnlyListed;
  });
  std::ranges::stable_sort(sorted, {}, [](const KeyDetail& detail) {
    const bool by_text = detail.presence != KeyDetail::Presence::kJudgedWhole;
    return std::pair(detail.presence, by_text ? std::string_view(detail.key) : std::string_view());
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

void WriteKeyDetails(std::span<const KeyDetail> details, double similarity_threshold, DetailMembers members,
                     DetailsWriter& json) {
  const auto write_match = [&](std::optional<bool> match) {
    if (match) {
      json.Bool(*match);
    } else {
      json.Null();
    }
  };
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
    if (members == DetailMembers::kAll) {
      json.Key<"accepted">().Bool(detail.accepted);
      json.Key<"satisfied">().Bool(detail.satisfied);
      json.Key<"numeric">().Bool(detail.numeric);
      json.Key<"range_match">();
      write_match(detail.range_match);
      json.Key("delta_1_match");
      write_match(detail.delta_match);
    }
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

}  // namespace leafscore::internal
