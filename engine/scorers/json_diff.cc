// A JSON diff as a score, after autoevals' JSONDiff. Both sides count alike: a part that is missing on either
// side lowers the score, and a deeply nested part lowers it less than one near the root.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/limits.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/match/pair_walker.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/registry.h"
#include "engine/scorers/selecting_batch.h"

namespace leafscore::internal {
namespace {

constexpr OptionSpec kJsonDiffOptions[] = {
    kTargetOutputKeyOption,
    kDefaultExpectedOption,
    kUnwrapOption,
    {"preserve_strings", "bool", "false", "compare strings that hold a JSON object or array as text"},
};

struct JsonDiffSettings {
  PairSelectorOptions selection;
  bool preserve_strings;
};

// Returns 1 - |e - a| / (|e| + |a|), and 1 for two zeros. A number that is not finite is similar only to a
// number with the same spelling.
double NumberSimilarity(double expected, double actual) {
  if (!std::isfinite(expected) || !std::isfinite(actual)) return 0;
  if (expected == actual) return 1;
  double sum = std::abs(expected) + std::abs(actual);
  if (sum > std::numeric_limits<double>::max()) {
    expected /= 2;
    actual /= 2;
    sum = std::abs(expected) + std::abs(actual);
  }
  const double similarity = 1 - std::abs(expected - actual) / sum;
  return similarity > 0 ? similarity : 0;
}

bool IsNumeric(ValueKind kind) {
  return kind == ValueKind::kNumber || kind == ValueKind::kTrue || kind == ValueKind::kFalse;
}

double NumberIn(ValueRef value) {
  if (value.kind() == ValueKind::kNumber) return ParseNumber(value.table->leaf_token(value.node));
  return value.kind() == ValueKind::kTrue ? 1 : 0;
}

// Tells whether a string can contain an object or array, judging by its first characters. Does not resolve
// escapes.
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
  JsonDiffBatch(const JsonDiffSettings* settings, WorkerTools tools)
      : SelectingBatch(&settings->selection, tools),
        settings_(settings),
        texts_(tools),
        walker_(tools.shapes) {}

  void Reduce(const StringPairs& pairs) override;

 private:
  // The mean of the similarities at one place: of the members or elements of two containers, or of the parts
  // of a record.
  struct Mean {
    std::uint32_t parent;  // the mean to which this one contributes; kNoMean for a record
    std::uint32_t count;
    double sum;  // similarities that Match settled
  };
  static constexpr std::uint32_t kNoMean = 0xffffffffu;

  // A mean whose values are being compared.
  struct OpenMean {
    std::uint32_t mean;
    bool is_object;  // false: elements of two arrays
  };

  // One side of a place.
  struct Side {
    ValueRef value;
    std::uint32_t text_levels;  // how many parsed strings surround the value
  };

  // Compares the content of two values.
  struct Visitor {
    JsonDiffBatch& scorer;
    Side expected;
    Side actual;
    StringPairs& pairs;

    bool Equal(NodeId, NodeId) { return scorer.Settle(1); }
    bool Differ(NodeId e, NodeId a) {
      scorer.CompareDifferent({{expected.value.table, e}, expected.text_levels},
                              {{actual.value.table, a}, actual.text_levels}, pairs);
      return true;
    }
    bool Missing(NodeId e) {
      // A missing member counts as null.
      const bool is_null = expected.value.table->kind(e) == ValueKind::kNull;
      return scorer.Settle(is_null && scorer.open_means_.back().is_object ? 1 : 0);
    }
    bool Extra() { return true; }
    bool Enter(NodeId e, NodeId a) {
      return scorer.OpenMeanOf({expected.value.table, e}, {actual.value.table, a});
    }
    void Leave() { scorer.open_means_.pop_back(); }
  };

  void BeginBatch(std::uint32_t records) override;
  void MatchRecord(std::uint32_t record, StringPairs& pairs) override;
  void CompareDifferent(Side expected, Side actual, StringPairs& pairs);
  Side Parsed(Side side);
  bool OpenMeanOf(ValueRef expected, ValueRef actual);
  void CompareOthers(ValueRef expected, ValueRef actual, StringPairs& pairs);
  // Adds to the innermost mean.
  bool Settle(double similarity) {
    means_[open_means_.back().mean].sum += similarity;
    return true;
  }

  const JsonDiffSettings* settings_;
  ParsedTexts texts_;
  PairWalker walker_;
  std::vector<OpenMean> open_means_;  // the innermost is last
  std::vector<Mean> means_;           // a mean comes after the mean to which it contributes
  std::vector<double> sums_;          // sum of each mean
  std::vector<std::uint32_t> record_mean_;
  std::uint32_t record_ = 0;              // the record being matched
  std::vector<std::uint32_t> pair_mean_;  // for each pair of this scorer, the mean to which it contributes
  std::string expected_text_;
  std::string actual_text_;
};

void JsonDiffBatch::BeginBatch(std::uint32_t records) {
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
  open_means_.assign(1, {record_mean_[record], /*is_object=*/false});
  for (const SelectedPart& part : parts) {
    Visitor visitor{*this, {part.expected, 0}, {part.actual, 0}, pairs};
    walker_.Walk(part.expected, part.actual, /*descend_equal=*/false, visitor);
  }
}

// Compares two values whose bytes differ. They are not yet two objects or two arrays, but may become so when
// strings are parsed as JSON.
void JsonDiffBatch::CompareDifferent(Side expected, Side actual, StringPairs& pairs) {
  const std::size_t kept_texts = texts_.size();
  expected = Parsed(expected);
  actual = Parsed(actual);
  if (IsContainer(expected.value.kind()) && expected.value.kind() == actual.value.kind()) {
    Visitor visitor{*this, expected, actual, pairs};
    walker_.WalkInto(expected.value, actual.value, visitor);  // calls itself, up to the limit of text levels
  } else {
    CompareOthers(expected.value, actual.value, pairs);
  }
  texts_.Truncate(kept_texts);
}

// Returns the object or array that a string holds as JSON; for anything else, the side unchanged.
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

// Opens the mean for the content of two objects or two arrays. RETURNS: false if both are empty; the
// comparison is then settled.
bool JsonDiffBatch::OpenMeanOf(ValueRef expected, ValueRef actual) {
  const LeafTable& e = *expected.table;
  const LeafTable& a = *actual.table;
  const bool is_object = expected.kind() == ValueKind::kObject;
  std::uint32_t count = 0;
  std::uint32_t extra_nulls = 0;  // null members without a counterpart
  if (!is_object) {
    count = std::max(CountChildren(e, expected.node), CountChildren(a, actual.node));
  } else {
    const ShapeId from = e.shape(expected.node);
    const ShapeId to = a.shape(actual.node);
    count = shapes_->member_count(from);
    if (from != to) {
      const std::uint32_t* counterpart = shapes_->CorrespondingMembers(to, from);
      for (NodeId child = actual.node + 1; child != a.end(actual.node); child = a.end(child)) {
        if (*counterpart++ != ShapeTable::kNoMember) continue;
        ++count;
        extra_nulls += a.kind(child) == ValueKind::kNull;
      }
    }
  }
  if (count == 0) {
    Settle(1);
    return false;
  }
  const std::uint32_t parent = open_means_.back().mean;
  open_means_.push_back({static_cast<std::uint32_t>(means_.size()), is_object});
  means_.push_back({parent, count, static_cast<double>(extra_nulls)});
  return true;
}

// Compares two values that are neither both objects nor both arrays.
void JsonDiffBatch::CompareOthers(ValueRef expected, ValueRef actual, StringPairs& pairs) {
  if (expected.kind() == ValueKind::kNull || actual.kind() == ValueKind::kNull) return;  // not both
  if (IsNumeric(expected.kind()) && IsNumeric(actual.kind())) {
    Settle(NumberSimilarity(NumberIn(expected), NumberIn(actual)));
    return;
  }
  const bool strings = IsString(expected.kind()) && IsString(actual.kind());
  const auto append = strings ? AppendValueText : AppendSortedJson;
  expected_text_.clear();
  actual_text_.clear();
  append(*expected.table, *shapes_, expected.node, expected_text_);
  append(*actual.table, *shapes_, actual.node, actual_text_);
  pairs.Append(expected_text_, actual_text_, record_);
  pair_mean_.push_back(open_means_.back().mean);
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

std::unique_ptr<Scorer> MakeJsonDiff(const OptionReader& options) {
  JsonDiffSettings settings{PairSelectorOptions(options), options.GetBool("preserve_strings", false)};
  settings.selection.ReadUnwraps(options, /*is_seed=*/true);
  if (!settings.preserve_strings) settings.selection.ReadTextsBesideStructure();
  return std::make_unique<ConfiguredScorer<JsonDiffBatch, JsonDiffSettings>>(std::move(settings));
}

}  // namespace

constinit const ScorerType kJsonDiffScorer = {
    "json_diff",
    "similarity of both sides as trees; values missing on either side count against it",
    kJsonDiffOptions,
    MakeJsonDiff,
    {"For JSON where both missing and extra content should cost. The score is the similarity of the two "
     "trees, over the keys of both.",
     "json_diff", R"({"a": 1, "b": [1, 2]})", R"({"a": 1, "b": [1], "c": 3})", "", 0.5}};

}  // namespace leafscore::internal
