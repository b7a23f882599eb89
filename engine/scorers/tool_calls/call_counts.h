// engine/scorers/tool_calls/call_counts.h: compares how often each tool was called with the expected counts:
// {"search": 2, "fetch": ">=1", "pay": {"max": 1}, "*": 0}. Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_COUNTS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_COUNTS_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scorers/tool_calls/call_reader.h"
#include "engine/scorers/tool_calls/call_rules.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

// The expected count for the tools that match a name or pattern.
struct CountEntry {
  std::string_view name;
  ValueRef asked;
  double weight = 1;
  std::uint64_t count = 0;
  bool holds = false;
};

// Compares the calls with each entry of the expected map. RETURNS: the fault of the map, or an empty text.
std::string CountCalls(ValueRef expected, std::span<const ToolCall> calls, const CallRules& rules,
                       CallReader& reader, std::vector<CountEntry>& entries);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_COUNTS_H_
