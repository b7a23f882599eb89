// engine/scorers/tool_calls/span_reader.h: finds the spans of a trace that are tool calls, in the order in
// which they began. It knows the conventions of OpenTelemetry for generative AI, OpenInference and UiPath.
// THREADS: one at a time; each reader of calls owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_SPAN_READER_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_SPAN_READER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/scorers/tool_calls/call_keys.h"

namespace leafscore::internal {

struct ToolSpan {
  ValueRef span;
  ValueRef name = {};          // a text, or absent
  std::size_t name_skips = 0;  // bytes before the tool's name
  ValueRef arguments = {};
  ValueRef output = {};
  ValueRef tool_id = {};
  bool is_open = false;  // it has not ended
  std::optional<std::uint64_t> start = {};
};

class SpanReader {
 public:
  // REQUIRES: `keys` outlive this.
  explicit SpanReader(CallKeys* keys) : keys_(keys) {}

  // Returns the tool spans in a list of spans, or in a list of resources whose scopes contain spans. They are
  // sorted by start time; if any of them has no start time, they keep their given order. The result is valid
  // until the next call.
  const std::vector<ToolSpan>& Read(ValueRef list);
  // Does the same for a single span.
  const std::vector<ToolSpan>& ReadOne(ValueRef span) {
    spans_.clear();
    AddSpan(span);
    return spans_;
  }

 private:
  // The data in the attributes of a span.
  struct Attributes;

  void AddResource(ValueRef resource);
  void AddSpan(ValueRef span);
  std::optional<std::uint64_t> StartOf(ValueRef span);

  CallKeys* keys_;
  std::vector<ToolSpan> spans_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_SPAN_READER_H_
