// Gold with any keys, by the rules of September 2026.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/limits.h"
#include "engine/base/rounding.h"
#include "engine/base/suggest.h"
#include "engine/base/text_map.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/static_json/batch_2026_09.h"
#include "engine/scorers/static_json/key_rules.h"
#include "engine/scorers/static_json/python_values.h"
#include "engine/scorers/static_json/stated_range.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

// The modes set_match and set_contained of AssetOpsBench, which compare lists as sets.

// Returns whether fields of items are compared instead of whole items.
bool ComparesFields(const KeyRule& rule) {
  return rule.mode == KeyRule::Mode::kSetMatch && !rule.match_on.empty();
}

// An item of a list, or a field of it.
struct Compared {
  std::uint32_t text = 0;  // equal texts have the same number
  std::optional<double> time = {};
  bool is_null = false;
};

struct Item {
  std::vector<Compared> values;  // the item itself, or the fields that are compared
  bool is_object = false;

  // Returns a text that is equal for equal items.
  std::string Identity() const {
    std::string identity;
    for (const Compared& value : values) identity += std::to_string(value.text) + ' ';
    return identity;
  }
};

// The texts of both lists, numbered.
using NumberedTexts = TextMap<std::string, std::uint32_t>;

// Reads a value. An absent value counts as null.
Compared ComparedOf(const PythonValue& value, const ShapeTable& shapes, NumberedTexts& texts) {
  const bool is_null = !value.value.present() || value.value.kind() == ValueKind::kNull;
  std::string text;
  if (is_null) {
    text = "none";
  } else {
    AppendPythonStr(value, shapes, text);
    text = StripSpace(text);
    ToLowerCase(text);
  }
  const std::optional<double> time = ReadTime(text);
  const auto number = static_cast<std::uint32_t>(texts.size());
  return {texts.try_emplace(std::move(text), number).first->second, time, is_null};
}

std::vector<Item> ItemsOf(const PythonValue& list, const KeyRule& rule, const ShapeTable& shapes,
                          NumberedTexts& texts) {
  std::vector<Item> items;
  const LeafTable& table = *list.value.table;
  for (NodeId node = list.value.node + 1; node != table.end(list.value.node); node = table.end(node)) {
    Item& item = items.emplace_back();
    item.is_object = table.kind(node) == ValueKind::kObject;
    if (!ComparesFields(rule)) {
      item.values.push_back(ComparedOf({{&table, node}, list.marks_tuples}, shapes, texts));
      continue;
    }
    for (const std::string& field : rule.match_on) {
      const std::uint32_t member =
          item.is_object ? shapes.FindMember(table.shape(node), field) : ShapeTable::kNoMember;
      const NodeId value = member == ShapeTable::kNoMember ? kNoNode : table.Child(node, member);
      item.values.push_back(ComparedOf({{&table, value}, list.marks_tuples}, shapes, texts));
    }
  }
  return items;
}

bool AreDifferent(const std::vector<Item>& items) {
  TextSet<std::string> seen;
  return std::ranges::all_of(items, [&](const Item& item) { return seen.insert(item.Identity()).second; });
}

// Returns whether an item of the gold can be matched. If fields are compared, the item must have all of them.
bool CanMatch(const KeyRule& rule, const Item& gold) {
  return !ComparesFields(rule) || (gold.is_object && std::ranges::none_of(gold.values, &Compared::is_null));
}

// Returns whether each item of the answer is an item of the gold.
bool AreContained(const KeyRule& rule, const std::vector<Item>& gold, const std::vector<Item>& model) {
  TextSet<std::string> known;
  for (const Item& item : gold) {
    if (CanMatch(rule, item)) known.insert(item.Identity());
  }
  return std::ranges::all_of(model, [&](const Item& item) {
    return (item.is_object || !ComparesFields(rule)) && known.contains(item.Identity());
  });
}

bool ItemsMatch(const KeyRule& rule, const Item& gold, const Item& model) {
  if (!CanMatch(rule, gold) || (ComparesFields(rule) && !model.is_object)) return false;
  for (std::size_t i = 0; i < gold.values.size(); ++i) {
    const Compared& expected = gold.values[i];
    const Compared& actual = model.values[i];
    const bool near =
        expected.time && actual.time && std::abs(*expected.time - *actual.time) <= rule.tolerance_s;
    if (!near && expected.text != actual.text) return false;
  }
  return true;
}

// Pairs each item of the answer, in turn, with the first unpaired gold item that it matches.
// RETURNS: whether all items found one; nullopt if this needs more comparisons than are left.
std::optional<bool> Match(const KeyRule& rule, const std::vector<Item>& gold, const std::vector<Item>& model,
                          std::uint64_t& comparisons_left) {
  std::vector<bool> taken(gold.size());
  std::size_t first_left = 0;
  for (const Item& item : model) {
    while (first_left < gold.size() && taken[first_left]) ++first_left;
    std::size_t i = first_left;
    for (; i < gold.size(); ++i) {
      if (comparisons_left == 0) return std::nullopt;
      --comparisons_left;
      if (!taken[i] && ItemsMatch(rule, gold[i], item)) break;
    }
    if (i == gold.size()) return false;
    taken[i] = true;
  }
  return true;
}

// Returns whether an answer satisfies a rule for sets. A value that is not a list, such as a tuple, satisfies
// no rule. The value of the model may be absent.
// COST: linear. A set_match with a tolerance compares pairs of items; each comparison is deducted from
// `comparisons_left`.
// RETURNS: nullopt if more comparisons are needed than are left.
std::optional<bool> SatisfiesSetRule(const KeyRule& rule, const PythonValue& gold, const PythonValue& model,
                                     const ShapeTable& shapes, std::uint64_t& comparisons_left) {
  const auto is_list = [](const PythonValue& value) {
    return value.value.present() && value.value.kind() == ValueKind::kArray && !value.IsTuple();
  };
  if (!is_list(gold) || !is_list(model)) return false;
  NumberedTexts texts;
  const std::vector<Item> answers = ItemsOf(model, rule, shapes, texts);
  const std::vector<Item> expected = ItemsOf(gold, rule, shapes, texts);
  const bool is_match = rule.mode == KeyRule::Mode::kSetMatch;
  const auto gold_size = static_cast<double>(expected.size());
  const double count = is_match ? gold_size : rule.count.value_or(gold_size);
  if (static_cast<double>(answers.size()) != count || !AreDifferent(answers)) return false;
  if (is_match && rule.tolerance_s > 0) return Match(rule, expected, answers, comparisons_left);
  // Without a tolerance, two different items of the answer never match the same item of the gold.
  return AreContained(rule, expected, answers);
}

}  // namespace

// Finds the keys of the record to which the rules apply.
void Batch202609::FindRules() {
  sets_.clear();
  rule_of_key_.clear();
  for (const KeyRule& rule : rules_->keys) {
    if (rule.IsOfSet()) {
      const PythonValue gold = gold_side_.Find(rule.name);
      if (!gold.value.present()) continue;
      PythonValue model = model_side_.Find(rule.name);
      if (model.value.present() && model.value.kind() == ValueKind::kNull) model.value = {};
      sets_.push_back({&rule, keys().Member(FlatKeys::kAnswer, rule.name), gold, model});
    } else if (rule.name.find_first_of(".[") == std::string::npos) {
      rule_of_key_[keys().Member(FlatKeys::kAnswer, rule.name)] = &rule;
      if (rule.name == "answer") rule_of_key_[FlatKeys::kAnswer] = &rule;  // the name of a whole answer
    }
  }
}

Batch202609::SetKey* Batch202609::SetOf(FlatKey key) {
  const auto set =
      std::ranges::find_if(sets_, [&](const SetKey& known) { return keys().IsWithin(key, known.key); });
  return set == sets_.end() ? nullptr : &*set;
}

// Returns the range that a key of the gold states, either together with the key of the other end, or in its
// text.
std::optional<StatedRange> Batch202609::RangeOf(FlatKey key, std::string_view text) {
  if (const std::string_view other = OtherEnd(keys().LastName(key)); !other.empty()) {
    const FlatKey other_key = keys().Member(keys().Parent(key), other);
    const std::uint32_t beside = gold_.Find(other_key);
    if (beside != FlatAnswer::kNoLeaf && SetOf(other_key) == nullptr) {
      std::string buffer;
      const std::optional<double> end = ReadFinite(text);
      const std::optional<double> other_end = ReadFinite(ComparedText(gold_.leaf(beside), buffer));
      if (end && other_end) return RangeBetween(*end, *other_end);
    }
  }
  return ReadRange(text);
}

void Batch202609::MatchLeaf(const FlatLeaf& gold, const FlatLeaf& model, StringPairs& pairs) {
  const std::size_t detail = AddDetail(KeyDetail::Presence::kBoth, &gold, &model);
  const std::string_view gold_text = ComparedText(gold, gold_text_);
  const std::string_view model_text = ComparedText(model, model_text_);
  const auto known = rule_of_key_.find(gold.key);
  const KeyRule* const rule = known == rule_of_key_.end() ? nullptr : known->second;
  const bool is_measure = rule != nullptr && rule->mode == KeyRule::Mode::kMeasure;
  const std::optional<double> gold_number = ReadFinite(gold_text);
  const std::optional<double> model_number = ReadFinite(model_text);
  const std::optional<StatedRange> range = RangeOf(gold.key, gold_text);

  KeyDetail judged;
  judged.exact = (gold.kind == model.kind && gold.token == model.token) || gold_text == model_text;
  judged.numeric = gold_number || range;
  if (range && model_number) judged.range_match = range->Holds(*model_number);
  if (is_measure && gold_number && model_number) {
    judged.delta_match = std::abs(*gold_number - *model_number) <= 1;
  }
  bool near_in_time = false;
  if (rule != nullptr && rule->mode == KeyRule::Mode::kTimestamp && rule->tolerance_s > 0) {
    const std::optional<double> gold_time = ReadTime(gold_text);
    const std::optional<double> model_time = ReadTime(model_text);
    near_in_time = gold_time && model_time && std::abs(*gold_time - *model_time) <= rule->tolerance_s;
  }
  const bool delta = judged.delta_match.value_or(false);
  const bool in_range = judged.range_match.value_or(false);
  const bool numeric_match = judged.numeric && (judged.exact || in_range || delta);
  judged.accepted = judged.exact || numeric_match || near_in_time;
  judged.satisfied = judged.exact || near_in_time || (is_measure && numeric_match);
  judged.similarity = 1;
  if (judged.exact) {
    judged.match_type = "exact";
  } else if (near_in_time) {
    judged.match_type = "within_tolerance";
  } else if (delta) {
    judged.match_type = "partial_delta_1";
  } else if (in_range) {
    judged.match_type = "partial_range";
  } else {
    const Comparison comparison = CompareTexts(gold_text, model_text, record_, pairs);
    judged.similarity = comparison.similarity;
    AddTextPair(record_, comparison, detail);
  }

  figure(kMatchedKeys) += 1;
  figure(kExactMatches) += judged.exact;
  figure(kAcceptedMatches) += judged.accepted;
  figure(kSatisfiedMatches) += judged.satisfied;
  figure(kNumericKeys) += judged.numeric;
  figure(kNumericMatches) += numeric_match;
  figure(kRangeKeys) += judged.range_match.has_value();
  figure(kRangeMatches) += in_range;
  figure(kDeltaKeys) += judged.delta_match.has_value();
  figure(kDeltaMatches) += delta;
  settled_similarity_[record_] += judged.similarity;
  if (detail == kNoDetail) return;
  judged.key = std::move(details_[detail].key);
  judged.gold_value = gold_text;
  judged.model_value = model_text;
  details_[detail] = std::move(judged);
}

// RETURNS: false if this needs more comparisons than are left.
bool Batch202609::MatchSet(const SetKey& set, std::uint64_t& comparisons_left) {
  const bool exact = set.gold_leaves == set.exact_leaves && set.model_leaves == set.exact_leaves;
  const std::optional<bool> verdict =
      SatisfiesSetRule(*set.rule, set.gold, set.model, *shapes_, comparisons_left);
  if (!verdict) return false;
  const bool satisfied = *verdict;
  const bool is_there = set.model.value.present();
  figure(kGoldKeys) += 1;
  figure(kModelKeys) += is_there;
  figure(kMatchedKeys) += is_there;
  figure(kExactMatches) += exact;
  figure(kAcceptedMatches) += satisfied;
  figure(kSatisfiedMatches) += satisfied;
  settled_similarity_[record_] += satisfied;
  if (!keeps_details_) return true;
  const auto text_of = [&](const PythonValue& value) {
    std::string text;
    if (!value.value.present() || value.value.kind() == ValueKind::kNull) return std::string("MISSING");
    AppendPythonJson(value.value, *shapes_, KeyOrder::kAsWritten, text);
    return text;
  };
  constexpr std::string_view kTypes[2][2] = {{"set_match:failed", "set_match:satisfied"},
                                             {"set_contained:failed", "set_contained:satisfied"}};
  KeyDetail detail;
  detail.presence = KeyDetail::Presence::kJudgedWhole;
  if (!is_there) detail.listed = KeyDetail::Presence::kMissing;
  keys().AppendText(set.key, detail.key);
  detail.gold_value = text_of(set.gold);
  detail.model_value = text_of(set.model);
  detail.match_type = kTypes[set.rule->mode == KeyRule::Mode::kSetContained][satisfied];
  detail.exact = exact;
  detail.accepted = detail.satisfied = satisfied;
  detail.similarity = satisfied;
  AddDetail(std::move(detail));
  return true;
}

void Batch202609::MatchKeys(StringPairs& pairs) {
  FindRules();
  settled_similarity_[record_] = 0;
  std::uint32_t exact_leaves = 0;  // in sets
  bool has_extra_keys = false;
  for (std::uint32_t i = 0; i < gold_.size(); ++i) {
    const FlatLeaf gold = gold_.leaf(i);
    const std::uint32_t counterpart = model_.Find(gold.key);
    if (SetKey* const set = SetOf(gold.key); set != nullptr) {
      ++set->gold_leaves;
      if (counterpart == FlatAnswer::kNoLeaf) continue;
      const FlatLeaf model = model_.leaf(counterpart);
      const bool exact = ComparedText(gold, gold_text_) == ComparedText(model, model_text_);
      set->exact_leaves += exact;
      exact_leaves += exact;
      continue;
    }
    figure(kGoldKeys) += 1;
    if (counterpart == FlatAnswer::kNoLeaf) {
      AddDetail(KeyDetail::Presence::kMissing, &gold, nullptr);
    } else {
      MatchLeaf(gold, model_.leaf(counterpart), pairs);
    }
  }
  exact_leaves += static_cast<std::uint32_t>(figure(kExactMatches));
  for (std::uint32_t i = 0; i < model_.size(); ++i) {
    const FlatLeaf model = model_.leaf(i);
    if (SetKey* const set = SetOf(model.key); set != nullptr) {
      ++set->model_leaves;
      continue;
    }
    figure(kModelKeys) += 1;
    if (gold_.Find(model.key) != FlatAnswer::kNoLeaf) continue;
    has_extra_keys = true;
    AddDetail(KeyDetail::Presence::kExtra, nullptr, &model);
  }
  std::uint64_t comparisons_left = kMaxSetComparisons.default_value;
  for (const SetKey& set : sets_) {
    if (!MatchSet(set, comparisons_left)) return FailSets(set);
  }
  Divide(exact_leaves, has_extra_keys);
}

// Makes the record an error, because its sets up to this one need too many comparisons.
void Batch202609::FailSets(const SetKey& set) {
  for (Metric& metric : columns_.metrics) metric.values[record_] = std::nan("");
  settled_similarity_[record_] = std::nan("");
  columns_.passed[record_] = -1;
  SetRecordError(record_, RejectReason::kWorkLimit,
                 fmt::format("comparing the sets takes more than {} pairs of items, and {} is not computed",
                             kMaxSetComparisons.default_value, QuoteForMessage(set.rule->name)),
                 columns_);
}

// Computes the shares from the counts.
void Batch202609::Divide(std::uint32_t exact_leaves, bool has_extra_keys) {
  const double gold = figure(kGoldKeys);
  const double model = figure(kModelKeys);
  const double wider = std::max(gold, model);
  const double satisfied = figure(kSatisfiedMatches);
  const double exact = figure(kExactMatches);
  figure(kPartialMatch) = Share(figure(kAcceptedMatches), gold);
  figure(kPartialExact) = Share(exact, gold);
  figure(kStrictExact) = exact_leaves == gold_.size() && exact_leaves == model_.size();
  figure(kPartialNumeric) = Share(figure(kNumericMatches), figure(kNumericKeys));
  figure(kRangeMatch) = Share(figure(kRangeMatches), figure(kRangeKeys));
  figure(kDeltaMatch) = Share(figure(kDeltaMatches), figure(kDeltaKeys));
  figure(kPrecision) = Share(satisfied, wider);
  figure(kRecall) = Share(satisfied, gold);
  figure(kF1) = F1(figure(kPrecision), figure(kRecall));
  figure(kExactPrecision) = Share(exact, wider);
  figure(kExactRecall) = Share(exact, gold);
  figure(kExactF1) = F1(figure(kExactPrecision), figure(kExactRecall));
  const bool all = gold > 0 && satisfied == gold && model == gold && !has_extra_keys;
  figure(kAllSatisfied) = all;
  columns_.passed[record_] = all;
  columns_.score[record_] = RoundToDecimals(figure(kF1), 3);
}

}  // namespace leafscore::internal
