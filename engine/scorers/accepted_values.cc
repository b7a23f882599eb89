#include "engine/scorers/accepted_values.h"

#include <vector>

#include "engine/match/deep_equal.h"

namespace leafscore::internal {

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
  const std::vector<std::string_view> keys = shapes.Keys(table.shape(value));
  if (keys.size() != 1 || keys[0] != any_of_key) return kNoNode;
  const NodeId list = value + 1;
  return table.kind(list) == ValueKind::kArray && table.end(list) != list + 1 ? list : kNoNode;
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
