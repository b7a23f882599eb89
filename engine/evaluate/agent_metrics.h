// engine/evaluate/agent_metrics.h: the operational metrics of one agent run, read from its trajectory file.
//
// The turns are the elements of `trajectory.turns` or `trajectory.steps`, or of `trajectory` itself if it is
// a list; without such a list there are no turns to count. The metrics are:
//   turns         the number of elements of that list
//   tool calls    per turn: the elements of `tool_calls` that have a name; without `tool_calls`, one if the
//                 first of `tool`, `tool_name` and `action` that exists has a name. The name is the text
//                 itself, or `name`, `tool`, `function` or `function.name` of an object.
//   tokens        summed over the turns that state them, as `input_tokens`, `tokens_in`, `prompt_tokens`,
//                 `inputTokens` or `promptTokens` (and `output_tokens`, ..., `completion_tokens`, ...) of the
//                 turn or of its `usage`. If no turn states more than zeros, they come from the list
//                 `trajectory.raw_events`: the sum of all `tokens` objects in it (`input` + `cache.read` +
//                 `cache.write`; `output` + `reasoning`) or, if that is 0, the largest count that any other
//                 object in it states; else from the names above in `trajectory`, else in the file's
//                 outermost object.
//   duration      `duration_ms`, summed over the turns that state it, else of `trajectory`, else of the
//                 outermost object.
// Metrics that are stated nowhere are absent, never 0. A number below 0, above 1e15 or not finite counts as
// not stated.
#ifndef LEAFSCORE_ENGINE_EVALUATE_AGENT_METRICS_H_
#define LEAFSCORE_ENGINE_EVALUATE_AGENT_METRICS_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/json/json_view.h"

namespace leafscore::internal {

struct AgentMetrics {
  std::optional<double> turns;
  std::optional<double> tool_calls;
  std::vector<std::string> unique_tools;  // sorted; also empty without tool_calls
  std::optional<double> tokens_in;
  std::optional<double> tokens_out;
  std::optional<double> duration_ms;
  // Not read from the file (engine/judge/price_table.h): the rounded total, and its parts.
  std::optional<double> cost_usd;
  std::optional<double> input_cost_usd;
  std::optional<double> output_cost_usd;
};

// Reads the metrics from the outermost object of a trajectory file. COST: linear in the file.
AgentMetrics ReadAgentMetrics(JsonView record);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_EVALUATE_AGENT_METRICS_H_
