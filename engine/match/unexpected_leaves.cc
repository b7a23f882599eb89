#include "engine/match/unexpected_leaves.h"

#include <algorithm>
#include <string_view>

namespace leafscore::internal {
namespace {

// Returns whether a container contains only leaves.
bool IsFlat(const LeafTable& table, NodeId container) {
  return table.end(container) - container - 1 == table.leaf_count(container);
}

// Returns whether a value is a text that may contain an object or array. Checks only the first character that
// is not a blank.
bool MayHoldJson(const LeafTable& table, NodeId value) {
  if (!IsString(table.kind(value))) return false;
  const std::string_view token = table.leaf_token(value);
  const std::size_t first = token.find_first_not_of(" \t\n\r");
  return first != std::string_view::npos &&
         std::string_view("{[\\").find(token[first]) != std::string_view::npos;
}

// Counts the leaves of the actual value that have a counterpart.
struct ExpectedLeaves {
  const LeafTable& expected;
  const LeafTable& actual;
  bool texts_hold_json;
  std::uint32_t count = 0;

  bool Enter(NodeId e, NodeId a) {
    if (!IsFlat(actual, a)) return true;
    if (actual.kind(a) == ValueKind::kObject) {
      if (expected.shape(e) != actual.shape(a)) return true;
      count += actual.leaf_count(a);
    } else {
      if (!IsFlat(expected, e)) return true;
      count += std::min(expected.leaf_count(e), actual.leaf_count(a));
    }
    return false;
  }
  bool Equal(NodeId /*e*/, NodeId a) {
    count += actual.leaf_count(a);
    return true;
  }
  bool Differ(NodeId e, NodeId a) {
    if (!IsContainer(actual.kind(a)) || (texts_hold_json && MayHoldJson(expected, e))) {
      count += actual.leaf_count(a);
    }
    return true;
  }
  bool Missing(NodeId /*e*/) { return true; }
  bool Extra() { return true; }
};

}  // namespace

std::uint32_t UnexpectedLeaves::Count(ValueRef expected, ValueRef actual, bool texts_hold_json) {
  if (!IsContainer(actual.kind())) return 0;
  ExpectedLeaves leaves{*expected.table, *actual.table, texts_hold_json};
  walker_.Walk(expected, actual, /*descend_equal=*/true, leaves);
  return actual.table->leaf_count(actual.node) - leaves.count;
}

}  // namespace leafscore::internal
