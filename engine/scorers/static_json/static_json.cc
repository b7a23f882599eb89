// AssetOpsBench's static_json. Both sides are read from whatever text they are in, flattened to keys such as
// answer.items[0].name, and compared key by key; the score is the F1 of the exact matches.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/rounding.h"
#include "engine/distance/similarity_pairs.h"
#include "engine/json/json_text.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/scorers/static_json/flat_answer.h"
#include "engine/scorers/static_json/key_details.h"
#include "engine/text/python_text.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"similarity_threshold", "number from 0 to 1", "0",
     "similarity above which a value is called partial in the details, and a mismatch up to it"},
    {"string_similarity", "jaccard or levenshtein", "jaccard",
     "similarity of two texts: by the sets of their characters, or by edit distance"},
};

struct Settings {
  PairSelectorOptions selection;
  double similarity_threshold;
  bool levenshtein;
};

enum MetricIndex : std::size_t {
  kPartialExact,
  kStrictExact,
  kPartialSimilarity,
  kPrecision,
  kRecall,
  kF1,
  kGoldKeys,
  kModelKeys,
  kMatchedKeys,
  kExactMatches,
};
constexpr std::string_view kMetricNames[] = {"partial_exact_match_accuracy",
                                             "strict_exact_match_accuracy",
                                             "partial_similarity_score",
                                             "precision",
                                             "recall",
                                             "f1",
                                             "total_gold_keys",
                                             "total_model_keys",
                                             "matched_keys",
                                             "exact_value_matches"};

enum TextMetricIndex : std::size_t { kMissingKeys, kExtraKeys };
constexpr TextMetric kTextMetrics[] = {{"missing_keys", /*is_list=*/true}, {"extra_keys", /*is_list=*/true}};

// Similarity of two unequal numbers.
double NumberSimilarity(double gold, double model) {
  if (gold == 0) return model == 0 ? 1.0 : 0.0;
  const double relative_error = std::abs(gold - model) / std::abs(gold);
  if (relative_error < 0.01) return 0.9;
  if (relative_error < 0.05) return 0.7;
  return relative_error < 0.10 ? 0.5 : 0.0;  // NaN is none of these
}

// Returns the part of the whole, or 0 of nothing.
double Share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

constexpr std::uint32_t kNoPair = 0xffffffffu;
constexpr std::size_t kNoDetail = std::numeric_limits<std::size_t>::max();

class StaticJsonBatch final : public SelectingBatch {
 public:
  StaticJsonBatch(const Settings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kMetricNames),
        settings_(settings),
        keeps_details_(tools.details == DetailLevel::kLeaves),
        max_details_bytes_(tools.max_details_bytes),
        flattener_(tools.shapes, tools.json.max_depth) {}

  void Reduce(const StringPairs& pairs) override;
  std::span<const TextMetric> text_metrics() const override {
    return keeps_details_ ? std::span(kTextMetrics) : std::span<const TextMetric>();
  }
  void AppendTexts(std::uint32_t record, std::size_t metric, std::vector<std::string>& texts) const override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  // The result of comparing two leaves.
  struct Comparison {
    bool exact;
    double similarity;             // 0 when a text pair will give it
    std::uint32_t pair = kNoPair;  // in the list of the similarity asked for
    bool contained = false;        // one text is in the other
  };
  // A text pair of the batch, and what its similarity is for.
  struct TextPair {
    std::uint32_t record;
    std::uint32_t pair;
    std::size_t detail;  // in details_, or kNoDetail
    bool contained;
  };
  // How the two sides of a record were read.
  struct Reading {
    AnswerSteps gold;
    AnswerSteps model;
    std::uint32_t gold_repeated_keys = 0;
    std::uint32_t model_repeated_keys = 0;
  };

  // The details of a record, of which some may have been left out.
  struct RecordDetails {
    std::size_t begin;
    std::size_t end;
    bool cut;
  };

  FlatKeys& keys() { return flattener_.keys(); }
  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void Flatten(std::uint32_t record);
  bool GoldIsBlank(std::uint32_t record);
  std::size_t AddDetail(KeyDetail::Presence presence, const FlatLeaf* gold, const FlatLeaf* model);
  Comparison CompareLeaves(const FlatLeaf& gold, const FlatLeaf& model, std::uint32_t record,
                           StringPairs& pairs);
  std::span<const KeyDetail> DetailsOf(std::uint32_t record) const {
    const RecordDetails& of_record = record_details_[record];
    return std::span(details_).subspan(of_record.begin, of_record.end - of_record.begin);
  }

  const Settings* settings_;
  bool keeps_details_;
  std::size_t max_details_bytes_;
  AnswerFlattener flattener_;
  FlatAnswer gold_;
  FlatAnswer model_;
  SimilarityPairs jaccard_pairs_{SimilarityMeasure::kCharacterJaccard};
  std::vector<TextPair> text_pairs_;
  std::vector<double> settled_similarity_;  // of each record, the sum without its text pairs
  std::vector<Reading> readings_;           // of each record
  std::vector<KeyDetail> details_;
  std::vector<RecordDetails> record_details_;
  std::size_t detail_bytes_ = 0;  // of the record at hand, which may be more than are kept
  std::string gold_text_;
  std::string model_text_;
};

void StaticJsonBatch::BeginBatch(std::uint32_t records) {
  jaccard_pairs_.Clear();
  text_pairs_.clear();
  keys().Clear();
  settled_similarity_.assign(records, std::nan(""));
  readings_.assign(records, {});
  details_.clear();
  record_details_.assign(records, {});
}

void StaticJsonBatch::Flatten(std::uint32_t record) {
  gold_.Clear();
  model_.Clear();
  constexpr std::size_t kMaxKeptKeys = 1 << 14;  // beyond it the keys are data rather than structure
  if (keys().size() > kMaxKeptKeys) keys().Clear();
  flattener_.BeginRecord();
  for (const SelectedPart& part : selector_.parts()) {
    if (selector_.builds_object()) {
      const FlatKey key = keys().Member(FlatKeys::kAnswer, part.path->text);
      flattener_.FlattenValue(part.expected, key, gold_);
      flattener_.FlattenValue(part.actual, key, model_);
    } else {
      readings_[record].gold = flattener_.FlattenAnswer(part.expected, gold_);
      readings_[record].model = flattener_.FlattenAnswer(part.actual, model_);
    }
  }
  readings_[record].gold_repeated_keys = gold_.repeated_keys();
  readings_[record].model_repeated_keys = model_.repeated_keys();
}

// Tells whether the gold is a text of white space: there is nothing to compare with.
bool StaticJsonBatch::GoldIsBlank(std::uint32_t record) {
  const AnswerSteps& steps = readings_[record].gold;
  if (steps.rung != AnswerRung::kText || steps.label || steps.fence) return false;
  const FlatLeaf leaf = gold_.leaf(0);
  const std::string_view token = StripSpace(leaf.token);
  if (!token.empty() && token[0] != '\\') return false;  // at no cost, as most texts end here
  return ComparedText(leaf, gold_text_).empty();
}

void StaticJsonBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  Flatten(record);
  if (GoldIsBlank(record)) {
    columns_.passed[record] = false;
    return CompareNothing(record);
  }
  if (gold_.size() == 0) CompareNothing(record);
  const std::size_t first_detail = details_.size();
  detail_bytes_ = 0;
  std::uint32_t matched = 0;
  std::uint32_t exact = 0;
  double similarity = 0;
  for (std::uint32_t i = 0; i < gold_.size(); ++i) {
    const FlatLeaf gold = gold_.leaf(i);
    const std::uint32_t counterpart = model_.Find(gold.key);
    if (counterpart == FlatAnswer::kNoLeaf) {
      AddDetail(KeyDetail::Presence::kMissing, &gold, nullptr);
      continue;
    }
    const FlatLeaf model = model_.leaf(counterpart);
    const Comparison comparison = CompareLeaves(gold, model, record, pairs);
    ++matched;
    exact += comparison.exact;
    similarity += comparison.similarity;
    const std::size_t detail = AddDetail(KeyDetail::Presence::kBoth, &gold, &model);
    if (detail != kNoDetail) {
      details_[detail].exact = comparison.exact;
      details_[detail].similarity = comparison.similarity;
    }
    if (comparison.pair != kNoPair) {
      text_pairs_.push_back({record, comparison.pair, detail, comparison.contained});
    }
  }
  if (keeps_details_) {
    for (std::uint32_t i = 0; i < model_.size(); ++i) {
      const FlatLeaf model = model_.leaf(i);
      if (gold_.Find(model.key) == FlatAnswer::kNoLeaf)
        AddDetail(KeyDetail::Presence::kExtra, nullptr, &model);
    }
  }
  record_details_[record] = {first_detail, details_.size(), detail_bytes_ > max_details_bytes_};

  const auto gold_keys = static_cast<double>(gold_.size());
  const auto model_keys = static_cast<double>(model_.size());
  const bool strict = exact == gold_.size() && exact == model_.size();
  const double precision = Share(exact, model_keys);
  const double recall = Share(exact, gold_keys);
  const double f1 = Share(2 * precision * recall, precision + recall);
  metric(kPartialExact, record) = recall;
  metric(kStrictExact, record) = strict;
  settled_similarity_[record] = similarity;
  metric(kPrecision, record) = precision;
  metric(kRecall, record) = recall;
  metric(kF1, record) = f1;
  metric(kGoldKeys, record) = gold_keys;
  metric(kModelKeys, record) = model_keys;
  metric(kMatchedKeys, record) = matched;
  metric(kExactMatches, record) = exact;
  columns_.passed[record] = strict;
  columns_.score[record] = RoundToDecimals(f1, 3);
}

StaticJsonBatch::Comparison StaticJsonBatch::CompareLeaves(const FlatLeaf& gold, const FlatLeaf& model,
                                                           std::uint32_t record, StringPairs& pairs) {
  if (gold.kind == model.kind && gold.token == model.token) return {true, 1.0};
  const std::string_view gold_text = ComparedText(gold, gold_text_);
  const std::string_view model_text = ComparedText(model, model_text_);
  if (gold_text == model_text) return {true, 1.0};
  double gold_number = 0;
  double model_number = 0;
  if (ReadPythonFloat(gold_text, &gold_number) && ReadPythonFloat(model_text, &model_number)) {
    return {false, NumberSimilarity(gold_number, model_number)};
  }
  const std::uint32_t pair = settings_->levenshtein ? pairs.Append(gold_text, model_text, record)
                                                    : jaccard_pairs_.Append(gold_text, model_text);
  return {false, 0, pair, ContainsText(gold_text, model_text) || ContainsText(model_text, gold_text)};
}

// Keeps a detail when details are kept, and the record's fit. RETURNS: its index, or kNoDetail.
std::size_t StaticJsonBatch::AddDetail(KeyDetail::Presence presence, const FlatLeaf* gold,
                                       const FlatLeaf* model) {
  if (!keeps_details_ || detail_bytes_ > max_details_bytes_) return kNoDetail;
  KeyDetail detail;
  detail.presence = presence;
  keys().AppendText(gold != nullptr ? gold->key : model->key, detail.key);
  detail.gold_value = gold != nullptr ? ComparedText(*gold, gold_text_) : "NOT_IN_GOLD";
  detail.model_value = model != nullptr ? ComparedText(*model, model_text_) : "MISSING";
  detail_bytes_ += detail.key.size() + detail.gold_value.size() + detail.model_value.size();
  if (detail_bytes_ > max_details_bytes_) return kNoDetail;
  details_.push_back(std::move(detail));
  return details_.size() - 1;
}

void StaticJsonBatch::Reduce(const StringPairs& pairs) {
  constexpr double kContainedSimilarity = 0.6;  // at least
  jaccard_pairs_.Compute();
  columns_.metrics[kPartialSimilarity].values = settled_similarity_;
  for (const TextPair& text_pair : text_pairs_) {
    double similarity =
        settings_->levenshtein ? pairs.Similarity(text_pair.pair) : jaccard_pairs_.similarity(text_pair.pair);
    if (text_pair.contained) similarity = std::max(similarity, kContainedSimilarity);
    metric(kPartialSimilarity, text_pair.record) += similarity;
    if (text_pair.detail != kNoDetail) details_[text_pair.detail].similarity = similarity;
  }
  for (std::uint32_t r = 0; r < columns_.score.size(); ++r) {
    if (!scored(r)) continue;
    double& similarity = metric(kPartialSimilarity, r);
    similarity /= std::max(metric(kGoldKeys, r), 1.0);
  }
}

void StaticJsonBatch::AppendTexts(std::uint32_t record, std::size_t metric,
                                  std::vector<std::string>& texts) const {
  const auto presence = metric == kMissingKeys ? KeyDetail::Presence::kMissing : KeyDetail::Presence::kExtra;
  const std::size_t first = texts.size();
  for (const KeyDetail& detail : DetailsOf(record)) {
    if (detail.presence == presence) texts.push_back(detail.key);
  }
  std::ranges::sort(std::span(texts).subspan(first));
}

void StaticJsonBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
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

void StaticJsonBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  WriteMetrics(record, json);
  const Reading& reading = readings_[record];
  WriteReading("gold_read_as", "gold_span", reading.gold, json);
  WriteReading("model_read_as", "model_span", reading.model, json);
  if (reading.gold_repeated_keys > 0) json.Key<"gold_repeated_keys">().Integer(reading.gold_repeated_keys);
  if (reading.model_repeated_keys > 0) json.Key<"model_repeated_keys">().Integer(reading.model_repeated_keys);
  if (level == DetailLevel::kLeaves) {
    WriteTextMetrics(record, json);
    WriteKeyDetails(SortedKeyDetails(DetailsOf(record)), settings_->similarity_threshold, json);
    if (record_details_[record].cut) json.SetCut();
  }
}

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  constexpr std::string_view kSimilarities[] = {"jaccard", "levenshtein"};
  return std::make_unique<ConfiguredScorer<StaticJsonBatch, Settings>>(
      Settings{PairSelectorOptions(options), options.GetNumber("similarity_threshold", 0, 0, 1),
               options.GetChoice("string_similarity", 0, kSimilarities) == 1});
}

}  // namespace

constinit const ScorerType kStaticJsonScorer = {
    "static_json", "F1 of exact matches, key by key, of answers read from whatever text they are in",
    kOptions, Make};

}  // namespace leafscore::internal
