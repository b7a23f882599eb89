// engine/scorers/tool_calls/call_reader.h: reads the tool calls of a value, in whichever form it holds them:
// chat messages and responses of OpenAI, Anthropic, Gemini and LangChain, spans of OpenTelemetry and
// OpenInference, traces, plain calls, and calls written in Python (docs/tool_calls.md has the table).
// THREADS: one at a time; each worker owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_READER_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/options.h"
#include "engine/languages/python_calls.h"
#include "engine/scorers/parsed_texts.h"
#include "engine/scorers/scorer.h"
#include "engine/scorers/tool_calls/call_keys.h"
#include "engine/scorers/tool_calls/span_reader.h"
#include "engine/scorers/tool_calls/tool_call.h"

namespace leafscore::internal {

struct CallReading {
  bool reads_call_text = true;     // a text that is no JSON, as calls in Python or as prose
  bool scores_incomplete = false;  // a trace that says that it was cut off
  PythonCallRules python = {};
};

// Reads the options `call_text` and `incomplete`.
CallReading ReadCallReading(const OptionReader& options);

class CallReader {
 public:
  // REQUIRES: `rules` outlive this.
  CallReader(const CallReading* rules, WorkerTools tools);

  // Forgets what was read of the batch before. REQUIRES: called for each batch.
  void Begin();

  // Reads a value into a list, whose views are valid until the next Begin. What cannot be read is told in
  // its fault. More than kMaxToolCalls calls are read as one more than these. REQUIRES: the value is present.
  void Read(ValueRef value, CallList& list);

  CallKeys& keys() { return keys_; }
  // Returns the text of a string, a view that is valid until the next Begin.
  std::string_view TextOf(ValueRef string);
  // Reads a text as JSON. RETURNS: an absent value when it is none.
  ValueRef ReadJson(std::string_view text);

 private:
  // Whether an object in a place may hold no calls without having one of the forms.
  enum class Place : std::uint8_t { kAnywhere, kEvent, kMessage };

  bool ReadText(ValueRef text);
  bool ReadList(ValueRef list, Place place);
  bool ReadElement(ValueRef element, Place place);
  bool ReadObject(ValueRef object, Place place);
  bool ReadMessage(ValueRef object, bool* is_message);
  bool ReadParts(ValueRef object, bool* has_parts);
  bool ReadTrace(ValueRef object, bool* is_trace);
  bool ReadSpans(ValueRef spans_or_resources);
  bool ReadSpan(const ToolSpan& span);
  bool ReadBlocks(ValueRef blocks);
  bool ReadGeminiParts(ValueRef parts);
  bool ReadCalls(ValueRef calls);
  bool ReadCall(ValueRef call, std::uint32_t step);
  bool ReadNamed(ValueRef source, ValueRef named, std::uint32_t step);
  bool AddCall(ValueRef source, ValueRef name, ValueRef arguments, ValueRef output, ValueRef tool_id,
               std::uint32_t step);
  void SetArguments(ValueRef arguments, ToolCall& call);
  ValueRef ReadArguments(ValueRef text);
  bool IsCut(ValueRef object);
  bool SaysCut(ValueRef object);
  bool IsNoCall(ValueRef object);
  bool Fail(std::string_view fault);
  std::uint32_t NewStep() { return step_++; }

  // A text of arguments that was read, as it stands in the record, and its value.
  struct ArgumentsRead {
    std::string_view token;
    ValueRef value;
  };

  const CallReading* rules_;
  CallKeys keys_;
  ParsedTexts texts_;
  SpanReader spans_;
  std::deque<std::string> names_;  // texts that held escapes
  std::size_t names_used_ = 0;
  ValueRef empty_object_;
  // The latest texts of arguments. Most calls of an answer are expected ones, written the same.
  std::array<ArgumentsRead, 8> arguments_read_ = {};
  std::size_t next_read_ = 0;
  CallList* list_ = nullptr;
  std::uint32_t step_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_READER_H_
