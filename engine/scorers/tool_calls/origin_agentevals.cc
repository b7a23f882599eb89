// agentevals' trajectory matches (agentevals 0.0.9), which compare messages.
#include <string>
#include <vector>

#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kAgentevalsModes[] = {CallMode::kExact, CallMode::kAnyOrder, CallMode::kSuperset,
                                         CallMode::kSubset};
constexpr std::string_view kAgentevalsOptions[] = {"args", "tools"};

struct Message {
  std::string role;
  bool has_calls = false;  // also true for an empty list
  CallList calls;
};

std::vector<Message> MessagesOf(const OriginSides& sides, ValueRef value) {
  std::vector<Message> messages;
  const auto add = [&](ValueRef element) {
    Message& message = messages.emplace_back();
    const ValueRef role = MemberNamed(element, "role", *sides.shapes);
    if (IsAnyText(role)) message.role = sides.reader->TextOf(role);
    sides.reader->Read(element, message.calls);
    message.has_calls =
        !message.calls.calls.empty() || MemberNamed(element, "tool_calls", *sides.shapes).present();
    return true;
  };
  if (IsAnyText(value)) value = sides.reader->ReadJson(sides.reader->TextOf(value));
  if (!value.present()) return messages;
  const ValueRef listed = MemberNamed(value, "messages", *sides.shapes);
  if (IsArray(listed)) value = listed;
  IsArray(value) ? ForEachChild(value, add) : add(value);
  return messages;
}

ValueRef Follow(const OriginSides& sides, ValueRef object, const TargetPath& path) {
  for (const TargetPath::Step& step : path.steps) object = MemberNamed(object, step.key, *sides.shapes);
  return object.present() && object.kind() != ValueKind::kNull ? object : ValueRef{};
}

// Tells whether a call has all top-level arguments of another call, with equal values.
bool HasArgumentsOf(const OriginSides& sides, const ToolCall& call, const ToolCall& other) {
  return AllMembers(other.arguments, *sides.shapes, [&](std::string_view key, ValueRef value) {
    const ValueRef given = MemberNamed(call.arguments, key, *sides.shapes);
    return given.present() && sides.PyEqual(value, given);
  });
}

bool Fits(const OriginSides& sides, const ToolCall& call, const ToolCall& reference) {
  if (call.name != reference.name) return false;
  const ArgsRule& args = sides.rules->args[sides.rules->Of(call.name).args];
  switch (args.mode) {
    case ArgsMode::kIgnore:
      return true;
    case ArgsMode::kSuperset:
      return HasArgumentsOf(sides, call, reference);
    case ArgsMode::kSubset:
      return HasArgumentsOf(sides, reference, call);
    case ArgsMode::kPaths: {
      for (const TargetPath& path : args.paths) {
        const ValueRef given = Follow(sides, call.arguments, path);
        const ValueRef wanted = Follow(sides, reference.arguments, path);
        if (given.present() != wanted.present()) return false;
        if (given.present() && !sides.PyEqual(given, wanted)) return false;
      }
      return true;
    }
    default:
      return HasArgumentsOf(sides, call, reference) && HasArgumentsOf(sides, reference, call);
  }
}

using Calls = std::span<const ToolCall>;

// Tells whether each reference call finds a matching call of its own.
bool IsSuperset(const OriginSides& sides, Calls calls, Calls references) {
  return CountGreedily(references.size(), calls.size(), [&](std::size_t r, std::size_t c) {
           return Fits(sides, calls[c], references[r]);
         }) == references.size();
}

bool IsStrict(const OriginSides& sides) {
  const std::vector<Message> expected = MessagesOf(sides, sides.expected_value);
  const std::vector<Message> actual = MessagesOf(sides, sides.actual_value);
  if (expected.size() != actual.size()) return false;
  for (std::size_t m = 0; m < actual.size(); ++m) {
    if (expected[m].role != actual[m].role || expected[m].has_calls != actual[m].has_calls) return false;
    const Calls wanted = expected[m].calls.calls;
    const Calls given = actual[m].calls.calls;
    if (wanted.size() != given.size()) return false;
    const std::size_t found = CountGreedily(given.size(), wanted.size(), [&](std::size_t g, std::size_t w) {
      return Fits(sides, given[g], wanted[w]);
    });
    if (found != given.size()) return false;
  }
  return true;
}

OriginScore ScoreAgentevals(const OriginSides& sides) {
  for (const ToolCall& call : sides.expected) {
    if (call.bad_arguments) return {.expected_fault = "the arguments of a call are not a JSON object"};
  }
  for (const ToolCall& call : sides.actual) {
    if (call.bad_arguments) return {.actual_fault = "the arguments of a call are not a JSON object"};
  }
  bool passes = false;
  switch (sides.rules->mode) {
    case CallMode::kExact:
      passes = IsStrict(sides);
      break;
    case CallMode::kSuperset:
      passes = IsSuperset(sides, sides.actual, sides.expected);
      break;
    case CallMode::kSubset:
      passes = IsSuperset(sides, sides.expected, sides.actual);
      break;
    default:
      passes =
          IsSuperset(sides, sides.actual, sides.expected) && IsSuperset(sides, sides.expected, sides.actual);
  }
  return {.score = passes ? 1.0 : 0.0};
}

}  // namespace

constinit const Origin kAgentevalsOrigin = {kAgentevalsModes, kAgentevalsOptions, false, ScoreAgentevals};

}  // namespace leafscore::internal
