// A JSON diff as a score, after autoevals' JSONDiff. Both sides count alike: what is missing on either lowers
// the score, and what is nested deep lowers it less than what is near the root.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    {"preserve_strings", "bool", "false", "compare strings that hold a JSON object or array as text"},
};

struct Settings {
  PairSelectorOptions selection;
  bool preserve_strings;
};

// 1 - |e - a| / (|e| + |a|), and 1 for two zeros.
double NumberSimilarity(double expected, double actual) {
  if (expected == actual) return 1;
  double sum = std::abs(expected) + std::abs(actual);
  if (sum > std::numeric_limits<double>::max()) {
    expected /= 2;
    actual /= 2;
    sum = std::abs(expected) + std::abs(actual);
  }
  const double similarity = 1 - std::abs(expected - actual) / sum;
  return similarity > 0 ? similarity : 0;  // NaN becomes 0 as well
}

bool IsNumeric(ValueKind kind) {
  return kind == ValueKind::kNumber || kind == ValueKind::kTrue || kind == ValueKind::kFalse;
}

double NumberOf(ValueRef value) {
  if (value.kind() == ValueKind::kNumber) return ParseNumber(value.table->leaf_token(value.node));
  return value.kind() == ValueKind::kTrue ? 1 : 0;
}

// Tells from its first characters whether a string can hold an object or array. Escapes are not looked into.
bool MayHoldContainer(std::string_view token) {
  const std::size_t first = token.find_first_not_of(" \t\n\r");
  return first != std::string_view::npos &&
         (token[first] == '{' || token[first] == '[' || token[first] == '\\');
}

std::uint32_t CountChildren(const LeafTable& table, NodeId container) {
  std::uint32_t count = 0;
  for (NodeId child = container + 1; child != table.end(container); child = table.end(child)) ++count;
  return count;
}

class JsonDiffBatch final : public SelectingBatch {
 public:
  JsonDiffBatch(const Settings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools), settings_(settings), texts_(tools) {}

  void Reduce(const StringPairs& pairs) override;

 private:
  // The mean of what is compared at one place: the members or elements of a container on both sides, or the
  // parts of a record.
  struct Mean {
    std::uint32_t parent;  // the mean that this one is a part of; kNoMean for a record
    std::uint32_t count;
    double sum;  // of what Match settled
  };
  static constexpr std::uint32_t kNoMean = 0xffffffffu;

  // One side of a place.
  struct Side {
    ValueRef value;
    std::uint32_t text_levels;  // texts inside strings that the value is in
  };

  // A container on both sides, and how far it was walked.
  struct Frame {
    Side expected;  // the next child
    NodeId expected_end;
    Side actual;  // the next child, when children correspond by position
    NodeId actual_end;
    const std::uint32_t* members;  // else the position of each expected member's counterpart
    std::size_t actual_children;   // and where in children_ the actual members begin
    bool is_object;
    std::uint32_t mean;      // of the children
    std::size_t kept_texts;  // those that were there before
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void ComparePart(const SelectedPart& part, std::uint32_t mean, StringPairs& pairs);
  void Compare(Side expected, Side actual, std::uint32_t mean, StringPairs& pairs);
  bool SameBytes(ValueRef expected, ValueRef actual);
  Side Parsed(Side side);
  void Open(Side expected, Side actual, std::uint32_t mean, std::size_t kept_texts);
  void CompareOthers(ValueRef expected, ValueRef actual, std::uint32_t mean, StringPairs& pairs);

  const Settings* settings_;
  ParsedTexts texts_;
  std::vector<Frame> frames_;
  std::vector<NodeId> children_;
  std::size_t comparable_bytes_ = 0;  // of containers, that may still be compared as a whole
  std::vector<Mean> means_;           // a container's after that of the container around it
  std::vector<double> sums_;          // of all that the means are of
  std::vector<std::uint32_t> record_mean_;
  std::uint32_t record_ = 0;              // the record being matched
  std::vector<std::uint32_t> pair_mean_;  // what each pair of this scorer counts for
  std::string expected_text_;
  std::string actual_text_;
};

void JsonDiffBatch::BeginBatch(std::uint32_t records) {
  frames_.clear();  // an error may have left some
  children_.clear();
  texts_.Truncate(0);
  means_.clear();
  pair_mean_.clear();
  record_mean_.assign(records, kNoMean);
}

void JsonDiffBatch::MatchRecord(std::uint32_t record, StringPairs& pairs) {
  record_ = record;
  const auto parts = selector_.parts();
  record_mean_[record] = static_cast<std::uint32_t>(means_.size());
  means_.push_back({kNoMean, static_cast<std::uint32_t>(parts.size()), 0});
  for (const SelectedPart& part : parts) ComparePart(part, record_mean_[record], pairs);
}

void JsonDiffBatch::ComparePart(const SelectedPart& part, std::uint32_t mean, StringPairs& pairs) {
  constexpr std::size_t kComparesOfAByte = 4;
  comparable_bytes_ = kComparesOfAByte * part.expected.table->token(part.expected.node).size();
  Compare({part.expected, 0}, {part.actual, 0}, mean, pairs);
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.expected.value.node == frame.expected_end) {
      children_.resize(frame.actual_children);
      texts_.Truncate(frame.kept_texts);
      frames_.pop_back();
      continue;
    }
    const Side expected = frame.expected;
    Side actual = frame.actual;
    frame.expected.value.node = expected.value.table->end(expected.value.node);
    if (frame.members != nullptr) {
      const std::uint32_t position = *frame.members++;
      actual.value.node =
          position == ShapeTable::kNoMember ? kNoNode : children_[frame.actual_children + position];
    } else if (actual.value.node != frame.actual_end) {
      frame.actual.value.node = actual.value.table->end(actual.value.node);
    } else {
      actual.value.node = kNoNode;
    }
    if (actual.value.present()) {
      Compare(expected, actual, frame.mean, pairs);
    } else if (frame.is_object && expected.value.kind() == ValueKind::kNull) {
      means_[frame.mean].sum += 1;  // a missing member counts as null
    }
  }
}

void JsonDiffBatch::Compare(Side expected, Side actual, std::uint32_t mean, StringPairs& pairs) {
  if (SameBytes(expected.value, actual.value)) {
    means_[mean].sum += 1;
    return;
  }
  const std::size_t kept_texts = texts_.size();
  expected = Parsed(expected);
  actual = Parsed(actual);
  if (IsContainer(expected.value.kind()) && expected.value.kind() == actual.value.kind()) {
    Open(expected, actual, mean, kept_texts);
  } else {
    CompareOthers(expected.value, actual.value, mean, pairs);
    texts_.Truncate(kept_texts);
  }
}

// Tells whether two values are found to be byte-equal. Containers within containers are compared again and
// again, so the bytes that may be compared are bounded, and with them the time.
bool JsonDiffBatch::SameBytes(ValueRef expected, ValueRef actual) {
  if (expected.kind() != actual.kind()) return false;
  const std::string_view e = expected.table->token(expected.node);
  const std::string_view a = actual.table->token(actual.node);
  if (e.size() != a.size()) return false;
  if (IsContainer(expected.kind())) {
    if (e.size() > comparable_bytes_) return false;
    comparable_bytes_ -= e.size();
  }
  return e == a;
}

// Returns what a string holds when that is an object or array, anything else as it is.
JsonDiffBatch::Side JsonDiffBatch::Parsed(Side side) {
  const auto [table, node] = side.value;
  if (settings_->preserve_strings || !IsString(table->kind(node))) return side;
  if (side.text_levels == kMaxTextLevels.default_value || !MayHoldContainer(table->leaf_token(node)))
    return side;
  const std::size_t kept_texts = texts_.size();
  ParsedText& parsed = texts_.Push();
  AppendStringText(*table, node, parsed.text);
  const NodeId root = texts_.Read(parsed).root;
  if (root == kNoNode || !IsContainer(parsed.table.kind(root))) {
    texts_.Truncate(kept_texts);
    return side;
  }
  return {{&parsed.table, root}, side.text_levels + 1};
}

void JsonDiffBatch::Open(Side expected, Side actual, std::uint32_t mean, std::size_t kept_texts) {
  const LeafTable& e = *expected.value.table;
  const LeafTable& a = *actual.value.table;
  const NodeId expected_node = expected.value.node++;
  const NodeId actual_node = actual.value.node++;
  Frame frame{.expected = expected,
              .expected_end = e.end(expected_node),
              .actual = actual,
              .actual_end = a.end(actual_node),
              .members = nullptr,
              .actual_children = children_.size(),
              .is_object = e.kind(expected_node) == ValueKind::kObject,
              .mean = 0,
              .kept_texts = kept_texts};
  std::uint32_t count = 0;
  std::uint32_t extra_nulls = 0;  // members without a counterpart, but null as that is
  if (!frame.is_object) {
    count = std::max(CountChildren(e, expected_node), CountChildren(a, actual_node));
  } else {
    const ShapeId from = e.shape(expected_node);
    const ShapeId to = a.shape(actual_node);
    count = shapes_->member_count(from);
    if (from != to) {
      frame.members = shapes_->CorrespondingMembers(from, to);
      const std::uint32_t* counterpart = shapes_->CorrespondingMembers(to, from);
      for (NodeId child = actual_node + 1; child != frame.actual_end; child = a.end(child)) {
        children_.push_back(child);
        if (*counterpart++ != ShapeTable::kNoMember) continue;
        ++count;
        extra_nulls += a.kind(child) == ValueKind::kNull;
      }
    }
  }
  if (count == 0) {
    means_[mean].sum += 1;
    texts_.Truncate(kept_texts);
    return;
  }
  frame.mean = static_cast<std::uint32_t>(means_.size());
  means_.push_back({mean, count, static_cast<double>(extra_nulls)});
  frames_.push_back(frame);
}

// Compares two values that are not both objects or both arrays.
void JsonDiffBatch::CompareOthers(ValueRef expected, ValueRef actual, std::uint32_t mean,
                                  StringPairs& pairs) {
  if (expected.kind() == ValueKind::kNull || actual.kind() == ValueKind::kNull) return;  // not both
  if (IsNumeric(expected.kind()) && IsNumeric(actual.kind())) {
    means_[mean].sum += NumberSimilarity(NumberOf(expected), NumberOf(actual));
    return;
  }
  const bool strings = IsString(expected.kind()) && IsString(actual.kind());
  const auto append = strings ? AppendValueText : AppendSortedJson;
  expected_text_.clear();
  actual_text_.clear();
  append(*expected.table, *shapes_, expected.node, expected_text_);
  append(*actual.table, *shapes_, actual.node, actual_text_);
  pairs.Append(expected_text_, actual_text_, record_);
  pair_mean_.push_back(mean);
}

void JsonDiffBatch::Reduce(const StringPairs& pairs) {
  sums_.clear();
  for (const Mean& mean : means_) sums_.push_back(mean.sum);
  for (std::uint32_t i = 0; i < pair_mean_.size(); ++i) {
    sums_[pair_mean_[i]] += pairs.Similarity(first_pair_ + i);
  }
  for (std::size_t i = means_.size(); i-- > 0;) {
    const Mean& mean = means_[i];
    if (mean.parent != kNoMean) sums_[mean.parent] += sums_[i] / mean.count;
  }
  for (std::size_t r = 0; r < record_mean_.size(); ++r) {
    if (record_mean_[r] == kNoMean) continue;
    columns_.score[r] = sums_[record_mean_[r]] / means_[record_mean_[r]].count;
  }
}

std::unique_ptr<Scorer> Make(const OptionReader& options) {
  return std::make_unique<ConfiguredScorer<JsonDiffBatch, Settings>>(
      Settings{PairSelectorOptions(options), options.GetBool("preserve_strings", false)});
}

}  // namespace

constinit const ScorerType kJsonDiffScorer = {
    "json_diff", "similarity of both sides as trees: what either lacks counts against it", kOptions, Make};

}  // namespace leafscore::internal
