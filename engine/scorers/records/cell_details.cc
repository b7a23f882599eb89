#include "engine/scorers/records/cell_details.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/base/cell_rows.h"
#include "engine/json/compact_text.h"
#include "engine/scorers/normalised_equal.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kVerdicts[] = {"matched", "wrong", "missing", "extra"};

}  // namespace

std::string DisplayPath(const Place& place) { return place.path.empty() ? "*" : place.path; }

const CellPaths::Tree& CellPaths::TreeOf(ValueRef root) {
  const auto is_this = [&](const Tree& tree) { return tree.table == root.table && tree.root == root.node; };
  if (const auto known = std::ranges::find_if(trees_, is_this); known != trees_.end()) return *known;
  Tree& tree = trees_.emplace_back(Tree{root.table, root.node, {}});
  const NodeId end = root.table->end(root.node);
  tree.steps.resize(end - root.node, {kNoNode, 0});
  for (NodeId node = root.node; node != end; ++node) {
    if (!IsContainer(root.table->kind(node))) continue;
    std::uint32_t position = 0;
    for (NodeId child = node + 1; child != root.table->end(node); child = root.table->end(child)) {
      tree.steps[child - root.node] = {node, position++};
    }
  }
  return tree;
}

// Returns the path of a value. If neither side contains the value, as with a default, returns the path of its
// field.
std::string CellPaths::PathOf(ValueRef value, const Place& place) {
  for (const CellSides& part : parts_) {
    for (const ValueRef root : {part.expected, part.actual}) {
      if (!Holds(root, value)) continue;
      const Tree& tree = TreeOf(root);
      std::vector<Step> steps;
      for (NodeId node = value.node; node != root.node; node = tree.steps[node - root.node].parent) {
        steps.push_back(tree.steps[node - root.node]);
      }
      std::string path = part.path->Canonical();
      for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        if (root.table->kind(step->parent) == ValueKind::kArray) {
          AppendPositionStep(path, step->position);
        } else {
          AppendKeyStep(path, shapes_.Keys(root.table->shape(step->parent))[step->position]);
        }
      }
      return path.empty() ? "*" : path;
    }
  }
  return DisplayPath(place);
}

std::string CellPaths::Of(const JudgedCell& cell, const Place& place) {
  return PathOf(cell.expected.present() ? cell.expected : cell.actual, place);
}

std::string CellPaths::OfActual(const JudgedCell& cell, const Place& place) {
  return PathOf(cell.actual, place);
}

void WriteCell(const JudgedCell& cell, const Place& place, CellPaths& paths, const ShapeTable& shapes,
               DetailsWriter& json) {
  const std::string path = paths.Of(cell, place);
  json.StartObject();
  json.Key<"path">().String(path);
  if (cell.actual.present()) {
    const std::string actual_path = paths.OfActual(cell, place);
    if (actual_path != path) json.Key<"actual_path">().String(actual_path);
  }
  json.Key<"verdict">().String(kVerdicts[static_cast<std::size_t>(cell.verdict)]);
  if (cell.expected.present()) {
    AppendStandardJson(*cell.expected.table, shapes, cell.expected.node, json.Key<"expected">().RawValue());
  }
  if (cell.actual.present()) {
    AppendStandardJson(*cell.actual.table, shapes, cell.actual.node, json.Key<"actual">().RawValue());
  }
  if (cell.confidence != CellColumns::kNoConfidence) {
    json.Key<"confidence">().Number(static_cast<double>(cell.confidence) / kConfidenceSteps);
  }
  json.Key<"similarity">().Number(cell.verdict == CellVerdict::kMatched ? 1 : 0);
  // The steps are named only if they make the two leaves equal. A cell can also match without them, by its
  // tolerance or similarity.
  const bool equal = place.normaliser != nullptr && cell.verdict == CellVerdict::kMatched &&
                     !IsContainer(cell.expected.kind()) &&
                     EqualLeaves(cell.expected, cell.actual, *place.normaliser);
  if (equal) {
    const std::vector<std::string_view> needed = NeededSteps(cell.expected, cell.actual, *place.normaliser);
    if (!needed.empty()) {
      json.Key<"normalised">().StartArray();
      for (const std::string_view step : needed) json.String(step);
      json.EndArray();
    }
  }
  if (cell.alternative != 0) json.Key<"alternative">().Number(cell.alternative);
  json.EndObject();
}

}  // namespace leafscore::internal
