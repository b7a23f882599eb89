// AssetOpsBench's static_json as first published. If a side is given as a text, its JSON is first read from
// the text. Both sides are flattened to keys such as answer.items[0].name and compared key by key. The score
// is the F1 of the exact matches.
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "engine/base/rounding.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/static_json/key_batch.h"
#include "engine/scorers/static_json/revision_2026_09.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kStaticJsonOptions[] = {kTargetOutputKeyOption, kDefaultExpectedOption,
                                             kSimilarityThresholdOption, kStringSimilarityOption,
                                             kEvaluationMetadataOption};

constexpr std::string_view kStaticJsonMetricNames[] = {"partial_exact_match_accuracy",
                                                       "strict_exact_match_accuracy",
                                                       "partial_similarity_score",
                                                       "precision",
                                                       "recall",
                                                       "f1",
                                                       "total_gold_keys",
                                                       "total_model_keys",
                                                       "matched_keys",
                                                       "exact_value_matches"};

constexpr TextMetric kStaticJsonTextMetrics[] = {{"missing_keys", /*is_list=*/true},
                                                 {"extra_keys", /*is_list=*/true}};

class StaticJsonBatch final : public KeyBatch {
 public:
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

  StaticJsonBatch(const KeySettings* settings, WorkerTools tools)
      : KeyBatch(settings, tools,
                 {kStaticJsonMetricNames, kPartialSimilarity, kGoldKeys, DetailMembers::kFew}) {}

  std::span<const TextMetric> text_metrics() const override {
    return keeps_details_ ? std::span(kStaticJsonTextMetrics) : std::span<const TextMetric>();
  }

 private:
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void Flatten(std::uint32_t record);
  bool GoldIsBlank(std::uint32_t record);
};

void StaticJsonBatch::Flatten(std::uint32_t record) {
  BeginRecord();
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

// Returns whether the gold is a text of white space, so that there is nothing to compare with.
bool StaticJsonBatch::GoldIsBlank(std::uint32_t record) {
  const AnswerSteps& steps = readings_[record].gold;
  if (steps.rung != AnswerRung::kText || steps.label || steps.fence) return false;
  const FlatLeaf leaf = gold_.leaf(0);
  const std::string_view token = StripSpace(leaf.token);
  if (!token.empty() && token[0] != '\\') return false;  // cheap, and enough for most texts
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
    AddTextPair(record, comparison, detail);
  }
  if (keeps_details_) {
    for (std::uint32_t i = 0; i < model_.size(); ++i) {
      const FlatLeaf model = model_.leaf(i);
      if (gold_.Find(model.key) == FlatAnswer::kNoLeaf)
        AddDetail(KeyDetail::Presence::kExtra, nullptr, &model);
    }
  }
  SetDetails(record, first_detail);

  const auto gold_keys = static_cast<double>(gold_.size());
  const auto model_keys = static_cast<double>(model_.size());
  const bool strict = exact == gold_.size() && exact == model_.size();
  const double precision = Share(exact, model_keys);
  const double recall = Share(exact, gold_keys);
  const double f1 = F1(precision, recall);
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

constexpr std::string_view kStaticJsonRevisions[] = {"seed", "2026-09"};

std::unique_ptr<Scorer> MakeStaticJson(const OptionReader& options) {
  if (options.GetChoice(kRevisionOption.name, 0, kStaticJsonRevisions) == 1)
    return MakeStaticJson202609(options);
  if (options.Has(kEvaluationMetadataOption.name)) {
    throw options.MakeError(kEvaluationMetadataOption.name,
                            "belongs to revision 2026-09; add \"revision: 2026-09\"");
  }
  return std::make_unique<ConfiguredScorer<StaticJsonBatch, KeySettings>>(KeySettings(options));
}

}  // namespace

constinit const ScorerType kStaticJsonScorer = {
    "static_json",
    "F1 of exact matches, key by key; answers may be inside other text",
    kStaticJsonOptions,
    MakeStaticJson,
    {"For objects in answers of any form: JSON, Python, fenced or within prose. The score is F1 over the "
     "keys whose values match exactly.",
     "static_json", R"({"city": "Oslo", "year": 1624})",
     R"("Final answer: {\"city\": \"Oslo\", \"year\": 1625}")", "", 0.5},
    kStaticJsonRevisions};

}  // namespace leafscore::internal
