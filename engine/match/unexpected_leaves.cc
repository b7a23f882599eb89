#include "engine/match/unexpected_leaves.h"

#include <algorithm>
#include <string_view>

namespace leafscore::internal {
namespace {

// Tells whether a container holds leaves alone.
bool IsFlat(const LeafTable& table, NodeId container) {
  return table.end(container) - container - 1 == table.leaf_count(container);
}

// Tells at a glance whether a value is a text that may hold an object or array.
bool MayHoldJson(const LeafTable& table, NodeId value) {
  if (!IsString(table.kind(value))) return false;
  const std::string_view token = table.leaf_token(value);
  const std::size_t first = token.find_first_not_of(" \t\n\r");
  return first != std::string_view::npos &&
         std::string_view("{[\\").find(token[first]) != std::string_view::npos;
}

}  // namespace

std::uint32_t UnexpectedLeaves::Count(ValueRef expected, ValueRef actual, bool texts_hold_json) {
  if (!IsContainer(actual.kind())) return 0;
  std::uint32_t count = 0;
  open_.assign(1, {expected.node, actual.node});
  while (!open_.empty()) {
    const OpenPair pair = open_.back();
    open_.pop_back();
    const ValueKind kind = actual.table->kind(pair.actual);
    if (kind != expected.table->kind(pair.expected)) {
      if (texts_hold_json && MayHoldJson(*expected.table, pair.expected)) continue;
      count += actual.table->leaf_count(pair.actual);
    } else if (kind == ValueKind::kObject) {
      count += CountMembers(*expected.table, *actual.table, pair);
    } else {
      count += CountElements(*expected.table, *actual.table, pair);
    }
  }
  return count;
}

std::uint32_t UnexpectedLeaves::CountMembers(const LeafTable& expected, const LeafTable& actual,
                                             OpenPair pair) {
  const ShapeId from = expected.shape(pair.expected);
  const ShapeId to = actual.shape(pair.actual);
  NodeId counterpart = pair.expected + 1;
  if (from == to) {
    if (IsFlat(actual, pair.actual)) return 0;
    for (NodeId child = pair.actual + 1; child != actual.end(pair.actual); child = actual.end(child)) {
      if (IsContainer(actual.kind(child))) open_.push_back({counterpart, child});
      counterpart = expected.end(counterpart);
    }
    return 0;
  }
  children_.clear();
  for (NodeId child = pair.actual + 1; child != actual.end(pair.actual); child = actual.end(child)) {
    children_.push_back(child);
  }
  std::uint32_t count = actual.leaf_count(pair.actual);
  const std::uint32_t* member = shapes_->CorrespondingMembers(from, to);
  for (; counterpart != expected.end(pair.expected); counterpart = expected.end(counterpart), ++member) {
    if (*member == ShapeTable::kNoMember) continue;
    const NodeId child = children_[*member];
    count -= actual.leaf_count(child);
    if (IsContainer(actual.kind(child))) open_.push_back({counterpart, child});
  }
  return count;
}

std::uint32_t UnexpectedLeaves::CountElements(const LeafTable& expected, const LeafTable& actual,
                                              OpenPair pair) {
  if (IsFlat(actual, pair.actual) && IsFlat(expected, pair.expected)) {
    const std::uint32_t count = actual.leaf_count(pair.actual);
    return count - std::min(count, expected.leaf_count(pair.expected));
  }
  std::uint32_t count = 0;
  NodeId counterpart = pair.expected + 1;
  for (NodeId child = pair.actual + 1; child != actual.end(pair.actual); child = actual.end(child)) {
    if (counterpart == expected.end(pair.expected)) {
      count += actual.leaf_count(child);
      continue;
    }
    if (IsContainer(actual.kind(child))) open_.push_back({counterpart, child});
    counterpart = expected.end(counterpart);
  }
  return count;
}

}  // namespace leafscore::internal
