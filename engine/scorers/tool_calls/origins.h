// engine/scorers/tool_calls/origins.h: the rules of other evaluators for tool calls. The rules of each
// evaluator are a revision of the scorer `tool_calls` (docs/tool_calls.md lists the differences). They are a
// function of the calls of both sides, and each such function has its own file. This header has the shared
// parts.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ORIGINS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ORIGINS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/json/json_view.h"
#include "engine/languages/python_equal.h"
#include "engine/scorers/scorer.h"
#include "engine/scorers/tool_calls/call_reader.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

// Both sides of a record.
struct OriginSides {
  const CallRules* rules;
  CallReader* reader;
  const ShapeTable* shapes;
  PairWalker* walker;
  ValueRef expected_value;
  ValueRef actual_value;
  std::span<const ToolCall> expected;  // empty if the origin reads the expected value itself
  std::span<const ToolCall> actual;

  JsonView View(ValueRef value) const { return {*value.table, *shapes, value.node}; }
  bool PyEqual(ValueRef a, ValueRef b) const { return PythonEqual(View(a), View(b), PythonNumbers::kAsRead); }
};

struct OriginScore {
  double score = 0;
  std::string expected_fault = {};  // why the expected value is an error
  std::string actual_fault = {};    // why the actual value cannot be judged
  std::vector<std::string> lcs = {};
};

struct Origin {
  std::span<const CallMode> modes;            // its modes; the first one is the default
  std::span<const std::string_view> options;  // options that it uses, besides the common ones
  bool reads_expected = false;                // it reads the expected value itself
  OriginScore (*score)(const OriginSides& sides);
  PythonCallRules python = {};
};

extern const Origin kUiPathOrigin;
extern const Origin kAdkOrigin;
extern const Origin kAgentevalsOrigin;
extern const Origin kAgentvOrigin;
extern const Origin kRagasOrigin;
extern const Origin kMlflowOrigin;
extern const Origin kTau2Origin;
extern const Origin kPromptfooOrigin;
extern const Origin kBfclOrigin;

// The revisions of the scorer: ours, then one per origin.
inline constexpr std::string_view kToolCallRevisions[] = {
    "seed",          "uipath-2026-08", "adk-2026-10",  "agentevals-2025-07", "agentv-2026-07",
    "ragas-2026-01", "mlflow-2026-11", "tau2-2026-08", "promptfoo-2026",     "bfcl-2026-03"};

// Makes the scorer of a revision. REQUIRES: `revision` is an index into kToolCallRevisions and not 0.
std::unique_ptr<Scorer> MakeOriginScorer(const OptionReader& options, std::size_t revision);

// Pairs each expected call, in order, with the first free actual call that matches it. RETURNS: the number of
// pairs.
template <class Fits>
std::size_t CountGreedily(std::size_t expected, std::size_t actual, Fits fits) {
  std::vector<bool> taken(actual, false);
  std::size_t found = 0;
  for (std::size_t e = 0; e < expected; ++e) {
    for (std::size_t a = 0; a < actual; ++a) {
      if (taken[a] || !fits(e, a)) continue;
      taken[a] = true;
      ++found;
      break;
    }
  }
  return found;
}

inline double ShareOf(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Returns the member of an object under any key (CallKeys knows only some keys); an absent value if there is
// no such member.
inline ValueRef MemberNamed(ValueRef object, std::string_view key, const ShapeTable& shapes) {
  if (!object.present() || object.kind() != ValueKind::kObject) return {};
  const std::uint32_t position = shapes.FindMember(object.table->shape(object.node), key);
  if (position == ShapeTable::kNoMember) return {};
  return {object.table, object.table->Child(object.node, position)};
}

// Calls visit(key, value) for each member of an object until it returns false; the object may be absent.
template <class Visit>
bool AllMembers(ValueRef object, const ShapeTable& shapes, Visit visit) {
  if (!object.present() || object.kind() != ValueKind::kObject) return true;
  NodeId node = object.node + 1;
  for (const std::string_view key : shapes.Keys(object.table->shape(object.node))) {
    if (!visit(key, ValueRef{object.table, node})) return false;
    node = object.table->end(node);
  }
  return true;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_ORIGINS_H_
