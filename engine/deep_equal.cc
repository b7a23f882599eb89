#include "engine/deep_equal.h"

#include <string>

#include "engine/compact_text.h"
#include "engine/json_scalar.h"

namespace leafscore {
namespace {

// Ends the walk at the first difference.
struct EqualityVisitor {
  ValueRef expected;
  ValueRef actual;
  std::string expected_text = {};
  std::string actual_text = {};

  bool Equal(NodeId, NodeId) { return true; }
  bool Missing(NodeId) { return false; }
  bool Extra() { return false; }
  bool Differ(NodeId e, NodeId a) {
    const ValueKind expected_kind = expected.table->kind(e);
    const ValueKind actual_kind = actual.table->kind(a);
    if (expected_kind == ValueKind::kNumber && actual_kind == ValueKind::kNumber) {
      return ParseNumber(expected.table->token(e)) == ParseNumber(actual.table->token(a));
    }
    if (!IsString(expected_kind) || !IsString(actual_kind)) return false;
    expected_text.clear();
    actual_text.clear();
    AppendStringText(*expected.table, e, expected_text);
    AppendStringText(*actual.table, a, actual_text);
    return expected_text == actual_text;
  }
};

}  // namespace

bool DeepEqual(ValueRef expected, ValueRef actual, PairWalker& walker) {
  EqualityVisitor visitor{expected, actual};
  return walker.Walk(expected, actual, /*descend_equal=*/false, visitor);
}

}  // namespace leafscore
