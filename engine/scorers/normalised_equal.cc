#include "engine/scorers/normalised_equal.h"

#include <string>

#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"

namespace leafscore::internal {

bool NormalLeaf::operator==(const NormalLeaf& other) const {
  if (form != other.form) return false;
  if (form == NormalForm::kNumber) return EqualNumbers(text, other.text);
  return form != NormalForm::kText || text == other.text;
}

NormalLeaf NormalLeafOf(ValueRef leaf, const Normaliser& normaliser) {
  NormalLeaf normal;
  if (IsString(leaf.kind())) {
    std::string text;
    AppendStringText(*leaf.table, leaf.node, text);
    normal.form = normaliser.Text(text, normal.text);
  } else if (leaf.kind() == ValueKind::kNumber) {
    normal.text = leaf.table->leaf_token(leaf.node);
    normal.form = normaliser.Number(normal.text);
  } else if (leaf.kind() != ValueKind::kNull) {
    normal.form = normaliser.Boolean(leaf.kind() == ValueKind::kTrue);
  }
  return normal;
}

namespace {

// Ends the walk at the first difference.
struct NormalisedVisitor {
  ValueRef expected;
  ValueRef actual;
  const Normaliser& normaliser;

  bool Equal(NodeId, NodeId) { return true; }
  bool Missing(NodeId) { return false; }
  bool Extra() { return false; }
  bool Differ(NodeId e, NodeId a) {
    if (IsContainer(expected.table->kind(e)) || IsContainer(actual.table->kind(a))) return false;
    return EqualLeaves({expected.table, e}, {actual.table, a}, normaliser);
  }
};

}  // namespace

bool EqualLeaves(ValueRef expected, ValueRef actual, const Normaliser& normaliser) {
  return NormalLeafOf(expected, normaliser) == NormalLeafOf(actual, normaliser);
}

bool EqualWhenNormalised(ValueRef expected, ValueRef actual, const Normaliser& normaliser,
                         PairWalker& walker) {
  NormalisedVisitor visitor{expected, actual, normaliser};
  return walker.Walk(expected, actual, /*descend_equal=*/false, visitor);
}

std::vector<std::string_view> NeededSteps(ValueRef expected, ValueRef actual, const Normaliser& normaliser) {
  std::vector<std::string_view> needed;
  NormaliserRules none = normaliser.rules();
  none.steps = 0;
  if (EqualLeaves(expected, actual, Normaliser(none))) return needed;
  for (std::size_t step = 0; step < kNormaliserSteps; ++step) {
    NormaliserRules rules = normaliser.rules();
    if ((rules.steps >> step & 1) == 0) continue;
    rules.steps &= ~(1u << step);
    if (!EqualLeaves(expected, actual, Normaliser(rules))) needed.push_back(NormaliserStepNames()[step]);
  }
  return needed;
}

}  // namespace leafscore::internal
