#include "engine/scorers/tool_calls/span_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

#include "engine/json/compact_text.h"

namespace leafscore::internal {
namespace {

enum Attribute : std::size_t {
  kOperation,
  kSpanKind,
  kGenAiName,
  kToolName,
  kGenAiArguments,
  kInputValue,
  kGenAiResult,
  kOutputValue,
  kToolIdAttribute,
  kSynthesized,
  kAttributes,
};
constexpr std::string_view kAttributeNames[kAttributes] = {
    "gen_ai.operation.name",
    "openinference.span.kind",
    "gen_ai.tool.name",
    "tool.name",
    "gen_ai.tool.call.arguments",
    "input.value",
    "gen_ai.tool.call.result",
    "output.value",
    "tool.id",
    "tool.synthesized",
};
constexpr std::string_view kExecuteTool = "execute_tool ";

ValueRef EitherOf(ValueRef first, ValueRef second) { return first.present() ? first : second; }

// Returns the value of an attribute as OTLP writes it: {"stringValue": ...}.
ValueRef OtlpValue(ValueRef any_value) {
  if (!IsObject(any_value) || any_value.table->end(any_value.node) == any_value.node + 1) return any_value;
  return {any_value.table, any_value.node + 1};
}

}  // namespace

struct SpanReader::Attributes {
  std::array<ValueRef, kAttributes> values = {};

  void Set(std::string_view key, ValueRef value) {
    const auto* const found = std::ranges::find(kAttributeNames, key);
    const bool is_given = value.present() && value.kind() != ValueKind::kNull;
    if (found != std::end(kAttributeNames) && is_given) {
      values[static_cast<std::size_t>(found - kAttributeNames)] = value;
    }
  }
};

const std::vector<ToolSpan>& SpanReader::Read(ValueRef list) {
  spans_.clear();
  ForEachChild(list, [&](ValueRef element) {
    const ValueRef scopes = keys_->Member(element, CallKey::kScopeSpans);
    if (scopes.present()) {
      AddResource(scopes);
    } else {
      AddSpan(element);
    }
    return true;
  });
  const bool all_started = std::ranges::all_of(spans_, [](const ToolSpan& s) { return s.start.has_value(); });
  if (all_started) std::ranges::stable_sort(spans_, {}, [](const ToolSpan& s) { return *s.start; });
  return spans_;
}

void SpanReader::AddResource(ValueRef scopes) {
  if (!IsArray(scopes)) return;
  ForEachChild(scopes, [&](ValueRef scope) {
    const ValueRef spans = keys_->Member(scope, CallKey::kSpans);
    if (IsArray(spans)) {
      ForEachChild(spans, [&](ValueRef span) {
        AddSpan(span);
        return true;
      });
    }
    return true;
  });
}

void SpanReader::AddSpan(ValueRef span) {
  const ValueRef given = keys_->Given(span, CallKey::kAttributes);
  Attributes attributes;
  if (IsObject(given)) {
    keys_->ForEachMember(given, [&](std::string_view key, ValueRef value) { attributes.Set(key, value); });
  } else if (IsArray(given)) {
    ForEachChild(given, [&](ValueRef pair) {
      if (!IsObject(pair)) return true;
      ValueRef key;
      ValueRef value;
      keys_->ForEachMember(pair, [&](std::string_view name, ValueRef member) {
        if (name == "key") key = member;
        if (name == "value") value = OtlpValue(member);
      });
      if (!IsAnyText(key)) return true;
      std::string text;
      AppendStringText(*key.table, key.node, text);
      attributes.Set(text, value);
      return true;
    });
  }
  const auto& values = attributes.values;
  const ValueRef span_name = keys_->Given(span, CallKey::kName);
  std::string name;
  if (IsAnyText(span_name)) AppendStringText(*span_name.table, span_name.node, name);
  const bool is_named_so = name.starts_with(kExecuteTool);
  const bool is_tool = IsText(values[kOperation], "execute_tool") || IsText(values[kSpanKind], "TOOL") ||
                       values[kToolName].present() || is_named_so;
  const ValueRef synthesized = values[kSynthesized];
  const bool is_made_up =
      synthesized.present() && (synthesized.kind() == ValueKind::kTrue || IsText(synthesized, "true"));
  if (!is_tool || is_made_up) return;
  ToolSpan& tool = spans_.emplace_back(ToolSpan{span});
  tool.name = EitherOf(values[kGenAiName], values[kToolName]);
  if (!tool.name.present() && is_named_so) {
    tool.name = span_name;
    tool.name_skips = kExecuteTool.size();
  }
  tool.arguments = EitherOf(values[kGenAiArguments], values[kInputValue]);
  tool.output = EitherOf(values[kGenAiResult], values[kOutputValue]);
  tool.tool_id = values[kToolIdAttribute];
  const ValueRef end = keys_->Given(span, CallKey::kEndTimeUnixNano);
  tool.is_open = end.present() && !IsContainer(end.kind()) && end.table->leaf_token(end.node) == "0";
  tool.start = StartOf(span);
}

// Returns the time at which a span began. It is given as a whole number, or as a text with a whole number.
std::optional<std::uint64_t> SpanReader::StartOf(ValueRef span) {
  const ValueRef time =
      EitherOf(keys_->Given(span, CallKey::kStartTimeUnixNano), keys_->Given(span, CallKey::kStartTime));
  if (!time.present() || (time.kind() != ValueKind::kNumber && time.kind() != ValueKind::kString)) {
    return std::nullopt;
  }
  const std::string_view token = time.table->leaf_token(time.node);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
  if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
  return value;
}

}  // namespace leafscore::internal
