// engine/scorers/tool_calls/span_reader.h: which spans of a trace are tool calls, by the conventions of
// OpenTelemetry for generative AI, of OpenInference and of UiPath, and in which order they began.
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
  ValueRef name = {};          // a text; absent: it has none
  std::size_t name_skips = 0;  // bytes of it in front of the tool's name
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

  // Returns the tool spans of spans, or of resources with scopes with spans, in the order of their start
  // where each has one, else as they stand. They are valid until the next call.
  const std::vector<ToolSpan>& Read(ValueRef list);
  // The same of a span by itself.
  const std::vector<ToolSpan>& ReadOne(ValueRef span) {
    spans_.clear();
    AddSpan(span);
    return spans_;
  }

 private:
  // What the attributes of a span tell.
  struct Attributes;

  void AddResource(ValueRef resource);
  void AddSpan(ValueRef span);
  std::optional<std::uint64_t> StartOf(ValueRef span);

  CallKeys* keys_;
  std::vector<ToolSpan> spans_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_SPAN_READER_H_
