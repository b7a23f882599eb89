#include "engine/scorers/static_json/key_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/json/json_text.h"
#include "engine/languages/python_text.h"

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

// Returns the similarity of two unequal numbers.
double SimilarityOfUnequal(double gold, double model) {
  if (gold == 0) return model == 0 ? 1.0 : 0.0;
  const double relative_error = std::abs(gold - model) / std::abs(gold);
  if (relative_error < 0.01) return 0.9;
  if (relative_error < 0.05) return 0.7;
  return relative_error < 0.10 ? 0.5 : 0.0;  // NaN compares false everywhere
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

KeySettings::KeySettings(const OptionReader& options)
    : selection(options),
      similarity_threshold(options.GetNumber(kSimilarityThresholdOption.name, 0, 0, 1)),
      levenshtein([&] {
        constexpr std::string_view kSimilarities[] = {"jaccard", "levenshtein"};
        return options.GetChoice(kStringSimilarityOption.name, 0, kSimilarities) == 1;
      }()) {}

KeyBatch::KeyBatch(const KeySettings* settings, WorkerTools tools, const Layout& layout)
    : SelectingBatch(&settings->selection, tools, layout.metric_names),
      settings_(settings),
      layout_(layout),
      keeps_details_(tools.details == DetailLevel::kLeaves),
      flattener_(tools.shapes, tools.json.max_depth),
      max_details_bytes_(tools.max_details_bytes) {}

void KeyBatch::BeginBatch(std::uint32_t records) {
  jaccard_pairs_.Clear();
  text_pairs_.clear();
  keys().Clear();
  settled_similarity_.assign(records, std::nan(""));
  readings_.assign(records, {});
  details_.clear();
  record_details_.assign(records, {});
}

void KeyBatch::BeginRecord() {
  gold_.Clear();
  model_.Clear();
  constexpr std::size_t kMaxKeptKeys = 1 << 14;  // with more keys, keys are data rather than structure
  if (keys().size() > kMaxKeptKeys) keys().Clear();
  flattener_.BeginRecord();
  detail_bytes_ = 0;
}

KeyBatch::Comparison KeyBatch::CompareTexts(std::string_view gold, std::string_view model,
                                            std::uint32_t record, StringPairs& pairs) {
  if (gold == model) return {true, 1.0};
  double gold_number = 0;
  double model_number = 0;
  if (ReadPythonFloat(gold, &gold_number) && ReadPythonFloat(model, &model_number)) {
    return {false, SimilarityOfUnequal(gold_number, model_number)};
  }
  const std::uint32_t pair =
      settings_->levenshtein ? pairs.Append(gold, model, record) : jaccard_pairs_.Append(gold, model);
  return {false, 0, pair, ContainsText(gold, model) || ContainsText(model, gold)};
}

std::size_t KeyBatch::AddDetail(KeyDetail detail) {
  if (!keeps_details_ || detail_bytes_ > max_details_bytes_) return kNoDetail;
  detail_bytes_ += detail.key.size() + detail.gold_value.size() + detail.model_value.size();
  if (detail_bytes_ > max_details_bytes_) return kNoDetail;
  details_.push_back(std::move(detail));
  return details_.size() - 1;
}

std::size_t KeyBatch::AddKeptDetail(KeyDetail::Presence presence, const FlatLeaf* gold,
                                    const FlatLeaf* model) {
  if (detail_bytes_ > max_details_bytes_) return kNoDetail;
  KeyDetail detail;
  detail.presence = presence;
  keys().AppendText(gold != nullptr ? gold->key : model->key, detail.key);
  detail.gold_value = gold != nullptr ? ComparedText(*gold, gold_text_) : "NOT_IN_GOLD";
  detail.model_value = model != nullptr ? ComparedText(*model, model_text_) : "MISSING";
  return AddDetail(std::move(detail));
}

void KeyBatch::AddTextPair(std::uint32_t record, const Comparison& comparison, std::size_t detail) {
  if (comparison.pair == kNoPair) return;
  text_pairs_.push_back({record, comparison.pair, detail, comparison.contained});
}

void KeyBatch::Reduce(const StringPairs& pairs) {
  constexpr double kContainedSimilarity = 0.6;  // the minimum
  jaccard_pairs_.Compute();
  columns_.metrics[layout_.similarity].values = settled_similarity_;
  for (const TextPair& text_pair : text_pairs_) {
    double similarity =
        settings_->levenshtein ? pairs.Similarity(text_pair.pair) : jaccard_pairs_.similarity(text_pair.pair);
    if (text_pair.contained) similarity = std::max(similarity, kContainedSimilarity);
    metric(layout_.similarity, text_pair.record) += similarity;
    if (text_pair.detail != kNoDetail) details_[text_pair.detail].similarity = similarity;
  }
  for (std::uint32_t r = 0; r < columns_.score.size(); ++r) {
    if (!scored(r)) continue;
    double& similarity = metric(layout_.similarity, r);
    similarity /= std::max(metric(layout_.gold_keys, r), 1.0);
  }
}

void KeyBatch::AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const {
  const auto list = metric == kMissingKeys ? KeyDetail::Presence::kMissing : KeyDetail::Presence::kExtra;
  const std::size_t first = texts.size();
  for (const KeyDetail& detail : DetailsOf(record)) {
    if (detail.presence == list || detail.listed == list) texts.push_back(detail.key);
  }
  std::ranges::sort(std::span(texts).subspan(first));
}

void KeyBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  for (const KeyDetail& detail : SortedKeyDetails(DetailsOf(record))) {
    JudgedLeaf leaf{detail.key, {}, {}, detail.similarity};
    if (detail.presence != KeyDetail::Presence::kExtra)
      AppendJsonString(leaf.expected_json, detail.gold_value);
    if (detail.presence != KeyDetail::Presence::kMissing)
      AppendJsonString(leaf.actual_json, detail.model_value);
    if (!leaves.Add(std::move(leaf))) return;
  }
  if (record_details_[record].cut) leaves.SetCut();
}

void KeyBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  WriteMetrics(record, json);
  const Reading& reading = readings_[record];
  WriteReading("gold_read_as", "gold_span", reading.gold, json);
  WriteReading("model_read_as", "model_span", reading.model, json);
  if (reading.gold_repeated_keys > 0) json.Key<"gold_repeated_keys">().Integer(reading.gold_repeated_keys);
  if (reading.model_repeated_keys > 0) json.Key<"model_repeated_keys">().Integer(reading.model_repeated_keys);
  if (level == DetailLevel::kLeaves) {
    WriteTextMetrics(record, json);
    WriteKeyDetails(SortedKeyDetails(DetailsOf(record)), settings_->similarity_threshold, layout_.members,
                    json);
    if (record_details_[record].cut) json.SetCut();
  }
}

}  // namespace leafscore::internal
