// engine/scorers/tool_calls/tool_call.h: the tool calls of one side of a record, in order. The calls are
// views: their values belong to the tables of the batch and of the reader that read them.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_TOOL_CALL_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_TOOL_CALL_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/match/pair_walker.h"

namespace leafscore::internal {

struct ToolCall {
  std::string_view name;
  std::string_view tool_id;    // empty: none
  ValueRef arguments = {};     // an object; absent if missing or invalid
  ValueRef output = {};        // absent: none
  ValueRef source = {};        // the value from which it was read; absent for a bare name
  bool bad_arguments = false;  // arguments are given, but are not an object with names
  std::uint32_t step = 0;      // calls of one message or response have the same step

  bool has_arguments() const { return arguments.present(); }
  // Returns false for {}, too.
  bool has_some_arguments() const {
    return has_arguments() && arguments.table->end(arguments.node) != arguments.node + 1;
  }
};

struct CallList {
  std::vector<ToolCall> calls;
  bool is_prose = false;   // a text without calls
  std::string fault = {};  // why it cannot be read, or empty

  bool readable() const { return fault.empty(); }
  void Clear() {
    calls.clear();
    is_prose = false;
    fault.clear();
  }
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_TOOL_CALL_H_
