// A deduction for each top-level key that is missing, wrong, similar or extra.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "engine/json/json_text.h"
#include "engine/match/deep_equal.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/json_similarity/value_similarity.h"
#include "engine/scorers/pair_selector.h"
#include "engine/scorers/registry.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"similar_threshold", "number from 0 to 1", "0.5",
     "json_similarity from which two different values are similar rather than wrong"},
};

struct Settings {
  PairSelectorOptions selection;
  double similar_threshold;
  SimilarityRules rules = {};  // none
};

enum Verdict : std::uint8_t { kIdentical, kSimilar, kWrong, kMissing, kExtra };
constexpr std::array<std::string_view, 5> kVerdictNames = {"identical", "similar", "wrong", "missing",
                                                           "extra"};
constexpr std::array<std::string_view, 5> kMetricNames = {"identical_keys", "similar_keys", "wrong_keys",
                                                          "missing_keys", "extra_keys"};
// Points out of 100, to be divided by the number of expected keys.
constexpr std::array<double, 5> kPenalties = {0, 50, 100, 100, 10};

constexpr std::string_view kWholeKey = "*";  // of a value that has no keys

class StrictJsonBatch final : public ScorerBatch {
 public:
  StrictJsonBatch(const Settings* settings, WorkerTools tools)
      : settings_(settings),
        shapes_(tools.shapes),
        selector_(&settings->selection, tools),
        walker_(tools.shapes),
        similarity_(&settings->rules, tools, /*keeps_leaves=*/false) {
    for (const std::string_view name : kMetricNames) columns_.metrics.push_back({name, {}});
  }

  void Match(const PairBatch& batch, StringPairs& pairs) override;
  void Reduce(const StringPairs& pairs) override;
  void AppendLeaves(std::uint32_t record, std::vector<JudgedLeaf>& leaves) const override;
  void AppendDetails(std::uint32_t record, DetailLevel level, std::string& out) const override;

 private:
  static constexpr std::uint32_t kNoComparison = 0xffffffffu;
  // A key of either side.
  struct Key {
    std::string_view name;
    ValueRef expected;  // absent where that side lacks the key
    ValueRef actual;
    Verdict verdict;
    std::uint32_t comparison = kNoComparison;  // its number in similarity_, when the values differ
  };

  void TakeInventory(const SelectedPart& part, StringPairs& pairs);
  void Compare(std::string_view key, const SelectedPart& values, StringPairs& pairs);
  double SimilarityOf(const Key& key) const {
    if (key.comparison != kNoComparison) return similarity_.result(key.comparison).score();
    return key.verdict == kIdentical ? 1 : 0;
  }
  double ExpectedKeys(std::size_t record) const;

  const Settings* settings_;
  ShapeTable* shapes_;
  PairSelector selector_;
  PairWalker walker_;
  ValueSimilarity similarity_;
  std::uint32_t record_ = 0;  // the one being matched
  std::vector<Key> keys_;     // record after record: those of expected in its order, then extra ones
  std::vector<std::size_t> first_key_;    // by record, and the end
  std::vector<ValueRef> actual_members_;  // of the object at hand
};

void StrictJsonBatch::Match(const PairBatch& batch, StringPairs& pairs) {
  ResetColumns(batch, columns_);
  selector_.Begin(batch);
  similarity_.Begin(pairs);
  keys_.clear();
  first_key_.assign(1, 0);
  for (record_ = 0; record_ < batch.size(); ++record_) {
    if (batch.readable(record_) && selector_.Select(record_, /*expected_optional=*/false, columns_)) {
      const auto parts = selector_.parts();
      if (selector_.builds_object()) {
        for (const SelectedPart& part : parts) Compare(part.path->text, part, pairs);
      } else {
        TakeInventory(parts[0], pairs);
      }
    }
    first_key_.push_back(keys_.size());
  }
}

void StrictJsonBatch::TakeInventory(const SelectedPart& part, StringPairs& pairs) {
  const LeafTable& e = *part.expected.table;
  const LeafTable& a = *part.actual.table;
  if (part.expected.kind() != ValueKind::kObject) {  // one key, the whole
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

// Returns the number that penalties are divided by, or 0.
double StrictJsonBatch::ExpectedKeys(std::size_t record) const {
  return static_cast<double>(first_key_[record + 1] - first_key_[record]) -
         columns_.metrics[kExtra].values[record];
}

void StrictJsonBatch::Reduce(const StringPairs& pairs) {
  similarity_.Reduce(pairs);
  for (Key& key : keys_) {
    if (key.comparison == kNoComparison) continue;
    key.verdict = SimilarityOf(key) >= settings_->similar_threshold ? kSimilar : kWrong;
  }
  for (std::size_t r = 0; r < columns_.score.size(); ++r) {
    if (columns_.outcome[r] != Outcome::kScored) continue;
    for (Metric& metric : columns_.metrics) metric.values[r] = 0;
    double points = 0;
    for (std::size_t k = first_key_[r]; k < first_key_[r + 1]; ++k) {
      columns_.metrics[keys_[k].verdict].values[r] += 1;
      points += kPenalties[keys_[k].verdict];
    }
    const double expected_keys = ExpectedKeys(r);
    if (expected_keys > 0) {
      columns_.score[r] = std::max(0.0, 100 - points / expected_keys) / 100;
    } else {
      columns_.score[r] = points > 0 ? 0 : 1;
    }
  }
}

void StrictJsonBatch::AppendLeaves(std::uint32_t record, std::vector<JudgedLeaf>& leaves) const {
  for (std::size_t k = first_key_[record]; k < first_key_[record + 1]; ++k) {
    const Key& key = keys_[k];
    leaves.push_back(MakeJudgedLeaf(key.name, key.expected, key.actual, SimilarityOf(key), *shapes_));
  }
}

void StrictJsonBatch::AppendDetails(std::uint32_t record, DetailLevel level, std::string& out) const {
  ScorerBatch::AppendDetails(record, level, out);
  out += ", \"keys\": [";
  const double expected_keys = ExpectedKeys(record);
  for (std::size_t k = first_key_[record]; k < first_key_[record + 1]; ++k) {
    const Key& key = keys_[k];
    if (k != first_key_[record]) out += ", ";
    out += "{\"key\": ";
    AppendJsonString(out, key.name);
    out += ", \"verdict\": \"";
    out += kVerdictNames[key.verdict];
    out += "\", \"penalty\": ";
    // Without expected keys, an extra one costs everything.
    AppendJsonNumber(out, expected_keys > 0 ? kPenalties[key.verdict] / expected_keys : 100);
    if (key.comparison != kNoComparison) {
      out += ", \"similarity\": ";
      AppendJsonNumber(out, SimilarityOf(key));
    }
    out += '}';
  }
  out += ']';
}

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<StrictJsonBatch, Settings>>(
      Settings{PairSelectorOptions(options), options.GetNumber("similar_threshold", 0.5, 0, 1)});
}

}  // namespace

constinit const ScorerType kStrictJsonScorer = {
    "strict_json", "1 minus a deduction for each top-level key that is missing, wrong, similar or extra",
    kOptions, Make};

}  // namespace leafscore::internal
