#include "engine/schema/schema_nesting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace leafscore::internal {
namespace {

// Returns the types of the values of an enum.
std::uint8_t TypesOf(const SchemaValues& values) {
  std::uint8_t types = 0;
  for (const std::string& text : values.texts) {
    switch (text[0]) {
      case 'n':
        types |= SchemaTypes::kNull;
        break;
      case 't':
      case 'f':
        types |= SchemaTypes::kBoolean;
        break;
      case '#':
        types |= text.find("e-") == text.npos ? SchemaTypes::kInteger : SchemaTypes::kFractions;
        break;
      case 's':
        types |= SchemaTypes::kString;
        break;
      case '[':
        types |= SchemaTypes::kArray;
        break;
      default:
        types |= SchemaTypes::kObject;
    }
  }
  return types;
}

// REQUIRES: already called for the schemas that apply to the same value.
void SetPossible(std::vector<SchemaNode>& nodes, SchemaId id) {
  SchemaNode& node = nodes[id];
  std::uint8_t possible = node.is_false ? std::uint8_t{0} : node.types;
  for (const SchemaValues& values : node.values) possible &= TypesOf(values);
  for (const SchemaId inner : {node.reference, node.dynamic_reference}) {
    if (inner != kNoSchema) possible &= nodes[inner].possible;
  }
  for (const SchemaId inner : node.all_of) possible &= nodes[inner].possible;
  for (const auto* const branches : {&node.any_of, &node.one_of}) {
    if (branches->empty()) continue;
    std::uint8_t any = 0;
    for (const SchemaId inner : *branches) any |= nodes[inner].possible;
    possible &= any;
  }
  node.possible = possible;
}

// Visits all schemas, each after the schemas that it applies to the same value.
class NestingCheck {
 public:
  explicit NestingCheck(std::vector<SchemaNode>& nodes)
      : nodes_(nodes), states_(nodes.size(), State::kNew), heights_(nodes.size(), 1) {}

  std::optional<NestingFault> Run() {
    for (SchemaId root = 0; root < nodes_.size(); ++root) {
      if (states_[root] != State::kNew) continue;
      Enter(root);
      while (!open_.empty()) {
        if (std::optional<NestingFault> fault = Step()) return fault;
      }
    }
    return std::nullopt;
  }

 private:
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  struct Open {
    SchemaId schema;
    std::vector<SchemaId> inner;
    std::size_t next = 0;
  };

  void Enter(SchemaId id) {
    states_[id] = State::kOpen;
    Open& entered = open_.emplace_back(Open{id, {}});
    nodes_[id].ForEachInPlace([&](SchemaId inner) { entered.inner.push_back(inner); });
  }

  // Continues with the schema that was entered last.
  std::optional<NestingFault> Step() {
    Open& last = open_.back();
    const SchemaId id = last.schema;
    if (last.next != last.inner.size()) {
      const SchemaId inner = last.inner[last.next++];
      if (states_[inner] == State::kOpen)
        return NestingFault{inner, "this schema applies itself to the same value, which would never end"};
      if (states_[inner] == State::kNew) Enter(inner);
      return std::nullopt;
    }
    for (const SchemaId inner : last.inner) heights_[id] = std::max(heights_[id], heights_[inner] + 1);
    if (heights_[id] > JsonSchema::kMostNested) {
      return NestingFault{id, fmt::format("more than {} schemas apply to one value, each within the other",
                                          JsonSchema::kMostNested)};
    }
    SetPossible(nodes_, id);
    states_[id] = State::kDone;
    open_.pop_back();
    return std::nullopt;
  }

  std::vector<SchemaNode>& nodes_;
  std::vector<State> states_;
  std::vector<std::uint32_t> heights_;  // of the schemas that apply to the same value
  std::vector<Open> open_;
};

}  // namespace

std::optional<NestingFault> CheckNesting(std::vector<SchemaNode>& nodes) { return NestingCheck(nodes).Run(); }

}  // namespace leafscore::internal
