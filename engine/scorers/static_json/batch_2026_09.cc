// static_json by the rules of September 2026. As in the seed's revision, both sides are flattened to keys and
// compared key by key, but a rule in the metadata may accept more than equal values. If the only key of the
// gold is `response`, `clarification` or `abstain`, the answer must have that key and certain terms. If the
// gold is one letter, the answer must make that choice.
#include "engine/scorers/static_json/batch_2026_09.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/config/config_json.h"
#include "engine/scorers/static_json/choice_letter.h"
#include "engine/scorers/static_json/revision_2026_09.h"

namespace leafscore::internal {
namespace {

constexpr auto kFullMetricNames = [] {
  std::array<std::string_view, std::size(kMetrics202609)> names = {};
  std::ranges::transform(kMetrics202609, names.begin(), &StaticJsonMetric::name);
  return names;
}();

constexpr std::size_t kKeyLists = 2;  // in every revision
constexpr TextMetric kFullTextMetrics[] = {
    {"missing_keys", /*is_list=*/true},        {"extra_keys", /*is_list=*/true},
    {"mode_required_terms", /*is_list=*/true}, {"mode_matched_terms", /*is_list=*/true},
    {"mode_optional_terms", /*is_list=*/true}, {"mode_matched_optional_terms", /*is_list=*/true},
};

EvaluationRules RulesIn(const ConfigValue& metadata) {
  std::string json;
  AppendConfigAsJson(metadata, json);
  ShapeTable shapes;
  LeafTable table;
  JsonReader reader(&shapes);
  reader.Begin(json, /*lines=*/false, &table);
  const NodeId root = reader.Read(0, static_cast<std::uint32_t>(json.size())).root;
  return ReadEvaluationRules({table, shapes, root});
}

}  // namespace

Settings202609::Settings202609(const OptionReader& options) : KeySettings(options) {
  const std::optional<ConfigValue> metadata = options.GetAny(kEvaluationMetadataOption.name);
  if (!metadata) return;
  if (metadata->kind != ConfigValue::Kind::kMap && metadata->kind != ConfigValue::Kind::kNull) {
    throw options.MakeError(kEvaluationMetadataOption.name,
                            "must be a map such as {keys: {p: {mode: measure}}}");
  }
  rules = RulesIn(*metadata);
}

Batch202609::Batch202609(const Settings202609* settings, WorkerTools tools)
    : KeyBatch(settings, tools, {kFullMetricNames, kPartialSimilarity, kGoldKeys, DetailMembers::kAll}),
      rules_(&settings->rules),
      reader_(tools.shapes, tools.json.max_depth) {}

std::span<const TextMetric> Batch202609::text_metrics() const {
  return keeps_details_ ? std::span(kFullTextMetrics) : std::span<const TextMetric>();
}

void Batch202609::AppendTexts(std::uint32_t record, std::size_t metric,
                              std::vector<std::string>& texts) const {
  if (metric < kKeyLists) return KeyBatch::AppendTexts(record, metric, texts);
  if (const auto terms = terms_.find(record); terms != terms_.end()) {
    std::ranges::copy(terms->second[metric - kKeyLists], std::back_inserter(texts));
  }
}

void Batch202609::BeginBatch(std::uint32_t records) {
  KeyBatch::BeginBatch(records);
  terms_.clear();
}

void Batch202609::ReadSides(std::uint32_t record) {
  if (selector_.builds_object()) {
    std::vector<AnswerSide::Member> gold;
    std::vector<AnswerSide::Member> model;
    for (const SelectedPart& part : selector_.parts()) {
      gold.push_back({part.path->text, part.expected});
      model.push_back({part.path->text, part.actual});
    }
    gold_side_.SetMembers(std::move(gold));
    model_side_.SetMembers(std::move(model));
    return;
  }
  const SelectedPart& part = selector_.parts().front();
  gold_side_.Read(part.expected, *shapes_, reader_);
  model_side_.Read(part.actual, *shapes_, reader_);
  const std::string_view gold = gold_side_.text();
  if (gold_side_.is_text() && gold.size() == 1 && IsAsciiLetter(gold[0])) model_side_.ReadChoice();
  readings_[record].gold = gold_side_.steps();
  readings_[record].model = model_side_.steps();
}

void Batch202609::Flatten(std::uint32_t record) {
  if (selector_.builds_object()) {
    for (const SelectedPart& part : selector_.parts()) {
      const FlatKey key = keys().Member(FlatKeys::kAnswer, part.path->text);
      flattener_.FlattenValue(part.expected, key, gold_);
      flattener_.FlattenValue(part.actual, key, model_);
    }
  } else {
    gold_side_.Flatten(flattener_, gold_);
    model_side_.Flatten(flattener_, model_);
  }
  readings_[record].gold_repeated_keys = gold_.repeated_keys();
  readings_[record].model_repeated_keys = model_.repeated_keys();
}

void Batch202609::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  record_ = record;
  BeginRecord();
  ReadSides(record);
  columns_.passed[record] = false;
  if (gold_side_.is_blank()) return CompareNothing(record);
  const std::size_t first_detail = details_.size();
  for (std::size_t f = kPartialMatch; f < kModeKeyMatch; ++f) metric(f, record) = 0;
  if (const std::optional<std::string> mode = ModeOfGold()) {
    MatchMode(*mode, pairs);
  } else {
    Flatten(record);
    if (gold_.size() == 0) CompareNothing(record);
    MatchKeys(pairs);
  }
  SetDetails(record, first_detail);
}

std::unique_ptr<Scorer> MakeStaticJson202609(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<Batch202609, Settings202609>>(Settings202609(options));
}

}  // namespace leafscore::internal
