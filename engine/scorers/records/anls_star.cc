// records by the rules of ANLS*: the sum of the similarities of all leaves, divided by the number of leaves
// of both sides, where a pair of leaves counts once. A similarity below one half counts as 0. The elements of
// lists are paired in any order.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/json/json_view.h"
#include "engine/languages/python_equal.h"
#include "engine/languages/python_repr.h"
#include "engine/languages/python_text.h"
#include "engine/match/assignment.h"
#include "engine/match/value_ids.h"
#include "engine/scorers/accepted_values.h"
#include "engine/scorers/records/revisions.h"
#include "engine/scorers/selecting_batch.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kAnlsMetricNames[] = {"similarity", "length"};
enum AnlsMetric : std::size_t { kSimilarity, kLength };
constexpr TextMetric kAnlsTextMetrics[] = {{"pairing", /*is_list=*/false}};
// A leaf that is less similar to the expected one counts as not similar at all.
constexpr double kLeastSimilarity = 0.5;

struct AnlsSettings {
  PairSelectorOptions selection;
  std::string any_of_key;
  double threshold;
};

// A value on one side. The text of each leaf has a number.
struct AnlsSide {
  ValueRef root;
  std::vector<ValueId> texts;  // by node, from the root on

  ValueId TextOf(NodeId node) const { return texts[node - root.node]; }
};

struct AnlsMatch {
  double similarity = 0;  // the sum over the leaves
  std::uint32_t length = 0;
  bool equal = false;  // whether expected == actual in Python, with expected lists in the order of the answer

  double mean() const { return length == 0 ? 1 : similarity / length; }
};

// Compares two values in two passes: the first lists the pairs of texts whose distances are needed, the
// second uses the distances.
class AnlsComparer {
 public:
  AnlsComparer(const ShapeTable* shapes, const AnlsSettings* settings)
      : shapes_(shapes), settings_(settings) {}

  void Begin() {
    ids_.Clear();
    pair_of_.clear();
  }
  void Use(const StringPairs& distances) { distances_ = &distances; }

  void ReadTexts(ValueRef value, AnlsSide& side);
  // Appends the pairs that Compare will need. RETURNS: false if there are too many.
  bool NamePairs(const AnlsSide& expected, const AnlsSide& actual, std::uint32_t record, StringPairs& pairs);
  AnlsMatch CompareWhole(const AnlsSide& expected, const AnlsSide& actual);
  // Returns whether every list compared since the previous call got the best pairing.
  bool TakeExact() { return std::exchange(exact_, true); }
  // Returns the number of leaves.
  std::uint32_t LengthOf(const AnlsSide& side, NodeId node, bool is_expected) const;

 private:
  struct AnlsSides {
    const AnlsSide* expected;
    const AnlsSide* actual;
  };

  AnlsMatch Compare(const AnlsSides& sides, NodeId expected, NodeId actual);
  AnlsMatch CompareLists(const AnlsSides& sides, NodeId expected, NodeId actual);
  AnlsMatch CompareObjects(const AnlsSides& sides, NodeId expected, NodeId actual);
  AnlsMatch BestOf(const AnlsSides& sides, NodeId list, NodeId actual);
  double SimilarityOf(ValueId expected, ValueId actual);
  NodeId AcceptedIn(const AnlsSide& side, NodeId node) const;

  const ShapeTable* shapes_;
  const AnlsSettings* settings_;
  ValueIds ids_;
  std::map<std::pair<ValueId, ValueId>, std::uint32_t> pair_of_;  // by the numbers of both texts
  bool exact_ = true;
  const StringPairs* distances_ = nullptr;
  StringPairs* pairs_ = nullptr;  // null unless the pairs are being listed
  std::uint32_t record_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t bytes_ = 0;
};

bool IsNullLike(const LeafTable& table, NodeId node) {
  if (node == kNoNode || table.kind(node) == ValueKind::kNull) return true;
  if (IsString(table.kind(node))) return table.leaf_token(node).empty();
  return IsContainer(table.kind(node)) && table.end(node) == node + 1;
}

std::vector<NodeId> ChildrenOf(const LeafTable& table, NodeId container) {
  std::vector<NodeId> children;
  for (NodeId node = container + 1; node != table.end(container); node = table.end(node)) {
    children.push_back(node);
  }
  return children;
}

void AnlsComparer::ReadTexts(ValueRef value, AnlsSide& side) {
  const LeafTable& table = *value.table;
  side.root = value;
  side.texts.assign(table.end(value.node) - value.node, 0);
  std::string text;
  std::string folded;
  for (NodeId node = value.node; node != table.end(value.node); ++node) {
    if (IsContainer(table.kind(node)) || table.kind(node) == ValueKind::kNull) continue;
    text.clear();
    AppendPythonText(table, *shapes_, node, text, PythonNumbers::kAsRead);
    ToLowerCase(text);
    side.texts[node - value.node] = ids_.Cell(0, ValueIds::Form::kText, FoldSpaceRuns(text, folded));
  }
}

NodeId AnlsComparer::AcceptedIn(const AnlsSide& side, NodeId node) const {
  const LeafTable& table = *side.root.table;
  const NodeId accepted = AcceptedValues(table, *shapes_, node, settings_->any_of_key);
  return accepted == kNoNode || table.end(accepted) == accepted + 1 ? kNoNode : accepted;
}

std::uint32_t AnlsComparer::LengthOf(const AnlsSide& side, NodeId node, bool is_expected) const {
  const LeafTable& table = *side.root.table;
  if (node == kNoNode || !IsContainer(table.kind(node))) return 1;
  const NodeId accepted = is_expected ? AcceptedIn(side, node) : kNoNode;
  std::uint32_t length = 0;
  for (const NodeId child : ChildrenOf(table, accepted == kNoNode ? node : accepted)) {
    const std::uint32_t of_child = LengthOf(side, child, is_expected);
    length = accepted == kNoNode ? length + of_child : std::max(length, of_child);
  }
  return length;
}

bool AnlsComparer::NamePairs(const AnlsSide& expected, const AnlsSide& actual, std::uint32_t record,
                             StringPairs& pairs) {
  pairs_ = &pairs;
  record_ = record;
  steps_ = bytes_ = 0;
  CompareWhole(expected, actual);
  pairs_ = nullptr;
  return steps_ <= kMaxLeafPairs.max && bytes_ <= kMaxLeafPairBytes.max;
}

double AnlsComparer::SimilarityOf(ValueId expected, ValueId actual) {
  if (expected == actual) return 1;
  const std::pair texts(expected, actual);
  if (pairs_ != nullptr) {
    if (pair_of_.contains(texts)) return 0;
    bytes_ += ids_.BytesOf(expected).size() + ids_.BytesOf(actual).size();
    if (bytes_ > kMaxLeafPairBytes.max) return 0;
    pair_of_[texts] = pairs_->Append(ids_.BytesOf(expected), ids_.BytesOf(actual), record_);
    return 0;
  }
  const auto found = pair_of_.find(texts);
  const double similarity = found == pair_of_.end() ? 0 : distances_->Similarity(found->second);
  return similarity < kLeastSimilarity ? 0 : similarity;
}

// If the answer is a text, an expected list of texts is a list of accepted texts, as in question answering.
AnlsMatch AnlsComparer::CompareWhole(const AnlsSide& expected, const AnlsSide& actual) {
  const LeafTable& e = *expected.root.table;
  const AnlsSides sides{&expected, &actual};
  const NodeId root = expected.root.node;
  if (e.kind(root) == ValueKind::kArray && IsString(actual.root.table->kind(actual.root.node))) {
    const std::vector<NodeId> options = ChildrenOf(e, root);
    const auto is_text = [&](NodeId node) { return IsString(e.kind(node)); };
    if (!options.empty() && std::ranges::all_of(options, is_text))
      return BestOf(sides, root, actual.root.node);
  }
  return Compare(sides, root, actual.root.node);
}

// Compares two values; one of them may be absent, which counts as null.
AnlsMatch AnlsComparer::Compare(const AnlsSides& sides, NodeId expected, NodeId actual) {
  if (pairs_ != nullptr && ++steps_ > kMaxLeafPairs.max) return {};
  const LeafTable& e = *sides.expected->root.table;
  const LeafTable& a = *sides.actual->root.table;
  const auto length = [&] {
    return std::max(LengthOf(*sides.expected, expected, true), LengthOf(*sides.actual, actual, false));
  };
  if (expected == kNoNode || e.kind(expected) == ValueKind::kNull) {
    const bool equal = IsNullLike(a, actual);
    return {equal ? 1.0 : 0.0, length(), equal};
  }
  const NodeId accepted = AcceptedIn(*sides.expected, expected);
  if (accepted != kNoNode) return BestOf(sides, accepted, actual);
  const bool actual_is_leaf = actual == kNoNode || !IsContainer(a.kind(actual));
  if (IsContainer(e.kind(expected))) {
    if (actual_is_leaf || a.kind(actual) != e.kind(expected)) return {0, length(), false};
    return e.kind(expected) == ValueKind::kArray ? CompareLists(sides, expected, actual)
                                                 : CompareObjects(sides, expected, actual);
  }
  if (!actual_is_leaf || actual == kNoNode || a.kind(actual) == ValueKind::kNull) return {0, length(), false};
  return {SimilarityOf(sides.expected->TextOf(expected), sides.actual->TextOf(actual)), 1,
          PythonEqual(JsonView(e, *shapes_, expected), JsonView(a, *shapes_, actual))};
}

// Returns the result for the accepted value that matches best, or for the first of several that match equally
// well.
AnlsMatch AnlsComparer::BestOf(const AnlsSides& sides, NodeId list, NodeId actual) {
  std::optional<AnlsMatch> best;
  for (const NodeId option : ChildrenOf(*sides.expected->root.table, list)) {
    const AnlsMatch match = Compare(sides, option, actual);
    if (!best || std::pair(match.mean(), match.equal) > std::pair(best->mean(), best->equal)) best = match;
  }
  return best.value_or(AnlsMatch{});
}

AnlsMatch AnlsComparer::CompareLists(const AnlsSides& sides, NodeId expected, NodeId actual) {
  const std::vector<NodeId> rows = ChildrenOf(*sides.expected->root.table, expected);
  const std::vector<NodeId> columns = ChildrenOf(*sides.actual->root.table, actual);
  std::vector<AnlsMatch> matches;
  std::vector<double> weights;
  for (const NodeId row : rows) {
    for (const NodeId column : columns) {
      if (pairs_ != nullptr && steps_ > kMaxLeafPairs.max) return {};
      const AnlsMatch match = Compare(sides, row, column);
      if (pairs_ != nullptr) continue;
      const double mean = match.mean();
      matches.push_back(match);
      // An equal pair is preferred to pairs that are as similar.
      weights.push_back(match.equal ? std::nextafter(mean, std::numeric_limits<double>::infinity()) : mean);
    }
  }
  AnlsMatch whole;
  if (pairs_ != nullptr) return whole;
  whole.equal = rows.size() == columns.size();
  std::vector<bool> paired(columns.size());
  AssignmentWorkspace workspace;
  std::vector<std::uint32_t> column_of(rows.size(), kUnassigned);
  if (!weights.empty()) {
    const AssignmentResult best = AssignBest(weights, rows.size(), columns.size(), workspace);
    column_of.assign(best.column_of_row.begin(), best.column_of_row.end());
    exact_ &= best.exact;
  }
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (column_of[row] == kUnassigned) {
      whole.length += LengthOf(*sides.expected, rows[row], true);
      continue;
    }
    const AnlsMatch& match = matches[row * columns.size() + column_of[row]];
    whole.similarity += match.similarity;
    whole.length += match.length;
    whole.equal &= match.equal;
    paired[column_of[row]] = true;
  }
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (!paired[column]) whole.length += LengthOf(*sides.actual, columns[column], false);
  }
  return whole;
}

// A key that one side lacks counts as null there. If only the answer has a key, and its value is empty, the
// key adds to the length but not to the similarity.
AnlsMatch AnlsComparer::CompareObjects(const AnlsSides& sides, NodeId expected, NodeId actual) {
  const LeafTable& e = *sides.expected->root.table;
  const LeafTable& a = *sides.actual->root.table;
  const std::vector<std::string_view> keys = shapes_->Keys(e.shape(expected));
  const std::vector<std::string_view> other_keys = shapes_->Keys(a.shape(actual));
  const std::vector<NodeId> members = ChildrenOf(e, expected);
  std::vector<NodeId> others = ChildrenOf(a, actual);
  AnlsMatch whole;
  whole.equal = true;
  const auto add = [&](const AnlsMatch& match) {
    whole.similarity += match.similarity;
    whole.length += match.length;
    whole.equal &= match.equal;
  };
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::uint32_t other = shapes_->FindMember(a.shape(actual), keys[m]);
    const NodeId given = other == ShapeTable::kNoMember ? kNoNode : std::exchange(others[other], kNoNode);
    AnlsMatch match = Compare(sides, members[m], given);
    match.equal |= given == kNoNode && IsNullLike(e, members[m]);
    add(match);
  }
  for (const NodeId other : others) {
    if (other == kNoNode) continue;
    AnlsMatch match = Compare(sides, kNoNode, other);
    if (IsNullLike(a, other)) match = {0, match.length, false};
    add(match);
  }
  return whole;
}

class AnlsStarBatch final : public SelectingBatch {
 public:
  AnlsStarBatch(const AnlsSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools, kAnlsMetricNames),
        settings_(settings),
        comparer_(tools.shapes, settings) {}

  void Reduce(const StringPairs& pairs) override;
  std::span<const TextMetric> text_metrics() const override { return kAnlsTextMetrics; }
  void AppendTexts(std::uint32_t record, std::size_t /*metric*/,
                   std::vector<std::string>& texts) const override {
    texts.emplace_back(exact_[record] ? "exact" : "near");
  }

 private:
  struct Part {
    std::uint32_t record;
    AnlsSide expected;
    AnlsSide actual;
  };

  void BeginBatch(std::uint32_t records) override {
    comparer_.Begin();
    exact_.assign(records, true);
    used_ = 0;
  }
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;

  const AnlsSettings* settings_;
  AnlsComparer comparer_;
  std::vector<Part> parts_;  // of the batch
  std::size_t used_ = 0;
  std::vector<bool> exact_;  // by record
};

void AnlsStarBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  const std::size_t first = used_;
  std::uint64_t leaves = 0;
  for (const SelectedPart& selected : selector_.parts()) {
    if (used_ == parts_.size()) parts_.emplace_back();
    Part& part = parts_[used_++];
    part.record = record;
    comparer_.ReadTexts(selected.expected, part.expected);
    comparer_.ReadTexts(selected.actual, part.actual);
    leaves += comparer_.LengthOf(part.expected, part.expected.root.node, true);
    leaves += comparer_.LengthOf(part.actual, part.actual.root.node, false);
    if (comparer_.NamePairs(part.expected, part.actual, record, pairs)) continue;
    used_ = first;
    return SetRecordError(record, RejectReason::kWorkLimit,
                          "its lists have too many pairs of elements to compare", columns_);
  }
  if (leaves == 0) CompareNothing(record);
}

void AnlsStarBatch::Reduce(const StringPairs& pairs) {
  comparer_.Use(pairs);
  for (std::size_t i = 0; i < used_;) {
    const std::uint32_t record = parts_[i].record;
    AnlsMatch whole;
    for (; i < used_ && parts_[i].record == record; ++i) {
      const AnlsMatch match = comparer_.CompareWhole(parts_[i].expected, parts_[i].actual);
      whole.similarity += match.similarity;
      whole.length += match.length;
    }
    metric(kSimilarity, record) = whole.similarity;
    metric(kLength, record) = whole.length;
    columns_.score[record] = whole.mean();
    columns_.passed[record] = whole.mean() >= settings_->threshold;
    exact_[record] = comparer_.TakeExact();
  }
}

}  // namespace

std::unique_ptr<Scorer> MakeAnlsStar(const OptionReader& options) {
  AnlsSettings settings{PairSelectorOptions::OfStructure(options), options.GetText("any_of_key", ""),
                        ReadThreshold(options)};
  settings.selection.SeekAnyOfKey(settings.any_of_key);
  return std::make_unique<ConfiguredScorer<AnlsStarBatch, AnlsSettings>>(std::move(settings));
}

}  // namespace leafscore::internal
