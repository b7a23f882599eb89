#include "engine/scorers/tool_calls/call_reader.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_text.h"
#include "engine/languages/python_text.h"

namespace leafscore::internal {
namespace {

// Roles and types of messages that contain no calls.
constexpr std::string_view kOtherRoles[] = {"user", "human", "system", "tool", "developer"};

// Types of items, blocks and events that are not calls; types that end in one of kResultEndings are not calls
// either.
constexpr std::string_view kOtherTypes[] = {"compaction",
                                            "document",
                                            "image",
                                            "item_reference",
                                            "mcp_list_tools",
                                            "mcp_approval_request",
                                            "message",
                                            "reasoning",
                                            "redacted_thinking",
                                            "refusal",
                                            "text",
                                            "thinking",
                                            "mcp_approval_response"};
constexpr std::string_view kResultEndings[] = {"_call", "_output", "_result"};
// Types that are calls, although they may end in one of kResultEndings.
constexpr std::string_view kCallTypes[] = {"function_call", "mcp_call", "custom_tool_call", "tool_call"};
constexpr std::string_view kCallBlocks[] = {"tool_use", "server_tool_use", "mcp_tool_use"};

constexpr CallKey kTraceKeys[] = {CallKey::kMessages,        CallKey::kEvents, CallKey::kTurns,
                                  CallKey::kSteps,           CallKey::kCalls,  CallKey::kToolUses,
                                  CallKey::kInvocationEvents};
constexpr CallKey kNameKeys[] = {CallKey::kName, CallKey::kTool, CallKey::kToolName, CallKey::kToolNameCamel};
constexpr CallKey kArgumentKeys[] = {CallKey::kArguments, CallKey::kArgs, CallKey::kInput,
                                     CallKey::kParameters};

bool IsOneOf(ValueRef value, std::span<const std::string_view> texts) {
  return IsAnyText(value) &&
         std::ranges::any_of(texts, [&](std::string_view text) { return IsText(value, text); });
}

// Returns a text without the white space around it and without one fence, if a fence encloses it.
std::string_view Unfenced(std::string_view text) {
  constexpr std::string_view kFence = "```";
  text = StripSpace(text);
  if (!text.starts_with(kFence) || !text.ends_with(kFence) || text.size() < 2 * kFence.size()) return text;
  const std::size_t line_end = text.find('\n');
  if (line_end == text.npos || line_end > text.size() - kFence.size()) return text;
  const std::string_view inside = text.substr(line_end, text.size() - kFence.size() - line_end);
  return inside.find(kFence) == inside.npos ? StripSpace(inside) : text;
}

}  // namespace

CallReading ReadCallReading(const OptionReader& options) {
  constexpr std::string_view kCallTexts[] = {"auto", "never"};
  constexpr std::string_view kIncomplete[] = {"unreadable", "score"};
  CallReading reading;
  reading.reads_call_text = options.GetChoice("call_text", 0, kCallTexts) == 0;
  reading.scores_incomplete = options.GetChoice("incomplete", 0, kIncomplete) == 1;
  return reading;
}

CallReader::CallReader(const CallReading* rules, WorkerTools tools)
    : rules_(rules), keys_(tools.shapes), texts_(tools), spans_(&keys_) {}

void CallReader::Begin() {
  keys_.Begin();
  texts_.Truncate(0);
  names_used_ = 0;
  empty_object_ = ReadJson("{}");
  arguments_read_ = {};
}

ValueRef CallReader::ReadJson(std::string_view text) {
  const std::size_t texts = texts_.size();
  ParsedText& parsed = texts_.Push();
  parsed.text = text;
  const NodeId root = texts_.Read(parsed).root;
  if (root == kNoNode) texts_.Truncate(texts);
  return root == kNoNode ? ValueRef{} : ValueRef{&parsed.table, root};
}

std::string_view CallReader::TextOf(ValueRef string) {
  if (string.kind() == ValueKind::kString) return string.table->leaf_token(string.node);
  if (names_used_ == names_.size()) names_.emplace_back();
  std::string& text = names_[names_used_++];
  text.clear();
  AppendStringText(*string.table, string.node, text);
  return text;
}

bool CallReader::Fail(std::string_view fault) {
  list_->fault = fault;
  return false;
}

void CallReader::Read(ValueRef value, CallList& list) {
  list.Clear();
  list_ = &list;
  step_ = 0;
  if (IsAnyText(value)) {
    ReadText(value);
  } else if (IsArray(value)) {
    ReadList(value, Place::kAnywhere);
  } else if (IsObject(value)) {
    ReadObject(value, Place::kAnywhere);
  } else {
    Fail(
        "it holds no tool calls: give messages, spans or a list of calls such as {\"name\": \"search\", "
        "\"arguments\": {}}");
  }
}

bool CallReader::ReadText(ValueRef text) {
  const std::string_view content = Unfenced(TextOf(text));
  if (content.starts_with('{') || content.starts_with('[')) {
    const ValueRef value = ReadJson(content);
    if (value.present()) return ReadElement(value, Place::kAnywhere);
  }
  if (!rules_->reads_call_text) {
    return Fail("it is a text, not a trace; name the field with the run's messages, spans or calls");
  }
  std::string json;
  if (PythonCallsToJson(content, rules_->python, json)) {
    const ValueRef calls = ReadJson(json);
    if (calls.present()) return ReadCalls(calls);
  }
  list_->is_prose = true;
  return true;
}

bool CallReader::ReadElement(ValueRef element, Place place) {
  return IsArray(element) ? ReadList(element, place) : ReadObject(element, place);
}

bool CallReader::ReadList(ValueRef list, Place place) {
  const LeafTable& table = *list.table;
  const bool are_spans = table.end(list.node) != list.node + 1 && ForEachChild(list, [&](ValueRef element) {
                           return keys_.Member(element, CallKey::kAttributes).present();
                         });
  if (are_spans) return ReadSpans(list);
  std::size_t position = 0;
  return ForEachChild(list, [&](ValueRef element) {
    if (list_->calls.size() > kMaxToolCalls.max) return true;
    ++position;
    if (IsAnyText(element)) return AddCall({}, element, {}, {}, {}, NewStep());
    if (IsObject(element)) return ReadObject(element, place);
    return Fail("element " + std::to_string(position) +
                " of a list of calls is neither an object nor a name");
  });
}

// Tells whether an object, or LangChain's metadata of a message, says that its message was cut off.
bool CallReader::IsCut(ValueRef object) {
  return SaysCut(object) || SaysCut(keys_.Member(object, CallKey::kResponseMetadata));
}

bool CallReader::SaysCut(ValueRef object) {
  constexpr std::string_view kReasons[] = {"length", "content_filter"};
  constexpr std::string_view kStops[] = {"max_tokens", "pause_turn"};
  constexpr std::string_view kGeminiReasons[] = {"MAX_TOKENS", "MALFORMED_FUNCTION_CALL"};
  const ValueRef truncated = keys_.Member(object, CallKey::kTruncated);
  const ValueRef complete = keys_.Member(object, CallKey::kComplete);
  return IsOneOf(keys_.Member(object, CallKey::kFinishReason), kReasons) ||
         IsText(keys_.Member(object, CallKey::kStatus), "incomplete") ||
         IsOneOf(keys_.Member(object, CallKey::kStopReason), kStops) ||
         IsOneOf(keys_.Member(object, CallKey::kFinishReasonCamel), kGeminiReasons) ||
         (truncated.present() && truncated.kind() == ValueKind::kTrue) ||
         (complete.present() && complete.kind() == ValueKind::kFalse);
}

// Tells whether an object is a message of a role that makes no calls, or an item, block or event that is not
// a call.
bool CallReader::IsNoCall(ValueRef object) {
  const ValueRef role = keys_.Member(object, CallKey::kRole);
  const ValueRef type = keys_.Member(object, CallKey::kType);
  if (IsOneOf(role, kOtherRoles) || IsText(role, "function")) return true;
  if (IsOneOf(type, kOtherRoles)) return true;  // without "function", which is the type of a chat call
  if (keys_.Given(object, CallKey::kToolCallId).present()) return true;
  if (!IsAnyText(type) || IsOneOf(type, kCallTypes)) return false;
  if (IsText(type, "message")) return !keys_.Given(object, CallKey::kContent).present() || !IsAnyText(role);
  const std::string_view text = TextOf(type);
  return std::ranges::any_of(kResultEndings, [&](std::string_view end) { return text.ends_with(end); }) ||
         std::ranges::find(kOtherTypes, text) != std::end(kOtherTypes);
}

bool CallReader::ReadObject(ValueRef object, Place place) {
  constexpr std::string_view kCut =
      "the trace is marked as cut off, so a call may be missing; `incomplete: score` scores what is there";
  if (!rules_->scores_incomplete && IsCut(object)) return Fail(kCut);
  if (IsNoCall(object)) return true;
  bool is_of_form = false;
  bool read = ReadMessage(object, &is_of_form);
  if (!is_of_form) read = ReadParts(object, &is_of_form);
  if (!is_of_form) read = ReadTrace(object, &is_of_form);
  if (is_of_form) return read;
  const ValueRef type = keys_.Member(object, CallKey::kType);
  const bool is_message = IsAnyText(keys_.Member(object, CallKey::kRole)) || place == Place::kMessage ||
                          IsText(type, "ai") || IsText(type, "AIMessageChunk");
  if (is_message) return true;
  if (place == Place::kEvent && IsAnyText(type) && !IsOneOf(type, kCallTypes)) return true;
  return ReadCall(object, NewStep());
}

// Reads an object that has the calls of a message: a message of chat or LangChain, or a response of the chat
// or responses API.
bool CallReader::ReadMessage(ValueRef object, bool* is_message) {
  *is_message = true;
  for (const CallKey key : {CallKey::kToolCalls, CallKey::kToolCallsCamel}) {
    const ValueRef calls = keys_.Given(object, key);
    if (IsArray(calls)) return ReadCalls(calls);
    if (calls.present()) return Fail("the tool calls of a message are not a list");
  }
  if (const ValueRef kwargs = keys_.Member(object, CallKey::kKwargs); IsObject(kwargs)) {
    return ReadObject(kwargs, Place::kMessage);
  }
  const ValueRef data = keys_.Member(object, CallKey::kData);
  if (IsObject(data) && IsAnyText(keys_.Member(object, CallKey::kType))) {
    return ReadObject(data, Place::kMessage);
  }
  if (const ValueRef choices = keys_.Member(object, CallKey::kChoices); IsArray(choices)) {
    if (choices.table->end(choices.node) == choices.node + 1) return Fail("the response has no choices");
    const ValueRef choice{choices.table, choices.node + 1};
    const ValueRef message = keys_.Member(choice, CallKey::kMessage);
    if (!IsObject(message)) return Fail("the response has no message");
    if (!rules_->scores_incomplete && IsCut(choice)) return ReadObject(choice, Place::kAnywhere);
    return ReadObject(message, Place::kMessage);
  }
  const ValueRef output = keys_.Member(object, CallKey::kOutput);
  if (IsArray(output) && !keys_.Member(object, CallKey::kName).present() &&
      !keys_.Member(object, CallKey::kTool).present()) {
    return ReadBlocks(output);
  }
  if (const ValueRef blocks = keys_.Member(object, CallKey::kContent); IsArray(blocks)) {
    return ReadBlocks(blocks);
  }
  *is_message = false;
  return true;
}

// Reads the items of a response or the blocks of a message, which form one step.
bool CallReader::ReadBlocks(ValueRef blocks) {
  const std::uint32_t step = NewStep();
  return ForEachChild(blocks, [&](ValueRef block) {
    const ValueRef type = keys_.Member(block, CallKey::kType);
    const bool is_call = IsOneOf(type, kCallBlocks) || (IsOneOf(type, kCallTypes) && IsObject(block));
    if (!is_call) return true;
    if (!rules_->scores_incomplete && IsCut(block)) return ReadObject(block, Place::kAnywhere);
    return ReadCall(block, step);
  });
}

// Reads Gemini's form.
bool CallReader::ReadParts(ValueRef object, bool* has_parts) {
  *has_parts = true;
  if (const ValueRef candidates = keys_.Member(object, CallKey::kCandidates); IsArray(candidates)) {
    if (candidates.table->end(candidates.node) == candidates.node + 1) {
      return Fail("the response has no candidates");
    }
    const ValueRef candidate{candidates.table, candidates.node + 1};
    if (!IsObject(candidate)) return Fail("the response has no candidates");
    return ReadObject(candidate, Place::kMessage);
  }
  ValueRef parts = keys_.Member(object, CallKey::kParts);
  if (const ValueRef content = keys_.Member(object, CallKey::kContent); IsObject(content)) {
    parts = keys_.Member(content, CallKey::kParts);
    if (!IsArray(parts)) return true;
  }
  if (IsArray(parts)) return ReadGeminiParts(parts);
  const ValueRef live = keys_.Member(object, CallKey::kToolCall);
  if (const ValueRef calls = keys_.Member(live, CallKey::kFunctionCalls); IsArray(calls)) {
    return ReadCalls(calls);
  }
  for (const CallKey key : {CallKey::kFunctionCallCamel, CallKey::kFunctionCall}) {
    const ValueRef call = keys_.Member(object, key);
    if (IsObject(call)) return ReadNamed(object, call, NewStep());
  }
  *has_parts = false;
  return true;
}

bool CallReader::ReadGeminiParts(ValueRef parts) {
  const std::uint32_t step = NewStep();
  return ForEachChild(parts, [&](ValueRef part) {
    for (const CallKey key : {CallKey::kFunctionCallCamel, CallKey::kFunctionCall}) {
      const ValueRef call = keys_.Member(part, key);
      if (IsObject(call)) return ReadNamed(part, call, step);
    }
    return true;
  });
}

bool CallReader::ReadTrace(ValueRef object, bool* is_trace) {
  *is_trace = true;
  const ValueRef resources = keys_.Member(object, CallKey::kResourceSpans);
  if (IsArray(resources)) return ReadSpans(resources);
  const ValueRef attributes = keys_.Member(object, CallKey::kAttributes);
  if (IsObject(attributes) || IsArray(attributes)) {
    const std::vector<ToolSpan>& spans = spans_.ReadOne(object);
    return spans.empty() || ReadSpan(spans.front());
  }
  for (const CallKey key : kTraceKeys) {
    const ValueRef list = keys_.Member(object, key);
    if (IsArray(list)) {
      const bool are_events = key == CallKey::kEvents || key == CallKey::kInvocationEvents;
      return ReadList(list, are_events ? Place::kEvent : Place::kAnywhere);
    }
  }
  *is_trace = false;
  return true;
}

bool CallReader::ReadSpans(ValueRef list) {
  const std::vector<ToolSpan>& spans = spans_.Read(list);
  return std::ranges::all_of(spans, [&](const ToolSpan& span) { return ReadSpan(span); });
}

bool CallReader::ReadSpan(const ToolSpan& span) {
  if (!rules_->scores_incomplete && span.is_open) {
    return Fail("a tool span has not ended, so a call may be missing; `incomplete: score` scores it");
  }
  const bool has_name =
      IsAnyText(span.name) && !StripSpace(TextOf(span.name).substr(span.name_skips)).empty();
  if (!has_name) {
    if (rules_->scores_incomplete) return true;
    return Fail("a tool span has no gen_ai.tool.name or tool.name");
  }
  if (!AddCall(span.span, span.name, span.arguments, span.output, span.tool_id, NewStep())) return false;
  if (list_->calls.size() <= kMaxToolCalls.max) list_->calls.back().name.remove_prefix(span.name_skips);
  return true;
}

// Reads a list of calls, which form one step.
bool CallReader::ReadCalls(ValueRef calls) {
  const std::uint32_t step = NewStep();
  return ForEachChild(calls, [&](ValueRef call) {
    if (!IsObject(call)) return Fail("a tool call of a message is not an object");
    const ValueRef function = keys_.Member(call, CallKey::kFunction);
    return IsObject(function) ? ReadNamed(call, function, step) : ReadCall(call, step);
  });
}

// Reads a single call: an item, a block, an event, or a plain call.
bool CallReader::ReadCall(ValueRef call, std::uint32_t step) {
  for (const CallKey key : {CallKey::kFunction, CallKey::kTool}) {
    const ValueRef named = keys_.Member(call, key);
    if (IsObject(named)) return ReadNamed(call, named, step);
  }
  return ReadNamed(call, call, step);
}

// Reads a call whose name, arguments and output are members of `named`.
bool CallReader::ReadNamed(ValueRef source, ValueRef named, std::uint32_t step) {
  ValueRef name;
  for (const CallKey key : kNameKeys) {
    name = keys_.Given(named, key);
    if (name.present()) break;
  }
  const bool has_name = IsAnyText(name) && name.table->token(name.node).size() != 0;
  if (!has_name) {
    return Fail("an object is neither a tool call with a name nor a message, span or trace");
  }
  ValueRef arguments;
  for (const CallKey key : kArgumentKeys) {
    arguments = keys_.Given(named, key);
    if (arguments.present()) break;
  }
  if (IsText(keys_.Member(source, CallKey::kType), "custom_tool_call") && arguments.present()) {
    std::string json = "{\"input\": ";
    const ValueRef input = arguments;
    AppendCompactJson(*input.table, keys_.shapes(), input.node, json);
    arguments = ReadJson(json + "}");
  }
  ValueRef output = keys_.Member(named, CallKey::kOutput);
  if (!output.present()) output = keys_.Member(source, CallKey::kOutput);
  return AddCall(source, name, arguments, output, keys_.Given(source, CallKey::kToolId), step);
}

bool CallReader::AddCall(ValueRef source, ValueRef name, ValueRef arguments, ValueRef output,
                         ValueRef tool_id, std::uint32_t step) {
  if (list_->calls.size() > kMaxToolCalls.max) return true;  // one more shows that there are too many
  ToolCall& call = list_->calls.emplace_back();
  call.name = TextOf(name);
  if (IsAnyText(tool_id)) call.tool_id = TextOf(tool_id);
  call.output = output;
  call.source = source;
  call.step = step;
  SetArguments(arguments, call);
  return true;
}

void CallReader::SetArguments(ValueRef arguments, ToolCall& call) {
  if (!arguments.present()) return;
  if (IsAnyText(arguments)) arguments = ReadArguments(arguments);
  if (IsObject(arguments)) {
    call.arguments = arguments;
  } else {
    call.bad_arguments = true;
  }
}

ValueRef CallReader::ReadArguments(ValueRef text) {
  const std::string_view token = text.table->token(text.node);
  if (token.empty()) return empty_object_;
  const auto known = std::ranges::find(arguments_read_, token, &ArgumentsRead::token);
  if (known != arguments_read_.end()) return known->value;
  const std::string_view json = StripSpace(TextOf(text));
  const ValueRef value = json.empty() ? empty_object_ : ReadJson(json);
  arguments_read_[next_read_++ % arguments_read_.size()] = {token, value};
  return value;
}

}  // namespace leafscore::internal
