// engine/scorers/tool_calls/call_keys.h: finds the members that distinguish the forms of tool calls. Each
// shape of objects is searched once, so that finding a member costs one array access.
// THREADS: one at a time; each reader owns one.
#ifndef LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_KEYS_H_
#define LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_KEYS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "engine/match/pair_walker.h"

namespace leafscore::internal {

enum class CallKey : std::uint8_t {
  kArgs,
  kArguments,
  kAttributes,
  kCalls,
  kCandidates,
  kChoices,
  kComplete,
  kContent,
  kData,
  kEndTimeUnixNano,
  kEvents,
  kFinishReasonCamel,
  kFinishReason,
  kFunction,
  kFunctionCallCamel,
  kFunctionCalls,
  kFunctionCall,
  kInput,
  kInvocationEvents,
  kKwargs,
  kMessage,
  kMessages,
  kName,
  kOutput,
  kParameters,
  kParts,
  kResourceSpans,
  kResponseMetadata,
  kRole,
  kScopeSpans,
  kSpans,
  kStartTimeUnixNano,
  kStartTime,
  kStatus,
  kSteps,
  kStopReason,
  kTool,
  kToolCall,
  kToolCallsCamel,
  kToolNameCamel,
  kToolCallId,
  kToolCalls,
  kToolId,
  kToolName,
  kToolUses,
  kTruncated,
  kTurns,
  kType,
};
inline constexpr std::size_t kCallKeys = static_cast<std::size_t>(CallKey::kType) + 1;

class CallKeys {
 public:
  explicit CallKeys(const ShapeTable* shapes) : shapes_(shapes) {}

  // Forgets the shapes. REQUIRES: called for each batch.
  void Begin() {
    positions_.clear();
    latest_ = nullptr;
  }

  // RETURNS: the member; an absent value if it is missing or the value is not an object.
  ValueRef Member(ValueRef object, CallKey key);
  // Does the same, but returns an absent value if the member is null.
  ValueRef Given(ValueRef object, CallKey key);

  // Calls visit(key, value) for each member of an object.
  template <class Visit>
  void ForEachMember(ValueRef object, Visit visit) const {
    NodeId node = object.node + 1;
    for (const std::string_view key : shapes_->Keys(object.table->shape(object.node))) {
      visit(key, ValueRef{object.table, node});
      node = object.table->end(node);
    }
  }

  const ShapeTable& shapes() const { return *shapes_; }

 private:
  using Positions = std::array<std::uint32_t, kCallKeys>;

  // Sets `latest_` to the positions of a shape.
  void LookAt(ShapeId shape);

  const ShapeTable* shapes_;
  std::unordered_map<ShapeId, Positions> positions_;
  // The positions for the latest shape, because often many members of one object are looked up in turn.
  const Positions* latest_ = nullptr;
  ShapeId latest_shape_ = {};
};

// Tells whether a value is this text.
bool IsText(ValueRef value, std::string_view text);

// Calls visit(value) for each child of an array or object until it returns false. RETURNS: false if visit
// returned false.
template <class Visit>
bool ForEachChild(ValueRef container, Visit visit) {
  const LeafTable& table = *container.table;
  for (NodeId node = container.node + 1; node != table.end(container.node); node = table.end(node)) {
    if (!visit(ValueRef{&table, node})) return false;
  }
  return true;
}

inline bool IsArray(ValueRef value) { return value.present() && value.kind() == ValueKind::kArray; }
inline bool IsObject(ValueRef value) { return value.present() && value.kind() == ValueKind::kObject; }
inline std::uint64_t BytesOf(ValueRef value) { return value.table->token(value.node).size(); }
inline bool IsAnyText(ValueRef value) { return value.present() && IsString(value.kind()); }

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_TOOL_CALLS_CALL_KEYS_H_
