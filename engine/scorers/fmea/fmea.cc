// AssetOpsBench's scorer `fmea` of September 2026: F1 over the failure modes of an asset, or over the facts
// of a catalogue, with the other figures of its report.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/rounding.h"
#include "engine/config/config_json.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/json/json_value.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/scorers/static_json/answer_side.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kMetadataOption{"evaluation_metadata", "map", "none",
                                     "data beside the ground truth: {scenario_meta: {tag, "
                                     "f1_pass_threshold}, rubric: {dimensions}, reference_answer: {f1}}"};
constexpr OptionSpec kFmeaOptions[] = {kMetadataOption, kTargetOutputKeyOption, kDefaultExpectedOption};
constexpr std::string_view kFmeaRevisions[] = {"2026-09"};

enum Dimension : std::size_t { kCoverage, kPrecisionDimension, kFollowing, kGrounding, kDimensions };
constexpr std::string_view kDimensionNames[kDimensions] = {"coverage", "precision", "instruction_following",
                                                           "grounding"};
constexpr double kStandardWeights[kDimensions] = {0.35, 0.35, 0.20, 0.10};

enum FmeaMetric : std::size_t {
  kSemanticF1 = kDimensions,
  kWeighted,
  kStrictSuccess,
  kSemanticExact,
  kJsonOnly,
  kTopLevelKeys,
};
constexpr std::string_view kFmeaMetricNames[] = {"coverage",
                                                 "precision",
                                                 "instruction_following",
                                                 "grounding",
                                                 "semantic_f1",
                                                 "rubric_weighted_score",
                                                 "strict_success",
                                                 "semantic_exact",
                                                 "json_only",
                                                 "exact_top_level_keys"};

struct FmeaSettings {
  explicit FmeaSettings(const OptionReader& options);

  PairSelectorOptions selection;
  std::string tag;  // as Python's str() writes it; empty if it is absent
  bool has_tag = false;
  double threshold = 0.70;
  std::array<double, kDimensions> weights;
  std::optional<double> baseline_f1;
};

std::optional<double> PythonNumberOf(const JsonView& value) {
  if (value.Is(ValueKind::kTrue)) return 1;
  if (value.Is(ValueKind::kFalse)) return 0;
  return value.Number();
}

FmeaSettings::FmeaSettings(const OptionReader& options) : selection(options) {
  std::ranges::copy(kStandardWeights, weights.begin());
  std::string json = "{}";
  if (const std::optional<ConfigValue> given = options.GetAny(kMetadataOption.name)) {
    if (given->kind == ConfigValue::Kind::kMap) {
      json.clear();
      AppendConfigAsJson(*given, json);
    } else if (given->kind != ConfigValue::Kind::kNull) {
      throw options.MakeError(kMetadataOption.name,
                              "must be a map such as {scenario_meta: {tag: asset_modes}}");
    }
  }
  JsonValue metadata{JsonOptions()};
  const JsonView root = metadata.Read(json);
  const JsonView meta = root.Member("scenario_meta");
  if (const JsonView given = meta.Member("tag"); given.present()) {
    has_tag = true;
    AppendPythonStr({{&metadata.table(), given.node()}}, metadata.shapes(), tag);
  }
  threshold = PythonNumberOf(meta.Member("f1_pass_threshold")).value_or(threshold);
  root.Member("rubric").Member("dimensions").ForEachChild([&](const JsonView& entry) {
    const std::optional<std::string> name = entry.Member("name").Text();
    const std::optional<double> weight = PythonNumberOf(entry.Member("weight"));
    for (std::size_t d = 0; d < kDimensions; ++d) {
      if (name && weight && *name == kDimensionNames[d]) weights[d] = *weight;
    }
  });
  double sum = 0;
  for (const double weight : weights) sum += weight;
  if (sum == 0) {
    std::ranges::copy(kStandardWeights, weights.begin());
    sum = 0;
    for (const double weight : weights) sum += weight;
  }
  for (double& weight : weights) weight /= sum;
  baseline_f1 = PythonNumberOf(root.Member("reference_answer").Member("f1"));
}

// The lists in the details of a record. In a record of facts, `matching` has the facts with wrong values.
struct FmeaLists {
  bool is_modes = false;
  bool asset_match = false;
  std::vector<std::string> gold, returned, correct, missing, extra, matching;
  std::vector<std::string> repeated_keys;
};

class FmeaBatch final : public SelectingBatch {
 public:
  FmeaBatch(const FmeaSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kFmeaMetricNames),
        settings_(settings),
        reader_(tools.shapes, tools.json.max_depth, PartOrder::kFirstFirst),
        strict_texts_(tools),
        flattener_(tools.shapes, tools.json.max_depth) {}

  // This scorer reads texts by its own rules.
  AnswerCauses possible_causes() const override {
    return SelectingBatch::possible_causes() - kCausesOfReading;
  }
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  void BeginBatch(std::uint32_t records) override {
    lists_.assign(records, {});
    strict_texts_.Truncate(0);
    flattener_.keys().Clear();
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  ValueRef ReadStrictly(ValueRef answer, FmeaLists& lists);
  void CompareModes(std::uint32_t record, FmeaLists& lists);
  void CompareFacts(std::uint32_t record, FmeaLists& lists);
  std::vector<AnswerSide::Member> ModesOf(const AnswerSide& side) const;
  std::string NormalisedText(const PythonValue& value);
  void Keep(std::uint32_t record, double correct, double gold, double returned, double grounding);

  const FmeaSettings* settings_;
  AnswerReader reader_;
  ParsedTexts strict_texts_;
  AnswerFlattener flattener_;
  AnswerSide gold_;
  AnswerSide model_;
  FlatAnswer gold_facts_;
  FlatAnswer model_facts_;
  FlatAnswer flat_;
  std::string gold_text_;
  std::string model_text_;
  std::vector<FmeaLists> lists_;  // by record
};

// Appends the keys that objects repeat, at any depth. The keys of inner objects come first, and the keys of
// one object are sorted. REQUIRES: valid JSON. COST: linear, apart from sorting the keys of each object.
void AppendRepeatedKeys(std::string_view json, std::vector<std::string>& keys) {
  struct Open {
    bool is_object;
    bool at_key;
    std::vector<std::string> keys = {};
  };
  std::vector<Open> open;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '{' || c == '[') {
      open.push_back({c == '{', c == '{'});
    } else if (c == '}' || c == ']') {
      std::vector<std::string> of_object = std::move(open.back().keys);
      open.pop_back();
      std::ranges::sort(of_object);
      for (std::size_t k = 1; k < of_object.size(); ++k) {
        const bool again = of_object[k] == of_object[k - 1];
        if (again && (k == 1 || of_object[k] != of_object[k - 2])) keys.push_back(of_object[k]);
      }
    } else if (c == ',' && !open.empty()) {
      open.back().at_key = open.back().is_object;
    } else if (c == '"') {
      const std::size_t begin = ++at;
      while (json[at] != '"') at += json[at] == '\\' ? 2 : 1;
      if (open.empty() || !open.back().at_key) continue;
      open.back().at_key = false;
      AppendUnescaped(json.substr(begin, at - begin), open.back().keys.emplace_back());
    }
  }
}

// Reads an answer that consists only of JSON. RETURNS: the object; absent if the answer is not a JSON object.
ValueRef FmeaBatch::ReadStrictly(ValueRef answer, FmeaLists& lists) {
  ParsedText& parsed = strict_texts_.Push();
  if (IsString(answer.kind())) {
    AppendStringText(*answer.table, answer.node, parsed.text);
  } else {
    parsed.text = answer.table->token(answer.node);
  }
  parsed.text = std::string(StripSpace(parsed.text));
  const ValueRef value{&parsed.table, strict_texts_.Read(parsed).root};
  if (!value.present() || value.kind() != ValueKind::kObject) return {};
  AppendRepeatedKeys(parsed.text, lists.repeated_keys);
  return value;
}

std::vector<std::string> SortedKeys(ValueRef object, const ShapeTable& shapes) {
  std::vector<std::string> sorted;
  if (!object.present() || object.kind() != ValueKind::kObject) return sorted;
  for (const std::string_view key : shapes.Keys(object.table->shape(object.node))) sorted.emplace_back(key);
  std::ranges::sort(sorted);
  return sorted;
}

void FmeaBatch::MatchRecord(std::uint32_t record, StringPairs& /*pairs*/) {
  const SelectedPart& part = selector_.parts().front();
  gold_.Read(part.expected, *shapes_, reader_);
  if (!gold_.is_object()) {
    return SetRecordError(record, RejectReason::kInvalidExpectedJson,
                          "the expected value has no object: write {\"asset\": ..., \"failure_modes\": "
                          "{...}} or an object of facts",
                          columns_);
  }
  model_.Read(part.actual, *shapes_, reader_);
  FmeaLists& lists = lists_[record];
  const ValueRef strict = ReadStrictly(part.actual, lists);
  const bool json_only = strict.present() && lists.repeated_keys.empty();
  const std::vector<std::string> gold_keys = SortedKeys(gold_.value(), *shapes_);
  const bool same_keys = gold_keys == SortedKeys(strict, *shapes_);
  metric(kJsonOnly, record) = json_only;
  metric(kTopLevelKeys, record) = same_keys;
  metric(kFollowing, record) = (json_only + same_keys) / 2.0;
  const PythonValue modes = gold_.Find("failure_modes");
  const bool is_form = gold_keys == std::vector<std::string>{"asset", "failure_modes"} &&
                       modes.value.kind() == ValueKind::kObject;
  lists.is_modes = settings_->tag == "asset_modes" || is_form;
  if (lists.is_modes) {
    CompareModes(record, lists);
  } else {
    CompareFacts(record, lists);
  }
  metric(kStrictSuccess, record) = metric(kSemanticExact, record) == 1 && json_only && same_keys;
  double weighted = 0;
  for (std::size_t d = 0; d < kDimensions; ++d) weighted += settings_->weights[d] * metric(d, record);
  metric(kWeighted, record) = weighted;
}

std::vector<AnswerSide::Member> FmeaBatch::ModesOf(const AnswerSide& side) const {
  std::vector<AnswerSide::Member> modes;
  const PythonValue value = side.is_object() ? side.Find("failure_modes") : PythonValue{};
  if (!value.value.present() || value.value.kind() != ValueKind::kObject) return modes;
  NodeId node = value.value.node + 1;
  for (const std::string_view key : shapes_->Keys(value.value.table->shape(value.value.node))) {
    modes.push_back({key, {value.value.table, node}});
    node = value.value.table->end(node);
  }
  std::ranges::sort(modes, {}, &AnswerSide::Member::name);
  return modes;
}

// Returns the text by which a description is compared.
std::string FmeaBatch::NormalisedText(const PythonValue& value) {
  std::string text;
  if (IsContainer(value.value.kind())) {
    AppendPythonStr(value, *shapes_, text);
    text = std::string(StripSpace(text));
    ToLowerCase(text);
    return text;
  }
  flat_.Clear();
  flattener_.FlattenValue(value.value, FlatKeys::kAnswer, flat_);
  std::string buffer;
  for (std::uint32_t i = 0; i < flat_.size(); ++i) {
    const FlatLeaf leaf = flat_.leaf(i);
    if (leaf.key != FlatKeys::kAnswer) {  // the text contains a structure
      flattener_.keys().AppendText(leaf.key, text);
      text += '=';
    }
    text += ComparedText(leaf, buffer);
    if (leaf.key != FlatKeys::kAnswer) text += '\n';
  }
  return text;
}

void FmeaBatch::CompareModes(std::uint32_t record, FmeaLists& lists) {
  flattener_.BeginRecord();
  const std::vector<AnswerSide::Member> gold = ModesOf(gold_);
  const std::vector<AnswerSide::Member> model = ModesOf(model_);
  for (const AnswerSide::Member& mode : model) lists.returned.emplace_back(mode.name);
  for (const AnswerSide::Member& mode : gold) {
    lists.gold.emplace_back(mode.name);
    const auto found = std::ranges::lower_bound(model, mode.name, {}, &AnswerSide::Member::name);
    if (found == model.end() || found->name != mode.name) {
      lists.missing.emplace_back(mode.name);
      continue;
    }
    lists.correct.emplace_back(mode.name);
    const bool matches =
        NormalisedText(gold_.AsPython(mode.value)) == NormalisedText(model_.AsPython(found->value));
    if (matches) lists.matching.emplace_back(mode.name);
  }
  std::ranges::set_difference(lists.returned, lists.gold, std::back_inserter(lists.extra));
  const auto folded_asset = [&](const AnswerSide& side) -> std::optional<std::string> {
    const PythonValue asset = side.is_object() ? side.Find("asset") : PythonValue{};
    if (!asset.value.present() || !IsString(asset.value.kind())) return std::nullopt;
    std::string text;
    AppendPythonStr(asset, *shapes_, text);
    text = std::string(StripSpace(text));
    FoldCase(text);
    return text;
  };
  const std::optional<std::string> asset = folded_asset(gold_);
  lists.asset_match = asset && asset == folded_asset(model_);
  const auto count = [](const std::vector<std::string>& list) { return static_cast<double>(list.size()); };
  const double returned = count(lists.returned);
  const double grounding = returned > 0 ? count(lists.matching) / returned : lists.gold.empty() ? 1.0 : 0.0;
  metric(kSemanticExact, record) = lists.asset_match && lists.missing.empty() && lists.extra.empty() &&
                                   lists.matching.size() == lists.gold.size();
  Keep(record, count(lists.correct), count(lists.gold), returned, grounding);
  if (lists.gold.empty()) CompareNothing(record);
}

void FmeaBatch::CompareFacts(std::uint32_t record, FmeaLists& lists) {
  gold_facts_.Clear();
  model_facts_.Clear();
  flattener_.BeginRecord();
  flattener_.keys().Clear();
  gold_.Flatten(flattener_, gold_facts_);
  if (model_.is_object()) model_.Flatten(flattener_, model_facts_);
  const auto key_of = [&](const FlatLeaf& leaf) {
    std::string key;
    flattener_.keys().AppendText(leaf.key, key);
    return key;
  };
  for (std::uint32_t i = 0; i < model_facts_.size(); ++i) {
    const FlatLeaf model = model_facts_.leaf(i);
    lists.returned.push_back(key_of(model));
    if (gold_facts_.Find(model.key) == FlatAnswer::kNoLeaf) lists.extra.push_back(key_of(model));
  }
  for (std::uint32_t i = 0; i < gold_facts_.size(); ++i) {
    const FlatLeaf gold = gold_facts_.leaf(i);
    const std::uint32_t found = model_facts_.Find(gold.key);
    lists.gold.push_back(key_of(gold));
    if (found == FlatAnswer::kNoLeaf) {
      lists.missing.push_back(key_of(gold));
      continue;
    }
    const bool equal = ComparedText(gold, gold_text_) == ComparedText(model_facts_.leaf(found), model_text_);
    (equal ? lists.correct : lists.matching).push_back(key_of(gold));
  }
  for (auto* const list :
       {&lists.gold, &lists.returned, &lists.correct, &lists.missing, &lists.extra, &lists.matching}) {
    std::ranges::sort(*list);
  }
  const auto correct = static_cast<double>(lists.correct.size());
  const auto shared = static_cast<double>(lists.correct.size() + lists.matching.size());
  metric(kSemanticExact, record) = lists.missing.empty() && lists.extra.empty() && lists.matching.empty();
  Keep(record, correct, gold_facts_.size(), model_facts_.size(), shared > 0 ? correct / shared : 0);
  if (gold_facts_.size() == 0) CompareNothing(record);
}

void FmeaBatch::Keep(std::uint32_t record, double correct, double gold, double returned, double grounding) {
  constexpr int kDecimals = 6;
  const double coverage = gold > 0 ? correct / gold : 1;
  const double precision = returned > 0 ? correct / returned : gold == 0 ? 1 : 0;
  const double sum = precision + coverage;
  const double f1 = sum == 0 ? 0 : 2 * precision * coverage / sum;
  metric(kCoverage, record) = coverage;
  metric(kPrecisionDimension, record) = precision;
  metric(kGrounding, record) = grounding;
  metric(kSemanticF1, record) = f1;
  columns_.score[record] = RoundToDecimals(f1, kDecimals);
  columns_.passed[record] = f1 > settings_->threshold;
}

void FmeaBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  const FmeaLists& lists = lists_[record];
  const auto value = [&](std::size_t m) { return columns_.metrics[m].values[record]; };
  json.Key<"family">().String(lists.is_modes ? "asset_modes" : "catalogue_analytics");
  json.Key<"scenario_tag">();
  if (settings_->tag.empty()) {
    json.Null();
  } else {
    json.String(settings_->tag);
  }
  json.Key<"dimensions">().StartObject();
  for (std::size_t d = 0; d < kDimensions; ++d) json.Key(kDimensionNames[d]).Number(value(d));
  json.EndObject();
  json.Key<"weights">().StartObject();
  for (std::size_t d = 0; d < kDimensions; ++d) json.Key(kDimensionNames[d]).Number(settings_->weights[d]);
  json.EndObject();
  json.Key("semantic_f1").Number(value(kSemanticF1));
  json.Key("f1_pass_threshold").Number(settings_->threshold);
  json.Key("f1_threshold_operator").String(">");
  json.Key<"rubric_weighted_score">().Number(value(kWeighted));
  json.Key<"raw_weighted_score">().Number(value(kWeighted));
  json.Key<"strict_success">().Bool(value(kStrictSuccess) == 1);
  json.Key<"semantic_exact">().Bool(value(kSemanticExact) == 1);
  json.Key<"json_only">().Bool(value(kJsonOnly) == 1);
  json.Key<"exact_top_level_keys">().Bool(value(kTopLevelKeys) == 1);
  json.Key("baseline_f1_reported").Number(settings_->baseline_f1);
  json.Key<"baseline_normalization_applied">().Bool(false);
  if (lists.is_modes) json.Key<"asset_match">().Bool(lists.asset_match);
  if (level != DetailLevel::kLeaves) return;
  const auto write = [&](std::string_view name, const std::vector<std::string>& list) {
    json.Key(name);
    json.StartList();
    for (const std::string& text : list) {
      json.String(text);
      if (!json.EndElement()) break;
    }
    json.EndArray();
  };
  write("duplicate_keys", lists.repeated_keys);
  write(lists.is_modes ? "gold_modes" : "gold_facts", lists.gold);
  write(lists.is_modes ? "returned_modes" : "returned_facts", lists.returned);
  write(lists.is_modes ? "correct_modes" : "correct_fact_keys", lists.correct);
  write(lists.is_modes ? "missing_modes" : "missing_fact_keys", lists.missing);
  write(lists.is_modes ? "extra_modes" : "extra_fact_keys", lists.extra);
  write(lists.is_modes ? "description_matches" : "wrong_value_keys", lists.matching);
}

std::unique_ptr<Scorer> MakeFmea(const OptionReader& options) {
  options.GetChoice(kRevisionOption.name, 0, kFmeaRevisions);
  FmeaSettings settings(options);
  if (settings.selection.builds_object()) {
    throw options.MakeError(kTargetOutputKeyOption.name, "give one path, to the answer");
  }
  return std::make_unique<ConfiguredScorer<FmeaBatch, FmeaSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kFmeaScorer = {
    "fmea",
    "F1 over the failure modes of an asset or the facts of a catalogue, as in AssetOpsBench",
    kFmeaOptions,
    MakeFmea,
    {"For AssetOpsBench's scenarios of failure modes and catalogues of facts. The score is F1 over the names "
     "of the failure modes, or over the facts.",
     "fmea", R"({"asset": "pump", "failure_modes": {"bearing wear": "vibration", "seal leak": "pressure"}})",
     R"({"asset": "pump", "failure_modes": {"seal leak": "pressure", "overheating": "heat"}})", "", 0.5},
    kFmeaRevisions};

}  // namespace leafscore::internal
