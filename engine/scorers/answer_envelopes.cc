#include "engine/scorers/answer_envelopes.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/suggest.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/languages/python_text.h"
#include "engine/match/deep_equal.h"
#include "engine/match/wrapped_value.h"
#include "engine/scorers/accepted_values.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

ValueRef RefTo(const JsonView& value) { return {&value.table(), value.node()}; }

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

// The keys that are expected at one place, and below that place.
struct ExpectedKeys {
  std::map<std::string, std::unique_ptr<ExpectedKeys>, std::less<>> members;
  std::map<std::string, std::string> by_folded;  // expected key, by folded form; empty if several share it
  std::unique_ptr<ExpectedKeys> elements;
};

void Collect(const JsonView& value, std::string_view any_of_key, ExpectedKeys& keys) {
  const NodeId set = AcceptedValues(value.table(), value.shapes(), value.node(), any_of_key);
  if (set != kNoNode) {
    JsonView(value.table(), value.shapes(), set).ForEachChild([&](const JsonView& accepted) {
      Collect(accepted, any_of_key, keys);
    });
    return;
  }
  if (value.Is(ValueKind::kArray)) {
    if (!keys.elements) keys.elements = std::make_unique<ExpectedKeys>();
    value.ForEachChild([&](const JsonView& element) { Collect(element, any_of_key, *keys.elements); });
  }
  value.ForEachMember([&](std::string_view key, const JsonView& member) {
    std::unique_ptr<ExpectedKeys>& below = keys.members[std::string(key)];
    if (!below) {
      below = std::make_unique<ExpectedKeys>();
      const auto [entry, is_new] = keys.by_folded.try_emplace(Folded(key), key);
      if (!is_new) entry->second.clear();
    }
    Collect(member, any_of_key, *below);
  });
}

// Returns the new key for a member of an object.
std::string_view NewKey(std::string_view key, const std::vector<std::string_view>& all,
                        const ExpectedKeys& expected) {
  if (expected.members.contains(key)) return key;
  const std::string folded = Folded(key);
  const auto found = expected.by_folded.find(folded);
  if (found == expected.by_folded.end() || found->second.empty()) return key;
  const auto folds_alike = [&](std::string_view other) { return Folded(other) == folded; };
  return std::ranges::count_if(all, folds_alike) == 1 ? std::string_view(found->second) : key;
}

// Writes an answer with new keys. RETURNS: whether any key changed.
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

// Returns how many of the keys are among others; with `folds`, ignoring case, blanks, hyphens and
// underscores.
std::size_t CountSharedKeys(std::span<const std::string_view> keys, std::span<const std::string_view> others,
                            bool folds) {
  const auto key_of = [&](std::string_view key) { return folds ? Folded(key) : std::string(key); };
  std::set<std::string> all;
  for (const std::string_view other : others) all.insert(key_of(other));
  return static_cast<std::size_t>(
      std::ranges::count_if(keys, [&](std::string_view key) { return all.contains(key_of(key)); }));
}

}  // namespace

Envelopes ReadUnwrap(const OptionReader& options, std::span<const std::string_view> names,
                     Envelopes fallback) {
  if (!options.Has(kUnwrapOption.name)) return fallback;
  Envelopes unwraps;
  for (const std::string& name : options.GetTextList(kUnwrapOption.name)) {
    if (std::ranges::find(names, name) == names.end()) {
      throw options.MakeError(kUnwrapOption.name, UnknownNameMessage("envelope", name, names));
    }
    unwraps.set(
        static_cast<std::size_t>(std::ranges::find(kEnvelopeNames, name) - std::begin(kEnvelopeNames)));
  }
  return unwraps;
}

std::optional<std::string> MergedDocuments(ValueRef list, const ShapeTable& shapes, bool of_arrays,
                                           PairWalker& walker) {
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
    const auto first = std::ranges::find_if_not(values, IsEmpty);
    const JsonView& value = first == values.end() ? values.front() : *first;
    const bool joins = std::ranges::any_of(values, is_array) && (first == values.end() || is_array(*first));
    const bool agree = std::ranges::all_of(values, [&](const JsonView& other) {
      return IsEmpty(other) || (joins ? is_array(other) : DeepEqual(RefTo(value), RefTo(other), walker));
    });
    if (!agree) return std::nullopt;
    if (!joins) {
      json.Raw(value.Written());
      continue;
    }
    json.StartArray();
    for (const JsonView& array : values) {
      if (!is_array(array)) continue;
      array.ForEachChild([&](const JsonView& element) { json.Raw(element.Written()); });
    }
    json.EndArray();
  }
  json.EndObject();
  return merged;
}

std::optional<std::string> WithExpectedKeys(ValueRef expected, ValueRef actual, const ShapeTable& shapes,
                                            std::string_view any_of_key) {
  ExpectedKeys keys;
  Collect(JsonView(*expected.table, shapes, expected.node), any_of_key, keys);
  std::string rewritten;
  JsonWriter json(rewritten, JsonLayout::kCompact);
  if (!Rewrite(JsonView(*actual.table, shapes, actual.node), &keys, json)) return std::nullopt;
  return rewritten;
}

// Replaces the answer with other JSON.
void AnswerUnwrapper::Replace(ValueRef& actual, std::string json) {
  actual = rewritten_.Add(std::move(json));
}

Envelopes AnswerUnwrapper::Unwrap(ValueRef expected, ValueRef& actual, NodeId& member) {
  Envelopes unwrapped;
  accepted_.clear();
  ListAccepted(expected, *shapes_, any_of_key_, accepted_);
  if (unwraps_[Envelope::kWrapper]) unwrapped.set(Envelope::kWrapper, UnwrapMember(actual));
  const auto is_of = [](ValueKind kind) { return [=](ValueRef value) { return value.kind() == kind; }; };
  const auto object = std::ranges::find_if(accepted_, is_of(ValueKind::kObject));
  if (object != accepted_.end() && actual.kind() == ValueKind::kArray &&
      std::ranges::none_of(accepted_, is_of(ValueKind::kArray))) {
    UnwrapList(*object, actual, member, unwrapped);
  }
  if (!unwraps_[Envelope::kFoldKeys]) return unwrapped;
  const ValueRef wanted = {expected.table, member == kNoNode ? expected.node : member};
  if (std::optional<std::string> json = WithExpectedKeys(wanted, actual, *shapes_, any_of_key_)) {
    Replace(actual, *std::move(json));
    unwrapped.set(Envelope::kFoldKeys);
  }
  return unwrapped;
}

// Replaces an object without expected keys by its only member, if that member may be the expected value.
bool AnswerUnwrapper::UnwrapMember(ValueRef& actual) const {
  if (actual.kind() != ValueKind::kObject) return false;
  const LeafTable& a = *actual.table;
  const std::vector<std::string_view> keys = shapes_->Keys(a.shape(actual.node));
  if (keys.size() != 1) return false;
  const ValueRef inner{&a, actual.node + 1};
  if (!IsContainer(inner.kind()) || !MayBeWrapped(keys[0], JsonView(a, *shapes_, inner.node))) return false;
  bool may_be_inner = false;
  for (const ValueRef expected : accepted_) {
    if (expected.kind() != ValueKind::kObject) {
      may_be_inner |= expected.kind() == inner.kind();
      continue;
    }
    const bool folds = unwraps_[Envelope::kFoldKeys];
    const std::vector<std::string_view> wanted = shapes_->Keys(expected.table->shape(expected.node));
    if (CountSharedKeys(keys, wanted, folds) != 0) return false;
    may_be_inner |= inner.kind() == ValueKind::kObject &&
                    CountSharedKeys(shapes_->Keys(a.shape(inner.node)), wanted, folds) != 0;
  }
  if (may_be_inner) actual = inner;
  return may_be_inner;
}

// Removes a list around the expected object, merges several objects into one, or finds the member of the
// expected object that a bare list of rows represents.
void AnswerUnwrapper::UnwrapList(ValueRef expected, ValueRef& actual, NodeId& member, Envelopes& unwrapped) {
  const LeafTable& a = *actual.table;
  const LeafTable& e = *expected.table;
  const NodeId end = a.end(actual.node);
  const NodeId first = actual.node + 1;
  NodeId array = kNoNode;
  int arrays = 0;
  for (NodeId node = expected.node + 1; node != e.end(expected.node); node = e.end(node)) {
    const bool has_rows = e.kind(node) == ValueKind::kArray && e.end(node) != node + 1 &&
                          e.kind(node + 1) == ValueKind::kObject;
    if (!has_rows) continue;
    array = node;
    ++arrays;
  }
  const bool has_rows = unwraps_[Envelope::kRows] && arrays == 1;
  const bool is_single = unwraps_[Envelope::kSingle] && first != end && a.kind(first) == ValueKind::kObject &&
                         a.end(first) == end;
  if (is_single && !(has_rows && IsRow({&a, first}, expected, array))) {
    actual.node = first;
    unwrapped.set(Envelope::kSingle);
    return;
  }
  if (unwraps_[Envelope::kMerge] && !is_single) {
    if (std::optional<std::string> json = MergedDocuments(actual, *shapes_, has_rows, walker_)) {
      Replace(actual, *std::move(json));
      unwrapped.set(Envelope::kMerge);
      return;
    }
  }
  if (!has_rows) return;
  member = array;
  unwrapped.set(Envelope::kRows);
}

// Tells whether the only object of a list is a row of the only expected array, rather than the expected
// object. It is a row if it shares more keys with the rows of that array than with the expected object.
bool AnswerUnwrapper::IsRow(ValueRef object, ValueRef expected, NodeId array) const {
  const LeafTable& e = *expected.table;
  std::vector<std::string_view> row_keys;
  std::set<ShapeId> seen;
  for (NodeId row = array + 1; row != e.end(array); row = e.end(row)) {
    if (e.kind(row) != ValueKind::kObject || !seen.insert(e.shape(row)).second) continue;
    for (const std::string_view key : shapes_->Keys(e.shape(row))) row_keys.push_back(key);
  }
  const bool folds = unwraps_[Envelope::kFoldKeys];
  const std::vector<std::string_view> keys = shapes_->Keys(object.table->shape(object.node));
  return CountSharedKeys(keys, row_keys, folds) >
         CountSharedKeys(keys, shapes_->Keys(e.shape(expected.node)), folds);
}

}  // namespace leafscore::internal
