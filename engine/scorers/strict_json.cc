// Deducts points for each top-level key that is missing, wrong, similar or extra.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/match/deep_equal.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/json_similarity/value_similarity.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/scorers/strict_verdicts.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kStrictJsonOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kParseTextsOption,
    kUnwrapOption,
    {"similar_threshold", "number from 0 to 1", "0.5",
     "json_similarity from which different values are similar, not wrong"},
};

struct StrictJsonSettings {
  PairSelectorOptions selection;
  double similar_threshold;
  SimilarityRules rules = {};  // no rules
};

class StrictJsonBatch final : public SelectingBatch {
 public:
  StrictJsonBatch(const StrictJsonSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kStrictMetricNames),
        settings_(settings),
        walker_(tools.shapes),
        similarity_(&settings->rules, tools, /*keeps_leaves=*/false) {}

  void Reduce(const StringPairs& pairs) override;
  void AppendLeaves(std::uint32_t record, LeafList& leaves) const override;
  void WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const override;

 private:
  static constexpr std::uint32_t kNoComparison = 0xffffffffu;
  // A key of either side.
  struct Key {
    std::string_view name;
    ValueRef expected;  // absent if that side lacks the key
    ValueRef actual;
    Verdict verdict;
    std::uint32_t comparison = kNoComparison;  // number in similarity_, if the values differ
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void TakeInventory(const SelectedPart& part, StringPairs& pairs);
  void Compare(std::string_view key, const SelectedPart& values, StringPairs& pairs);
  double SimilarityOf(const Key& key) const {
    if (key.comparison != kNoComparison) return similarity_.result(key.comparison).score();
    return key.verdict == kIdentical ? 1 : 0;
  }
  std::span<const Key> KeysOf(std::uint32_t record) const {
    const auto [begin, end] = record_keys_[record];
    return std::span(keys_).subspan(begin, end - begin);
  }
  // Returns the number of expected keys, by which penalties are divided unless it is 0.
  double ExpectedKeys(std::uint32_t record) const {
    return static_cast<double>(KeysOf(record).size()) - columns_.metrics[kExtra].values[record];
  }

  const StrictJsonSettings* settings_;
  PairWalker walker_;
  ValueSimilarity similarity_;
  std::uint32_t record_ = 0;  // the current record
  std::vector<Key> keys_;     // record by record: expected keys in order, then extra ones
  std::vector<std::pair<std::size_t, std::size_t>> record_keys_;  // begin and end of each record's keys
  std::vector<ValueRef> actual_members_;                          // members of the current object
};

void StrictJsonBatch::BeginBatch(std::uint32_t records) {
  similarity_.Begin(first_pair_);
  keys_.clear();
  record_keys_.assign(records, {});
}

void StrictJsonBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  record_ = record;
  const std::size_t first_key = keys_.size();
  if (selector_.builds_object()) {
    for (const SelectedPart& part : selector_.parts()) Compare(part.path->text, part, pairs);
  } else {
    TakeInventory(selector_.parts()[0], pairs);
  }
  record_keys_[record] = {first_key, keys_.size()};
}

void StrictJsonBatch::TakeInventory(const SelectedPart& part, StringPairs& pairs) {
  const LeafTable& e = *part.expected.table;
  const LeafTable& a = *part.actual.table;
  if (part.expected.kind() != ValueKind::kObject) {  // one key for the whole value
    Compare(kWholeKey, part, pairs);
    return;
  }
  const bool objects = part.actual.kind() == ValueKind::kObject;
  const ShapeId from = e.shape(part.expected.node);
  const ShapeId to = objects ? a.shape(part.actual.node) : ShapeTable::kEmptyShape;
  const std::vector<std::string_view> expected_keys = shapes_->Keys(from);
  if (expected_keys.empty() && !objects) keys_.push_back({kWholeKey, part.expected, part.actual, kWrong});
  if (objects) ListChildren(part.actual, actual_members_);
  const std::uint32_t* const counterparts = shapes_->CorrespondingMembers(from, to);
  NodeId member = part.expected.node + 1;
  for (std::size_t i = 0; i < expected_keys.size(); ++i, member = e.end(member)) {
    if (counterparts[i] == ShapeTable::kNoMember) {
      keys_.push_back({expected_keys[i], {&e, member}, {}, kMissing});
    } else {
      Compare(expected_keys[i], {{&e, member}, actual_members_[counterparts[i]], part.path}, pairs);
    }
  }
  const std::vector<std::string_view> actual_keys = shapes_->Keys(to);
  const std::uint32_t* const wanted = shapes_->CorrespondingMembers(to, from);
  for (std::size_t i = 0; i < actual_keys.size(); ++i) {
    if (wanted[i] == ShapeTable::kNoMember) keys_.push_back({actual_keys[i], {}, actual_members_[i], kExtra});
  }
}

void StrictJsonBatch::Compare(std::string_view key, const SelectedPart& values, StringPairs& pairs) {
  if (DeepEqual(values.expected, values.actual, walker_)) {
    keys_.push_back({key, values.expected, values.actual, kIdentical});
  } else {
    keys_.push_back({key, values.expected, values.actual, kWrong,
                     similarity_.Compare(record_, values.expected, values.actual, *values.path, pairs)});
  }
}

void StrictJsonBatch::Reduce(const StringPairs& pairs) {
  similarity_.Reduce(pairs);
  for (Key& key : keys_) {
    if (key.comparison == kNoComparison) continue;
    key.verdict = SimilarityOf(key) >= settings_->similar_threshold ? kSimilar : kWrong;
  }
  for (std::uint32_t r = 0; r < columns_.score.size(); ++r) {
    if (!scored(r)) continue;
    for (std::size_t m = 0; m < kStrictMetricNames.size(); ++m) metric(m, r) = 0;
    double points = 0;
    for (const Key& key : KeysOf(r)) {
      metric(key.verdict, r) += 1;
      points += kStrictPoints[key.verdict];
    }
    columns_.score[r] = StrictScore(points, ExpectedKeys(r));
  }
}

void StrictJsonBatch::AppendLeaves(std::uint32_t record, LeafList& leaves) const {
  const std::string selected = settings_->selection.paths()[0].Canonical();
  for (const Key& key : KeysOf(record)) {
    std::string_view name = key.name;  // for a part, the name is the path in the options
    std::string path = selected;
    if (!selector_.builds_object()) {
      if (key.name.data() != kWholeKey.data()) AppendKeyStep(path, key.name);
      name = path.empty() ? kWholeKey : std::string_view(path);
    }
    if (!leaves.Add(MakeJudgedLeaf(name, key.expected, key.actual, SimilarityOf(key), *shapes_))) return;
  }
}

void StrictJsonBatch::WriteDetails(std::uint32_t record, DetailLevel level, DetailsWriter& json) const {
  ScorerBatch::WriteDetails(record, level, json);
  json.Key<"keys">();
  json.StartList();
  const double expected_keys = ExpectedKeys(record);
  for (const Key& key : KeysOf(record)) {
    json.StartObject();
    json.Key<"key">().String(key.name);
    json.Key<"verdict">().String(kStrictVerdictNames[key.verdict]);
    json.Key<"penalty">().Number(PenaltyOf(key.verdict, expected_keys));
    if (key.comparison != kNoComparison) {
      json.Key<"similarity">().Number(SimilarityOf(key));
    }
    json.EndObject();
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

std::unique_ptr<Scorer> MakeStrictJson(const OptionReader& options) {
  StrictJsonSettings settings{PairSelectorOptions::OfStructure(options),
                              options.GetNumber("similar_threshold", 0.5, 0, 1)};
  settings.selection.ReadUnwraps(options, /*is_seed=*/true);
  return std::make_unique<ConfiguredScorer<StrictJsonBatch, StrictJsonSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kStrictJsonScorer = {
    "strict_json",
    "1 minus a deduction for each top-level key that is missing, wrong, similar or extra",
    kStrictJsonOptions,
    MakeStrictJson,
    {"For JSON with a fixed set of keys. The score is 1 minus a penalty for each top-level key that is "
     "missing, wrong, similar or extra.",
     "strict_json", R"({"name": "Ada", "age": 36, "city": "London"})", R"({"name": "Ada", "age": 37})", "",
     0.5}};

}  // namespace leafscore::internal
