#include "engine/scorers/records/answer_envelopes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/languages/python_text.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

bool IsEmpty(const JsonView& value) {
  if (value.IsText()) return StripSpace(*value.Text()).empty();
  bool has_child = false;
  value.ForEachChild([&](const JsonView& /*child*/) { has_child = true; });
  return value.Is(ValueKind::kNull) ||
         (!has_child && (value.Is(ValueKind::kArray) || value.Is(ValueKind::kObject)));
}

std::string Folded(std::string_view key) {
  std::string folded(key);
  FoldCase(folded);
  std::erase_if(folded, [](char c) { return c == ' ' || c == '\t' || c == '_' || c == '-'; });
  return folded;
}

// The keys that are expected at one place and below.
struct ExpectedKeys {
  std::map<std::string, std::unique_ptr<ExpectedKeys>, std::less<>> members;
  std::map<std::string, std::string> by_folded;  // an empty key: several fold alike
  std::unique_ptr<ExpectedKeys> elements;
};

void Collect(const JsonView& value, ExpectedKeys& keys) {
  if (value.Is(ValueKind::kArray)) {
    if (!keys.elements) keys.elements = std::make_unique<ExpectedKeys>();
    value.ForEachChild([&](const JsonView& element) { Collect(element, *keys.elements); });
  }
  value.ForEachMember([&](std::string_view key, const JsonView& member) {
    std::unique_ptr<ExpectedKeys>& below = keys.members[std::string(key)];
    if (!below) {
      below = std::make_unique<ExpectedKeys>();
      const auto [entry, is_new] = keys.by_folded.try_emplace(Folded(key), key);
      if (!is_new) entry->second.clear();
    }
    Collect(member, *below);
  });
}

// Returns the key that a member of an object is to have.
std::string_view NewKey(std::string_view key, const std::vector<std::string_view>& all,
                        const ExpectedKeys& expected) {
  if (expected.members.contains(key)) return key;
  const std::string folded = Folded(key);
  const auto found = expected.by_folded.find(folded);
  if (found == expected.by_folded.end() || found->second.empty()) return key;
  const auto folds_alike = [&](std::string_view other) { return Folded(other) == folded; };
  return std::ranges::count_if(all, folds_alike) == 1 ? std::string_view(found->second) : key;
}

// Writes an answer with new keys. RETURNS: whether any of them is one.
bool Rewrite(const JsonView& value, const ExpectedKeys* expected, JsonWriter& json) {
  bool changed = false;
  if (value.Is(ValueKind::kArray)) {
    json.StartArray();
    value.ForEachChild([&](const JsonView& element) {
      changed |= Rewrite(element, expected == nullptr ? nullptr : expected->elements.get(), json);
    });
    json.EndArray();
  } else if (value.Is(ValueKind::kObject)) {
    std::vector<std::string_view> all;
    value.ForEachMember([&](std::string_view key, const JsonView& /*member*/) { all.push_back(key); });
    json.StartObject();
    value.ForEachMember([&](std::string_view key, const JsonView& member) {
      const std::string_view name = expected == nullptr ? key : NewKey(key, all, *expected);
      changed |= name != key;
      const ExpectedKeys* below = nullptr;
      if (expected != nullptr) {
        const auto found = expected->members.find(name);
        if (found != expected->members.end()) below = found->second.get();
      }
      json.Key(name);
      changed |= Rewrite(member, below, json);
    });
    json.EndObject();
  } else {
    json.Raw(value.Written());
  }
  return changed;
}

}  // namespace

std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays) {
  const JsonView root(*list.table, shapes, list.node);
  bool all_are_objects = root.Is(ValueKind::kArray);
  bool has_array = false;
  std::vector<std::pair<std::string_view, std::vector<JsonView>>> members;  // in order of first appearance
  std::map<std::string_view, std::size_t> member_of_key;
  root.ForEachChild([&](const JsonView& document) {
    all_are_objects &= document.Is(ValueKind::kObject);
    document.ForEachMember([&](std::string_view key, const JsonView& value) {
      const auto [entry, is_new] = member_of_key.try_emplace(key, members.size());
      if (is_new) members.push_back({key, {}});
      members[entry->second].second.push_back(value);
      has_array |= value.Is(ValueKind::kArray);
    });
  });
  if (!all_are_objects || members.empty() || (of_arrays && !has_array)) return std::nullopt;
  std::string merged;
  JsonWriter json(merged, JsonLayout::kCompact);
  const auto is_array = [](const JsonView& value) { return value.Is(ValueKind::kArray); };
  json.StartObject();
  for (const auto& [key, values] : members) {
    json.Key(key);
    if (std::ranges::any_of(values, is_array)) {
      json.StartArray();
      for (const JsonView& value : values) {
        if (!is_array(value)) continue;
        value.ForEachChild([&](const JsonView& element) { json.Raw(element.Written()); });
      }
      json.EndArray();
      continue;
    }
    const auto first = std::ranges::find_if_not(values, IsEmpty);
    json.Raw((first == values.end() ? values.front() : *first).Written());
  }
  json.EndObject();
  return merged;
}

std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes) {
  ExpectedKeys keys;
  Collect(JsonView(*expected.table, shapes, expected.node), keys);
  std::string rewritten;
  JsonWriter json(rewritten, JsonLayout::kCompact);
  if (!Rewrite(JsonView(*actual.table, shapes, actual.node), &keys, json)) return std::nullopt;
  return rewritten;
}

}  // namespace leafscore::internal
