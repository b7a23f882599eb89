#include "engine/scorers/json_similarity.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/compact_text.h"
#include "engine/json_scalar.h"
#include "engine/number_pairs.h"
#include "engine/pair_walker.h"
#include "engine/scorers/leaf_ledger.h"
#include "engine/scorers/pair_selector.h"
#include "engine/text/lower_case.h"

namespace leafscore {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"number_tolerance", "number", "0", "relative difference of two numbers up to which they count as equal"},
    {"case_sensitive", "bool", "true", "whether upper and lower case letters of strings differ"},
};

struct Settings {
  PairSelectorOptions selection;
  double number_tolerance;
  bool case_sensitive;
};

class JsonSimilarityBatch final : public ScorerBatch {
 public:
  JsonSimilarityBatch(const Settings* settings, WorkerTools tools)
      : settings_(settings),
        shapes_(tools.shapes),
        keeps_ledger_(tools.details == DetailLevel::kLeaves),
        selector_(&settings->selection, tools),
        walker_(tools.shapes) {
    columns_.metrics = {{"matched_leaves", {}}, {"total_leaves", {}}};
  }

  void Match(const PairBatch& batch, StringPairs& pairs) override;
  void Reduce(const StringPairs& pairs) override;
  void AppendDetails(std::uint32_t record, DetailLevel level, std::string& out) const override;

 private:
  // Compares the leaves of one pair of values.
  struct Visitor {
    JsonSimilarityBatch& scorer;
    ValueRef expected;
    ValueRef actual;
    StringPairs& pairs;
    double matched = 0;

    bool Equal(NodeId e, NodeId a) {
      matched += expected.table->leaf_count(e);
      if (scorer.keeps_ledger_) scorer.ledger_.Add(e, a, 1.0);
      return true;
    }
    bool Differ(NodeId e, NodeId a);
    bool Missing(NodeId e) {
      if (scorer.keeps_ledger_) scorer.ledger_.AddMissing(*expected.table, e);
      return true;
    }
    bool Extra() { return true; }
  };

  // Returns the text of a string as it is compared, a view into the input or into `buffer`.
  std::string_view ComparedText(const LeafTable& table, NodeId node, std::string& buffer) const;

  const Settings* settings_;
  ShapeTable* shapes_;
  bool keeps_ledger_;
  PairSelector selector_;
  PairWalker walker_;
  std::uint32_t record_ = 0;      // the record being matched
  std::uint32_t first_pair_ = 0;  // of this scorer's pairs in the list of the batch
  std::uint32_t end_pair_ = 0;
  NumberPairs numbers_;
  std::vector<std::uint32_t> number_record_;  // the record that each of them counts for
  LeafLedger ledger_;
  std::string expected_text_;
  std::string actual_text_;
};

bool JsonSimilarityBatch::Visitor::Differ(NodeId e, NodeId a) {
  const ValueKind expected_kind = expected.table->kind(e);
  const ValueKind actual_kind = actual.table->kind(a);
  if (IsContainer(expected_kind)) return Missing(e);
  double similarity = 0;
  if (expected_kind == ValueKind::kNumber && actual_kind == ValueKind::kNumber) {
    const std::uint32_t pair =
        scorer.numbers_.Append(ParseNumber(expected.table->token(e)), ParseNumber(actual.table->token(a)));
    scorer.number_record_.push_back(scorer.record_);
    if (scorer.keeps_ledger_) scorer.ledger_.AddNumberPair(e, a, pair);
    return true;
  }
  if (IsString(expected_kind) && IsString(actual_kind)) {
    const std::string_view expected_text = scorer.ComparedText(*expected.table, e, scorer.expected_text_);
    const std::string_view actual_text = scorer.ComparedText(*actual.table, a, scorer.actual_text_);
    if (expected_text == actual_text) {
      similarity = 1;
    } else if (!expected_text.empty() && !actual_text.empty()) {
      const std::uint32_t pair = pairs.Append(expected_text, actual_text, scorer.record_);
      if (scorer.keeps_ledger_) scorer.ledger_.AddStringPair(e, a, pair);
      return true;
    }
  }
  matched += similarity;
  if (scorer.keeps_ledger_) scorer.ledger_.Add(e, a, similarity);
  return true;
}

std::string_view JsonSimilarityBatch::ComparedText(const LeafTable& table, NodeId node,
                                                   std::string& buffer) const {
  if (settings_->case_sensitive && table.kind(node) == ValueKind::kString) return table.token(node);
  buffer.clear();
  AppendStringText(table, node, buffer);
  if (!settings_->case_sensitive) ToLowerCase(buffer);
  return buffer;
}

void JsonSimilarityBatch::Match(const PairBatch& batch, StringPairs& pairs) {
  ResetColumns(batch, columns_);
  selector_.Begin(batch);
  ledger_.Reset();
  numbers_.Clear();
  number_record_.clear();
  first_pair_ = pairs.size();
  std::vector<double>& matched_leaves = columns_.metrics[0].values;
  std::vector<double>& total_leaves = columns_.metrics[1].values;
  for (record_ = 0; record_ < batch.size(); ++record_) {
    if (!batch.readable(record_) || !selector_.Select(record_, /*expected_optional=*/false, columns_))
      continue;
    double matched = 0;
    double total = 0;
    for (const SelectedPart& part : selector_.parts()) {
      if (keeps_ledger_) ledger_.BeginPart(record_, part);
      Visitor visitor{*this, part.expected, part.actual, pairs};
      walker_.Walk(part.expected, part.actual, /*descend_equal=*/keeps_ledger_, visitor);
      matched += visitor.matched;
      total += part.expected.table->leaf_count(part.expected.node);
    }
    matched_leaves[record_] = matched;
    total_leaves[record_] = total;
  }
  end_pair_ = pairs.size();
}

void JsonSimilarityBatch::Reduce(const StringPairs& pairs) {
  std::vector<double>& matched_leaves = columns_.metrics[0].values;
  const std::vector<double>& total_leaves = columns_.metrics[1].values;
  // The result's last bits depend on the order: what Match settled, then the numbers, then the strings.
  numbers_.Compute(settings_->number_tolerance);
  for (std::uint32_t i = 0; i < number_record_.size(); ++i) {
    matched_leaves[number_record_[i]] += numbers_.similarity(i);
  }
  for (std::uint32_t pair = first_pair_; pair < end_pair_; ++pair) {
    matched_leaves[pairs.record(pair)] += pairs.Similarity(pair);
  }
  for (std::size_t r = 0; r < columns_.score.size(); ++r) {
    if (columns_.outcome[r] != Outcome::kScored) continue;
    columns_.score[r] = total_leaves[r] > 0 ? matched_leaves[r] / total_leaves[r] : 1.0;
  }
  ledger_.Resolve(pairs, numbers_);
}

void JsonSimilarityBatch::AppendDetails(std::uint32_t record, DetailLevel level, std::string& out) const {
  ScorerBatch::AppendDetails(record, level, out);
  if (level == DetailLevel::kLeaves) {
    out += ", \"leaves\": ";
    ledger_.AppendJson(record, *shapes_, out);
  }
}

}  // namespace

std::span<const OptionSpec> JsonSimilarityOptions() { return kOptions; }

std::unique_ptr<Scorer> MakeJsonSimilarity(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<JsonSimilarityBatch, Settings>>(
      Settings{PairSelectorOptions(options),
               options.GetNumber("number_tolerance", 0, 0, std::numeric_limits<double>::max()),
               options.GetBool("case_sensitive", true)});
}

}  // namespace leafscore
