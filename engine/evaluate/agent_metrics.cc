#include "engine/evaluate/agent_metrics.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

using Names = std::array<std::string_view, 5>;

constexpr double kLargestStatement = 1e15;
constexpr Names kTokensIn = {"input_tokens", "tokens_in", "prompt_tokens", "inputTokens", "promptTokens"};
constexpr Names kTokensOut = {"output_tokens", "tokens_out", "completion_tokens", "outputTokens",
                              "completionTokens"};

std::optional<double> Statement(JsonView value) {
  const std::optional<double> number = value.Number();
  return number && *number >= 0 && *number <= kLargestStatement ? number : std::nullopt;  // also rejects NaN
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

// Returns a count of tokens in raw events: a whole number, or the text of one; else 0.
double CountOf(JsonView value) {
  if (!value.IsText()) {
    const double number = Statement(value).value_or(0);
    return number == std::floor(number) ? number : 0;
  }
  const std::string text = *value.Text();
  const std::string_view digits = StripSpace(text);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_count = error == std::errc() && end == digits.data() + digits.size();
  return is_count && static_cast<double>(count) <= kLargestStatement ? static_cast<double>(count) : 0;
}

// Returns the first count above 0.
double FirstCount(JsonView object, const std::array<std::string_view, 4>& names) {
  for (const std::string_view name : names) {
    if (const double count = CountOf(object.Member(name)); count > 0) return count;
  }
  return 0;
}

Tokens TokensOfRawEvents(JsonView events) {
  Tokens sums{0, 0};
  Tokens largest{0, 0};
  events.ForEachObject([&](JsonView object) {
    const JsonView tokens = object.Member("tokens");
    if (tokens.Is(ValueKind::kObject)) {
      const JsonView cache = tokens.Member("cache");
      *sums.in +=
          CountOf(tokens.Member("input")) + CountOf(cache.Member("read")) + CountOf(cache.Member("write"));
      *sums.out += CountOf(tokens.Member("output")) + CountOf(tokens.Member("reasoning"));
      return;
    }
    largest.in = std::max(
        *largest.in, FirstCount(object, {"input_tokens", "inputTokens", "prompt_tokens", "promptTokens"}));
    largest.out = std::max(*largest.out, FirstCount(object, {"output_tokens", "outputTokens",
                                                             "completion_tokens", "completionTokens"}));
  });
  return {sums.in > 0 ? sums.in : largest.in, sums.out > 0 ? sums.out : largest.out};
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
  if (!tokens.any()) {
    const JsonView events = trajectory.Member("raw_events");
    const Tokens stated = events.Is(ValueKind::kArray) ? TokensOfRawEvents(events) : Tokens();
    if (stated.any()) tokens = stated;
  }
  for (const JsonView object : {trajectory, record}) {
    if (!metrics.duration_ms) metrics.duration_ms = Statement(object.Member("duration_ms"));
    const Tokens stated = TokensOf(object);
    if (!tokens.any() && (stated.any() || (!tokens.in && !tokens.out))) tokens = stated;
  }
  metrics.tokens_in = tokens.in;
  metrics.tokens_out = tokens.out;
  return metrics;
}

}  // namespace leafscore::internal
