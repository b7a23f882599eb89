#include "engine/scorers/static_json/set_rules.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/scorers/static_json/stated_range.h"
#include "engine/text/lower_case.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

// Tells whether fields of items are compared, and not whole ones.
bool ComparesFields(const KeyRule& rule) {
  return rule.mode == KeyRule::Mode::kSetMatch && !rule.match_on.empty();
}

// An item of a list, or a field of it.
struct Compared {
  std::uint32_t text = 0;  // a number that equal texts share
  std::optional<double> time = {};
  bool is_null = false;
};

struct Item {
  std::vector<Compared> values;  // itself, or the fields that are compared
  bool is_object = false;

  // Equal for items that are the same.
  std::string Identity() const {
    std::string identity;
    for (const Compared& value : values) identity += std::to_string(value.text) + ' ';
    return identity;
  }
};

// The texts of both lists, numbered.
using Texts = TextMap<std::string, std::uint32_t>;

// Reads a value, of which an absent one is as null.
Compared ComparedOf(const PythonValue& value, const ShapeTable& shapes, Texts& texts) {
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
                          Texts& texts) {
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

// Tells whether an item of the gold can be matched: with fields it has all of them.
bool CanMatch(const KeyRule& rule, const Item& gold) {
  return !ComparesFields(rule) || (gold.is_object && std::ranges::none_of(gold.values, &Compared::is_null));
}

// Tells whether each answer is an item of the gold.
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

// Lets each answer in turn take the first gold item left that it matches.
// RETURNS: whether all found one; nothing when that takes more comparisons than are left.
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

}  // namespace

std::optional<bool> SatisfiesSetRule(const KeyRule& rule, const PythonValue& gold, const PythonValue& model,
                                     const ShapeTable& shapes, std::uint64_t& comparisons_left) {
  const auto is_list = [](const PythonValue& value) {
    return value.value.present() && value.value.kind() == ValueKind::kArray && !value.IsTuple();
  };
  if (!is_list(gold) || !is_list(model)) return false;
  Texts texts;
  const std::vector<Item> answers = ItemsOf(model, rule, shapes, texts);
  const std::vector<Item> expected = ItemsOf(gold, rule, shapes, texts);
  const bool is_match = rule.mode == KeyRule::Mode::kSetMatch;
  const auto gold_size = static_cast<double>(expected.size());
  const double count = is_match ? gold_size : rule.count.value_or(gold_size);
  if (static_cast<double>(answers.size()) != count || !AreDifferent(answers)) return false;
  if (is_match && rule.tolerance_s > 0) return Match(rule, expected, answers, comparisons_left);
  // Without a tolerance, different answers never want the same item.
  return AreContained(rule, expected, answers);
}

}  // namespace leafscore::internal
