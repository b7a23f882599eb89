#include "engine/scorers/accepted_values.h"

#include <cstdint>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/json/json_reader.h"
#include "engine/json/json_view.h"
#include "engine/json/json_writer.h"
#include "engine/match/deep_equal.h"

namespace leafscore::internal {
namespace {

void AppendFirstAccepted(const LeafTable& table, const ShapeTable& shapes, NodeId value,
                         std::string_view any_of_key, JsonWriter& json) {
  const auto append = [&](NodeId node) { AppendFirstAccepted(table, shapes, node, any_of_key, json); };
  const NodeId list = AcceptedValues(table, shapes, value, any_of_key);
  if (list != kNoNode && table.end(list) != list + 1) return append(list + 1);
  NodeId child = value + 1;
  if (table.kind(value) == ValueKind::kObject) {
    json.StartObject();
    for (const std::string_view key : shapes.Keys(table.shape(value))) {
      json.Key(key);
      append(child);
      child = table.end(child);
    }
    json.EndObject();
  } else if (table.kind(value) == ValueKind::kArray) {
    json.StartArray();
    for (; child != table.end(value); child = table.end(child)) append(child);
    json.EndArray();
  } else {
    json.Raw(JsonView(table, shapes, value).Written());
  }
}

}  // namespace

std::string ReadAnyOfKey(const OptionReader& options, bool is_seed) {
  std::string key = options.GetText(kAnyOfKeyOption.name, "");
  if (!key.empty() && !is_seed) {
    throw options.MakeError(kAnyOfKeyOption.name,
                            "this revision accepts one value only; leave the option out");
  }
  return key;
}

Error NoLinesWithAccepted(const OptionReader& options) {
  return options.MakeError(kAnyOfKeyOption.name,
                           "lines have one accepted value; leave out line_by_line or this");
}

NodeId AcceptedValues(const LeafTable& table, const ShapeTable& shapes, NodeId value,
                      std::string_view any_of_key) {
  if (any_of_key.empty() || table.kind(value) != ValueKind::kObject) return kNoNode;
  const ShapeId shape = table.shape(value);
  if (shapes.member_count(shape) != 1 || shapes.FindMember(shape, any_of_key) != 0) return kNoNode;
  const NodeId list = value + 1;
  return table.kind(list) == ValueKind::kArray ? list : kNoNode;
}

void ListAccepted(ValueRef value, const ShapeTable& shapes, std::string_view any_of_key,
                  std::vector<ValueRef>& accepted) {
  const NodeId list = AcceptedValues(*value.table, shapes, value.node, any_of_key);
  if (list == kNoNode) return accepted.push_back(value);
  const LeafTable& table = *value.table;
  for (NodeId node = list + 1; node != table.end(list); node = table.end(node)) {
    ListAccepted({&table, node}, shapes, any_of_key, accepted);
  }
}

std::string WithFirstAccepted(std::string_view json, std::string_view any_of_key) {
  std::string text(json);
  text.append(kTextPadding, '\0');
  ShapeTable shapes;
  JsonReader reader(&shapes, {});
  LeafTable table;
  reader.Begin({text.data(), json.size()}, /*lines=*/false, &table);
  const NodeId root = reader.Read(0, static_cast<std::uint32_t>(json.size())).root;
  std::string out;
  JsonWriter writer(out);
  AppendFirstAccepted(table, shapes, root, any_of_key, writer);
  return out;
}

bool EqualToAccepted(ValueRef expected, ValueRef actual, const ShapeTable& shapes,
                     std::string_view any_of_key, PairWalker& walker) {
  const LeafTable& e = *expected.table;
  const NodeId list = AcceptedValues(e, shapes, expected.node, any_of_key);
  const NodeId first = (list == kNoNode ? expected.node : list) + 1;
  const auto equal = [&](NodeId value, NodeId counterpart) {
    return EqualToAccepted({&e, value}, {actual.table, counterpart}, shapes, any_of_key, walker);
  };
  if (list != kNoNode) {
    for (NodeId accepted = first; accepted != e.end(list); accepted = e.end(accepted)) {
      if (!actual.present() && e.kind(accepted) == ValueKind::kNull) return true;
      if (equal(accepted, actual.node)) return true;
    }
    return false;
  }
  if (!actual.present()) return false;
  const bool are_containers = IsContainer(expected.kind()) && expected.kind() == actual.kind();
  if (!are_containers) return DeepEqual(expected, actual, walker);
  const LeafTable& a = *actual.table;
  NodeId counterpart = actual.node + 1;
  if (expected.kind() == ValueKind::kArray) {
    for (NodeId value = first; value != e.end(expected.node); value = e.end(value)) {
      if (counterpart == a.end(actual.node) || !equal(value, counterpart)) return false;
      counterpart = a.end(counterpart);
    }
    return counterpart == a.end(actual.node);
  }
  std::vector<ValueRef> members;
  ListChildren(actual, members);
  std::uint32_t found = 0;
  NodeId value = first;
  for (const std::string_view key : shapes.Keys(e.shape(expected.node))) {
    const std::uint32_t position = shapes.FindMember(a.shape(actual.node), key);
    const bool is_there = position != ShapeTable::kNoMember;
    if (!equal(value, is_there ? members[position].node : kNoNode)) return false;
    found += is_there;
    value = e.end(value);
  }
  return found == members.size();
}

}  // namespace leafscore::internal
