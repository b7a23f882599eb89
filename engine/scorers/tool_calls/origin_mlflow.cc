// mlflow's ToolCallCorrectness with exact match (mlflow 3.18.0).
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "engine/scorers/static_json/python_values.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kMlflowModes[] = {CallMode::kExact, CallMode::kAnyOrder};

std::vector<std::string> CallTexts(const OriginSides& sides, std::span<const ToolCall> calls,
                                   bool names_alone) {
  std::vector<std::string> texts;
  for (const ToolCall& call : calls) {
    std::string& text = texts.emplace_back(call.name);
    if (names_alone) continue;
    text += '(';
    if (call.has_arguments()) {
      AppendPythonJson(call.arguments, *sides.shapes, KeyOrder::kByCodePoint, text);
    } else {
      text += "{}";
    }
    text += ')';
  }
  return texts;
}

OriginScore ScoreMlflow(const OriginSides& sides) {
  if (sides.expected.empty()) {
    return {.expected_fault = "it has no calls; mlflow asks a model then, so leave such records out"};
  }
  if (sides.expected.size() != sides.actual.size()) return {};
  const bool names_alone = std::ranges::any_of(
      sides.expected, [](const ToolCall& call) { return !call.has_arguments() && !call.bad_arguments; });
  const std::vector<std::string> expected = CallTexts(sides, sides.expected, names_alone);
  const std::vector<std::string> actual = CallTexts(sides, sides.actual, names_alone);
  bool equal = expected == actual;
  if (sides.rules->mode == CallMode::kAnyOrder) {
    equal = std::set(expected.begin(), expected.end()) == std::set(actual.begin(), actual.end());
  }
  return {.score = equal ? 1.0 : 0.0};
}

}  // namespace

constinit const Origin kMlflowOrigin = {kMlflowModes, {}, false, ScoreMlflow};

}  // namespace leafscore::internal
