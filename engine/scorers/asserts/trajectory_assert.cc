#include "engine/scorers/asserts/trajectory_assert.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/config/config_json.h"
#include "engine/json/compact_text.h"
#include "engine/json/json_scalar.h"
#include "engine/languages/python_text.h"
#include "engine/scorers/tool_calls/call_reader.h"
#include "engine/scorers/tool_calls/name_pattern.h"
#include "engine/scorers/tool_calls/tool_call.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

std::string InLowerCase(std::string_view text) {
  std::string lower(text);
  ToLowerCase(lower);
  return lower;
}

const ConfigValue* MemberIn(const ConfigValue& map, std::string_view key) {
  const ConfigMember* const member = map.Find(key);
  return member != nullptr && member->value.kind != Kind::kNull ? &member->value : nullptr;
}

// Adds the pattern in a text, or in a map with `pattern` or `name`. RETURNS: false for any other value.
bool AddPattern(const ConfigValue& value, std::vector<std::string>& patterns) {
  const ConfigValue* text = &value;
  if (value.kind == Kind::kMap) {
    text = MemberIn(value, "pattern");
    if (text == nullptr) text = MemberIn(value, "name");
  }
  if (text == nullptr || text->kind != Kind::kScalar || text->scalar.empty()) return false;
  patterns.push_back(InLowerCase(text->scalar));
  return true;
}

bool ReadBounds(const ConfigValue& map, TrajectoryAssert& read) {
  for (const auto& [name, bound] : {std::pair("min", &read.min), std::pair("max", &read.max)}) {
    const ConfigValue* const given = MemberIn(map, name);
    if (given == nullptr) continue;
    const std::optional<double> number = AsNumber(*given);
    if (!number) return false;
    *bound = *number;
  }
  return true;
}

bool ReadList(const ConfigValue& list, TrajectoryAssert& read) {
  return list.kind == Kind::kList && !list.items.empty() &&
         std::ranges::all_of(list.items,
                             [&](const ConfigValue& item) { return AddPattern(item, read.patterns); });
}

bool ReadUsed(const ConfigValue& value, TrajectoryAssert& read) {
  if (value.kind == Kind::kList) return ReadList(value, read);
  read.counts = value.kind == Kind::kMap;
  return AddPattern(value, read.patterns) && (!read.counts || ReadBounds(value, read));
}

bool ReadSequence(const ConfigValue& value, TrajectoryAssert& read) {
  if (value.kind != Kind::kMap) return ReadList(value, read);
  const ConfigValue* const mode = MemberIn(value, "mode");
  const ConfigValue* const steps = MemberIn(value, "steps");
  read.exact = mode != nullptr && mode->scalar == "exact";
  return steps != nullptr && ReadList(*steps, read);
}

bool ReadArguments(const ConfigValue& value, TrajectoryAssert& read) {
  if (value.kind != Kind::kMap || !AddPattern(value, read.patterns)) return false;
  const ConfigValue* args = MemberIn(value, "args");
  if (args == nullptr) args = MemberIn(value, "arguments");
  if (args == nullptr || args->kind != Kind::kMap) return false;
  AppendConfigAsJson(*args, read.args_json);
  const ConfigValue* const mode = MemberIn(value, "mode");
  read.exact = mode != nullptr && mode->scalar == "exact";
  if (mode != nullptr && !read.exact && mode->scalar != "partial") return false;
  if (const ConfigValue* const ignored = MemberIn(value, "ignore")) {
    const bool fits =
        ignored->kind == Kind::kList ? ReadList(*ignored, read) : AddPattern(*ignored, read.patterns);
    if (!fits) return false;
    for (std::size_t i = 1; i < read.patterns.size(); ++i) read.ignored.push_back(read.patterns[i]);
    read.patterns.resize(1);
  }
  if (const ConfigValue* const defaults = MemberIn(value, "defaults")) {
    if (defaults->kind != Kind::kMap) return false;
    AppendConfigAsJson(*defaults, read.defaults_json);
  }
  return true;
}

bool ReadCount(const ConfigValue& value, TrajectoryAssert& read) {
  if (value.kind != Kind::kMap) return false;
  const ConfigValue* const type = MemberIn(value, "type");
  read.of_commands = type != nullptr && type->scalar == "command";
  read.min = 0;
  if (type == nullptr || (!read.of_commands && type->scalar != "tool")) return false;
  if (const ConfigValue* const pattern = MemberIn(value, "pattern")) {
    if (!AddPattern(*pattern, read.patterns)) return false;
  }
  return ReadBounds(value, read);
}

// A call, or a shell command.
struct Step {
  const ToolCall* call;
  bool is_command = false;
  std::vector<std::string> names = {};  // in lower case
};

ValueRef MemberWith(ValueRef object, std::string_view key, CallReader& reader) {
  ValueRef found;
  if (!IsObject(object)) return found;
  reader.keys().ForEachMember(object, [&](std::string_view name, ValueRef value) {
    if (name == key) found = value;
  });
  return found;
}

Step StepOf(const ToolCall& call, CallReader& reader) {
  constexpr std::string_view kShells[] = {"shell", "local_shell", "exec_command"};
  Step step{&call};
  std::string command;
  if (std::ranges::find(kShells, call.name) != std::end(kShells)) {
    for (const std::string_view key : {"cmd", "command", "commands"}) {
      const ValueRef value = MemberWith(call.arguments, key, reader);
      if (IsAnyText(value)) {
        command = reader.TextOf(value);
      } else if (IsArray(value)) {
        ForEachChild(value, [&](ValueRef word) {
          if (!command.empty()) command += ' ';
          if (IsAnyText(word)) command += reader.TextOf(word);
          return true;
        });
      }
      if (!command.empty()) break;
    }
  }
  step.is_command = !command.empty();
  if (step.is_command) {
    const std::string_view words = StripSpace(command);
    step.names = {InLowerCase(words), InLowerCase(words.substr(0, words.find(' ')))};
  }
  step.names.push_back(InLowerCase(call.name));
  return step;
}

bool Fits(const Step& step, const std::string& pattern) {
  return std::ranges::any_of(step.names,
                             [&](const std::string& name) { return FitsNamePattern(name, pattern); });
}

// Tells whether two values are equal; 0 does not equal -0. With `partial`, objects may have more keys.
bool FitsValue(ValueRef wanted, ValueRef given, bool partial, CallReader& reader) {
  if (IsAnyText(wanted) || IsAnyText(given)) {
    return IsAnyText(wanted) && IsAnyText(given) && reader.TextOf(wanted) == reader.TextOf(given);
  }
  if (wanted.kind() != given.kind()) return false;
  if (wanted.kind() == ValueKind::kNumber) {
    const double a = ParseNumber(wanted.table->leaf_token(wanted.node));
    const double b = ParseNumber(given.table->leaf_token(given.node));
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
  }
  if (!IsContainer(wanted.kind())) return true;
  if (wanted.kind() == ValueKind::kArray) {
    std::vector<ValueRef> wanted_items;
    std::vector<ValueRef> given_items;
    ListChildren(wanted, wanted_items);
    ListChildren(given, given_items);
    return std::ranges::equal(wanted_items, given_items,
                              [&](ValueRef a, ValueRef b) { return FitsValue(a, b, partial, reader); });
  }
  bool fits = true;
  std::size_t count = 0;
  reader.keys().ForEachMember(wanted, [&](std::string_view key, ValueRef value) {
    const ValueRef other = MemberWith(given, key, reader);
    fits = fits && other.present() && FitsValue(value, other, partial, reader);
    ++count;
  });
  if (!partial) reader.keys().ForEachMember(given, [&](std::string_view, ValueRef) { --count; });
  return fits && (partial || count == 0);
}

bool ArgumentsFit(const TrajectoryAssert& rule, ValueRef given, CallReader& reader) {
  const ValueRef wanted = reader.ReadJson(rule.args_json);
  const ValueRef defaults = rule.defaults_json.empty() ? ValueRef{} : reader.ReadJson(rule.defaults_json);
  const auto is_ignored = [&](std::string_view key) {
    const std::string lower = InLowerCase(key);
    return std::ranges::any_of(rule.ignored,
                               [&](const std::string& pattern) { return FitsNamePattern(lower, pattern); });
  };
  const auto is_default = [&](std::string_view key, ValueRef value) {
    const ValueRef standard = MemberWith(defaults, key, reader);
    return standard.present() && FitsValue(standard, value, /*partial=*/false, reader);
  };
  bool fits = true;
  reader.keys().ForEachMember(wanted, [&](std::string_view key, ValueRef value) {
    if (is_ignored(key)) return;
    const ValueRef other = MemberWith(given, key, reader);
    fits = fits && other.present() && !is_default(key, other) && FitsValue(value, other, !rule.exact, reader);
  });
  if (!rule.exact) return fits;
  reader.keys().ForEachMember(given, [&](std::string_view key, ValueRef value) {
    if (!is_ignored(key) && !is_default(key, value)) fits = fits && MemberWith(wanted, key, reader).present();
  });
  return fits;
}

// Returns the time at which a call began, as a number or a text.
ValueRef StartOf(const ToolCall& call, CallReader& reader) {
  const ValueRef start = MemberWith(call.source, "start_time", reader);
  const bool has_one = start.present() && (start.kind() == ValueKind::kNumber || IsAnyText(start));
  return has_one ? start : ValueRef{};
}

bool BeganBefore(ValueRef a, ValueRef b, CallReader& reader) {
  if (!a.present() || !b.present()) return false;
  if (a.kind() == ValueKind::kNumber && b.kind() == ValueKind::kNumber) {
    return ParseNumber(a.table->leaf_token(a.node)) < ParseNumber(b.table->leaf_token(b.node));
  }
  return IsAnyText(a) && IsAnyText(b) && reader.TextOf(a) < reader.TextOf(b);
}

std::vector<Step> StepsOf(std::span<const ToolCall> calls, CallReader& reader) {
  std::vector<Step> steps;
  std::vector<ValueRef> starts;
  for (const ToolCall& call : calls) {
    steps.push_back(StepOf(call, reader));
    starts.push_back(StartOf(call, reader));
    // Two calls are not swapped if one of them has no time. Such an order is not a strict weak order, so
    // std::sort cannot be used.
    for (std::size_t i = steps.size() - 1; i > 0 && BeganBefore(starts[i], starts[i - 1], reader); --i) {
      std::swap(steps[i], steps[i - 1]);
      std::swap(starts[i], starts[i - 1]);
    }
  }
  return steps;
}

}  // namespace

std::optional<TrajectoryType> TrajectoryTypeOf(std::string_view type) {
  constexpr std::string_view kNot = "not-";
  constexpr std::string_view kTrajectoryTypes[] = {"trajectory:tool-used", "trajectory:tool-sequence",
                                                   "trajectory:tool-args-match", "trajectory:step-count"};
  const bool inverse = type.starts_with(kNot);
  if (inverse) type.remove_prefix(kNot.size());
  const auto found = std::ranges::find(kTrajectoryTypes, type);
  if (found == std::end(kTrajectoryTypes)) return std::nullopt;
  return TrajectoryType{static_cast<TrajectoryKind>(found - std::begin(kTrajectoryTypes)), inverse};
}

TrajectoryAssert ReadTrajectoryAssert(TrajectoryType type, const ConfigValue& value) {
  constexpr std::string_view kFaults[] = {"its value is a name, a list of names or {name, min, max}",
                                          "its value is a list of names or {mode, steps}",
                                          "its value is {name, args, mode, ignore, defaults}",
                                          "its value is {type: tool or command, min, max, pattern}"};
  constexpr auto kReaders = std::to_array({ReadUsed, ReadSequence, ReadArguments, ReadCount});
  TrajectoryAssert read{.kind = type.kind, .inverse = type.inverse};
  const auto number = static_cast<std::size_t>(type.kind);
  if (!kReaders[number](value, read)) read.fault = kFaults[number];
  return read;
}

bool PassesTrajectory(const TrajectoryAssert& rule, std::span<const ToolCall> calls, CallReader& reader) {
  std::vector<Step> steps = StepsOf(calls, reader);
  const bool of_commands = rule.kind == TrajectoryKind::kStepCount && rule.of_commands;
  std::erase_if(steps, [&](const Step& step) { return step.is_command != of_commands; });
  const auto count_of = [&](const std::string& pattern) {
    return std::ranges::count_if(steps, [&](const Step& step) { return Fits(step, pattern); });
  };
  const auto is_within = [&](auto count) {
    return static_cast<double>(count) >= rule.min && static_cast<double>(count) <= rule.max;
  };
  const auto is_used = [&](const std::string& pattern) { return count_of(pattern) > 0; };
  bool passes = false;
  switch (rule.kind) {
    case TrajectoryKind::kToolUsed:
      if (rule.counts) {
        passes = is_within(count_of(rule.patterns[0]));
      } else if (rule.inverse) {
        return std::ranges::none_of(rule.patterns, is_used);
      } else {
        passes = std::ranges::all_of(rule.patterns, is_used);
      }
      break;
    case TrajectoryKind::kToolSequence:
      if (rule.exact) {
        passes = std::ranges::equal(steps, rule.patterns, Fits);
      } else {
        std::size_t next = 0;
        for (const Step& step : steps) {
          if (next < rule.patterns.size() && Fits(step, rule.patterns[next])) ++next;
        }
        passes = next == rule.patterns.size();
      }
      break;
    case TrajectoryKind::kToolArgs:
      passes = std::ranges::any_of(steps, [&](const Step& step) {
        return step.call->has_arguments() && Fits(step, rule.patterns[0]) &&
               ArgumentsFit(rule, step.call->arguments, reader);
      });
      break;
    case TrajectoryKind::kStepCount:
      passes = is_within(rule.patterns.empty() ? static_cast<std::ptrdiff_t>(steps.size())
                                               : count_of(rule.patterns[0]));
      break;
  }
  return passes != rule.inverse;
}

}  // namespace leafscore::internal
