#include "engine/evaluate/agent_metrics.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace leafscore::internal {
namespace {

using Names = std::array<std::string_view, 5>;

constexpr double kLargestStatement = 1e15;
constexpr Names kTokensIn = {"input_tokens", "tokens_in", "prompt_tokens", "inputTokens", "promptTokens"};
constexpr Names kTokensOut = {"output_tokens", "tokens_out", "completion_tokens", "outputTokens",
                              "completionTokens"};

std::optional<double> Statement(JsonView value) {
  const std::optional<double> number = value.Number();
  return number && *number >= 0 && *number <= kLargestStatement ? number : std::nullopt;  // NaN: nothing
}

// Returns the first of the members that states a number.
std::optional<double> FirstStatement(JsonView object, const Names& names) {
  for (const std::string_view name : names) {
    if (const auto number = Statement(object.Member(name))) return number;
  }
  return std::nullopt;
}

void Add(std::optional<double>& sum, std::optional<double> number) {
  if (number) sum = sum.value_or(0) + *number;
}

struct Tokens {
  std::optional<double> in;
  std::optional<double> out;

  bool any() const { return in.value_or(0) + out.value_or(0) > 0; }
};

Tokens TokensOf(JsonView object) {
  Tokens tokens{FirstStatement(object, kTokensIn), FirstStatement(object, kTokensOut)};
  const JsonView usage = object.Member("usage");
  if (!tokens.in) tokens.in = FirstStatement(usage, kTokensIn);
  if (!tokens.out) tokens.out = FirstStatement(usage, kTokensOut);
  return tokens;
}

Tokens TokensOfRawEvents(JsonView events) {
  Tokens sums;
  Tokens largest;
  events.ForEachObject([&](JsonView object) {
    const JsonView tokens = object.Member("tokens");
    if (tokens.Is(ValueKind::kObject)) {
      Add(sums.in, Statement(tokens.Member("input")));
      Add(sums.in, Statement(tokens.Member("cache").Member("read")));
      Add(sums.in, Statement(tokens.Member("cache").Member("write")));
      Add(sums.out, Statement(tokens.Member("output")));
      Add(sums.out, Statement(tokens.Member("reasoning")));
      return;
    }
    largest.in = std::max(largest.in, FirstStatement(object, kTokensIn));
    largest.out = std::max(largest.out, FirstStatement(object, kTokensOut));
  });
  return sums.any() ? sums : largest;
}

std::string ToolName(JsonView value) {
  for (const std::string_view name : {"name", "tool", "function"}) {
    if (!value.Is(ValueKind::kObject)) break;
    const JsonView member = value.Member(name);
    if (member.present()) value = member.Is(ValueKind::kObject) ? member.Member("name") : member;
  }
  return value.IsText() ? *value.Text() : "";
}

void AddToolCalls(JsonView turn, std::vector<std::string>& names) {
  const auto add = [&](JsonView call) {
    if (std::string name = ToolName(call); !name.empty()) names.push_back(std::move(name));
  };
  if (const JsonView calls = turn.Member("tool_calls"); calls.Is(ValueKind::kArray)) {
    calls.ForEachChild(add);
    return;
  }
  for (const std::string_view name : {"tool", "tool_name", "action"}) {
    if (const JsonView call = turn.Member(name); call.present()) return add(call);
  }
}

JsonView TurnsOf(JsonView trajectory) {
  for (const std::string_view name : {"turns", "steps"}) {
    if (const JsonView turns = trajectory.Member(name); turns.Is(ValueKind::kArray)) return turns;
  }
  return trajectory;
}

}  // namespace

AgentMetrics ReadAgentMetrics(JsonView record) {
  AgentMetrics metrics;
  Tokens tokens;
  const JsonView trajectory = record.Member("trajectory");
  const JsonView turns = TurnsOf(trajectory);
  if (turns.Is(ValueKind::kArray)) {
    std::vector<std::string>& names = metrics.unique_tools;
    metrics.turns = 0;
    turns.ForEachChild([&](JsonView turn) {
      ++*metrics.turns;
      AddToolCalls(turn, names);
      const Tokens of_turn = TokensOf(turn);
      Add(tokens.in, of_turn.in);
      Add(tokens.out, of_turn.out);
      Add(metrics.duration_ms, Statement(turn.Member("duration_ms")));
    });
    metrics.tool_calls = static_cast<double>(names.size());
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
  }
  for (const JsonView object : {trajectory, record}) {
    if (!metrics.duration_ms) metrics.duration_ms = Statement(object.Member("duration_ms"));
    const Tokens stated = TokensOf(object);
    if (!tokens.any() && (stated.any() || (!tokens.in && !tokens.out))) tokens = stated;
  }
  if (!tokens.any()) {
    const Tokens stated = TokensOfRawEvents(trajectory.Member("raw_events"));
    if (stated.any()) tokens = stated;
  }
  metrics.tokens_in = tokens.in;
  metrics.tokens_out = tokens.out;
  return metrics;
}

}  // namespace leafscore::internal
