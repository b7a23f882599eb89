#include "engine/scorers/static_json/set_rules.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/scorers/static_json/stated_range.h"
#include "engine/text/lower_case.h"
#include "engine/text/python_text.h"

namespace leafscore::internal {
namespace {

// An item of a list, or a field of it.
struct Compared {
  std::string text;
  std::optional<double> time;
  bool is_null = false;
};

struct Item {
  std::vector<Compared> values;  // itself, or the fields that are compared
  bool is_object = false;

  // Equal for items that are the same.
  std::string Identity() const {
    std::string identity;
    for (const Compared& value : values) identity += std::to_string(value.text.size()) + ':' + value.text;
    return identity;
  }
};

Compared ComparedOf(const PythonValue& value, const ShapeTable& shapes) {
  if (!value.value.present()) return {"none", std::nullopt, true};
  std::string text;
  AppendPythonStr(value, shapes, text);
  text = StripSpace(text);
  ToLowerCase(text);
  return {text, ReadTime(text), value.value.kind() == ValueKind::kNull};
}

std::vector<Item> ItemsOf(const PythonValue& list, const KeyRule& rule, const ShapeTable& shapes) {
  std::vector<Item> items;
  const LeafTable& table = *list.value.table;
  for (NodeId node = list.value.node + 1; node != table.end(list.value.node); node = table.end(node)) {
    Item& item = items.emplace_back();
    item.is_object = table.kind(node) == ValueKind::kObject;
    if (rule.mode != KeyRule::Mode::kSetMatch || rule.match_on.empty()) {
      item.values.push_back(ComparedOf({{&table, node}, list.marks_tuples}, shapes));
      continue;
    }
    for (const std::string& field : rule.match_on) {
      const std::uint32_t member =
          item.is_object ? shapes.FindMember(table.shape(node), field) : ShapeTable::kNoMember;
      const NodeId value = member == ShapeTable::kNoMember ? kNoNode : table.Child(node, member);
      item.values.push_back(ComparedOf({{&table, value}, list.marks_tuples}, shapes));
    }
  }
  return items;
}

bool AreDifferent(const std::vector<Item>& items) {
  TextSet<std::string> seen;
  return std::ranges::all_of(items, [&](const Item& item) { return seen.insert(item.Identity()).second; });
}

// Tells whether the text of each answer is that of a gold item.
bool AreContained(const std::vector<Item>& gold, const std::vector<Item>& model) {
  TextSet<std::string_view> texts;
  for (const Item& item : gold) texts.insert(item.values[0].text);
  return std::ranges::all_of(model, [&](const Item& item) { return texts.contains(item.values[0].text); });
}

bool ItemsMatch(const KeyRule& rule, const Item& gold, const Item& model) {
  if (!rule.match_on.empty() && (!gold.is_object || !model.is_object)) return false;
  for (std::size_t i = 0; i < gold.values.size(); ++i) {
    const Compared& expected = gold.values[i];
    const Compared& actual = model.values[i];
    if (!rule.match_on.empty() && expected.is_null) return false;
    const bool near = rule.tolerance_s > 0 && expected.time && actual.time &&
                      std::abs(*expected.time - *actual.time) <= rule.tolerance_s;
    if (!near && expected.text != actual.text) return false;
  }
  return true;
}

// Each answer in turn takes the first gold item left that it matches.
bool Match(const KeyRule& rule, const std::vector<Item>& gold, const std::vector<Item>& model) {
  // Different answers never want the same text.
  if (rule.tolerance_s == 0 && rule.match_on.empty()) return AreContained(gold, model);
  std::vector<bool> taken(gold.size());
  return std::ranges::all_of(model, [&](const Item& item) {
    std::size_t i = 0;
    while (i < gold.size() && (taken[i] || !ItemsMatch(rule, gold[i], item))) ++i;
    if (i == gold.size()) return false;
    taken[i] = true;
    return true;
  });
}

}  // namespace

bool SatisfiesSetRule(const KeyRule& rule, const PythonValue& gold, const PythonValue& model,
                      const ShapeTable& shapes) {
  const auto is_list = [](const PythonValue& value) {
    return value.value.present() && value.value.kind() == ValueKind::kArray && !value.IsTuple();
  };
  if (!is_list(gold) || !is_list(model)) return false;
  const std::vector<Item> answers = ItemsOf(model, rule, shapes);
  const std::vector<Item> expected = ItemsOf(gold, rule, shapes);
  const bool contained = rule.mode == KeyRule::Mode::kSetContained;
  const auto gold_size = static_cast<double>(expected.size());
  const double count = contained ? rule.count.value_or(gold_size) : gold_size;
  if (static_cast<double>(answers.size()) != count || !AreDifferent(answers)) return false;
  return contained ? AreContained(expected, answers) : Match(rule, expected, answers);
}

}  // namespace leafscore::internal
