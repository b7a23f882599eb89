// tau2-bench's evaluation of actions (tau2-bench a2c02472).
#include <algorithm>
#include <string_view>
#include <vector>

#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kTau2Modes[] = {CallMode::kSuperset};

// Tells whether a call is the action: both have the same values for the compared arguments.
bool IsAction(const OriginSides& sides, const ToolCall& action, const ToolCall& call) {
  if (action.name != call.name) return false;
  std::vector<std::string_view> compared;
  const ValueRef compare_args = MemberNamed(action.source, "compare_args", *sides.shapes);
  if (IsArray(compare_args)) {
    ForEachChild(compare_args, [&](ValueRef key) {
      if (IsAnyText(key)) compared.push_back(sides.reader->TextOf(key));
      return true;
    });
  } else {
    AllMembers(call.arguments, *sides.shapes, [&](std::string_view key, ValueRef /*value*/) {
      compared.push_back(key);
      return true;
    });
  }
  return std::ranges::all_of(compared, [&](std::string_view key) {
    const ValueRef wanted = MemberNamed(action.arguments, key, *sides.shapes);
    const ValueRef given = MemberNamed(call.arguments, key, *sides.shapes);
    if (wanted.present() != given.present()) return false;
    return !wanted.present() || sides.PyEqual(wanted, given);
  });
}

OriginScore ScoreTau2(const OriginSides& sides) {
  const bool all = std::ranges::all_of(sides.expected, [&](const ToolCall& action) {
    return std::ranges::any_of(sides.actual,
                               [&](const ToolCall& call) { return IsAction(sides, action, call); });
  });
  return {.score = all ? 1.0 : 0.0};
}

}  // namespace

constinit const Origin kTau2Origin = {kTau2Modes, {}, false, ScoreTau2};

}  // namespace leafscore::internal
