// engine/scorers/tool_calls/call_reader.h: reads the tool calls of a value in any of these forms: chat
// messages and responses of OpenAI, Anthropic, Gemini and LangChain, spans of OpenTelemetry and
// OpenInference, traces, plain calls, and Python calls (the table is in docs/tool_calls.md).
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
  bool reads_call_text = true;     // read a text that is not JSON as Python calls or prose
  bool scores_incomplete = false;  // also score a trace that is marked as cut off
  PythonCallRules python = {};
};

// Reads the options `call_text` and `incomplete`.
CallReading ReadCallReading(const OptionReader& options);

class CallReader {
 public:
  // REQUIRES: `rules` outlive this.
  CallReader(const CallReading* rules, WorkerTools tools);

  // Forgets the data of the previous batch. REQUIRES: called for each batch.
  void Begin();

  // Reads a value into a list. The views in the list are valid until the next Begin. If the value cannot be
  // read, the list has a fault. If there are more than kMaxToolCalls calls, only one call above the limit is
  // read. REQUIRES: the value is present.
  void Read(ValueRef value, CallList& list);

  CallKeys& keys() { return keys_; }
  // Returns the text of a string. The view is valid until the next Begin.
  std::string_view TextOf(ValueRef string);
  // Reads a text as JSON. RETURNS: an absent value if it is not JSON.
  ValueRef ReadJson(std::string_view text);

 private:
  // Where an object stands. In some places, an object of unknown form is no fault: it just contains no calls.
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

  // A text of arguments as written in the record, and the value read from it.
  struct ArgumentsRead {
    std::string_view token;
    ValueRef value;
  };

  const CallReading* rules_;
  CallKeys keys_;
  ParsedTexts texts_;
  SpanReader spans_;
  std::deque<std::string> names_;  // texts with escapes, resolved
  std::size_t names_used_ = 0;
  ValueRef empty_object_;
  // The latest texts of arguments, with their values. Most calls of an answer repeat an expected call in the
  // same spelling.
  std::array<ArgumentsRead, 8> arguments_read_ = {};
  std::size_t next_read_ = 0;
  CallList* list_ = nullptr;
  std::uint32_t step_ = 0;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_READER_H_
