#include "engine/scorers/tool_calls/call_keys.h"

#include <string>

#include "engine/base/text_map.h"
#include "engine/json/compact_text.h"

namespace leafscore::internal {
namespace {

// In the order of CallKey.
constexpr std::string_view kKeyNames[kCallKeys] = {
    "args",
    "arguments",
    "attributes",
    "calls",
    "candidates",
    "choices",
    "complete",
    "content",
    "data",
    "endTimeUnixNano",
    "events",
    "finishReason",
    "finish_reason",
    "function",
    "functionCall",
    "functionCalls",
    "function_call",
    "input",
    "invocation_events",
    "kwargs",
    "message",
    "messages",
    "name",
    "output",
    "parameters",
    "parts",
    "resourceSpans",
    "response_metadata",
    "role",
    "scopeSpans",
    "spans",
    "startTimeUnixNano",
    "start_time",
    "status",
    "steps",
    "stop_reason",
    "tool",
    "toolCall",
    "toolCalls",
    "toolName",
    "tool_call_id",
    "tool_calls",
    "tool_id",
    "tool_name",
    "tool_uses",
    "truncated",
    "turns",
    "type",
};

const TextMap<std::string_view, std::size_t>& KeysByName() {
  static const auto keys = [] {
    TextMap<std::string_view, std::size_t> map;
    for (std::size_t k = 0; k < kCallKeys; ++k) map.emplace(kKeyNames[k], k);
    return map;
  }();
  return keys;
}

}  // namespace

void CallKeys::LookAt(ShapeId shape) {
  const auto [found, is_new] = positions_.try_emplace(shape);
  Positions& positions = found->second;
  latest_ = &positions;
  latest_shape_ = shape;
  if (!is_new) return;
  positions.fill(ShapeTable::kNoMember);
  std::uint32_t position = 0;
  for (const std::string_view key : shapes_->Keys(shape)) {
    if (const auto known = KeysByName().find(key); known != KeysByName().end()) {
      positions[known->second] = position;
    }
    ++position;
  }
}

ValueRef CallKeys::Member(ValueRef object, CallKey key) {
  if (!IsObject(object)) return {};
  const ShapeId shape = object.table->shape(object.node);
  if (latest_ == nullptr || shape != latest_shape_) LookAt(shape);
  const std::uint32_t position = (*latest_)[static_cast<std::size_t>(key)];
  if (position == ShapeTable::kNoMember) return {};
  return {object.table, object.table->Child(object.node, position)};
}

ValueRef CallKeys::Given(ValueRef object, CallKey key) {
  const ValueRef value = Member(object, key);
  return value.present() && value.kind() != ValueKind::kNull ? value : ValueRef{};
}

bool IsText(ValueRef value, std::string_view text) {
  if (!IsAnyText(value)) return false;
  if (value.kind() == ValueKind::kString) return value.table->leaf_token(value.node) == text;
  std::string unescaped;
  AppendStringText(*value.table, value.node, unescaped);
  return unescaped == text;
}

}  // namespace leafscore::internal
