// AgentV's evaluator `tool-trajectory` (@agentv/core 5.3.1-next.1, and its files of version 4.42).
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "engine/match/deep_equal.h"
#include "engine/scorers/field_accuracy/field_values.h"
#include "engine/scorers/tool_calls/origins.h"

namespace leafscore::internal {
namespace {

constexpr CallMode kAgentvModes[] = {CallMode::kExact, CallMode::kInOrder, CallMode::kSuperset,
                                     CallMode::kSubset, CallMode::kCounts};
constexpr std::string_view kAgentvOptions[] = {"args"};

// The requirements of an expected call.
struct AskedCall {
  std::string_view name;
  ValueRef arguments = {};
  bool takes_any = false;  // accepts any arguments
  ArgsRule args;
  std::optional<double> max_duration = {};
};

std::optional<double> NumberIn(const OriginSides& sides, ValueRef object, std::string_view key) {
  std::string buffer;
  const ValueRef value = MemberNamed(object, key, *sides.shapes);
  return value.present() && value.kind() == ValueKind::kNumber ? FieldNumber(value, buffer) : std::nullopt;
}

// Reads the rule for the arguments of an expected call. RETURNS: false if the rule has none of the known
// forms.
bool ReadArgs(const OriginSides& sides, ValueRef given, ArgsRule& args) {
  constexpr std::string_view kNames[] = {"exact", "superset", "subset", "ignore"};
  if (IsArray(given)) {
    args = {ArgsMode::kPaths, {}};
    return ForEachChild(given, [&](ValueRef path) {
      if (!IsAnyText(path)) return false;
      args.paths.push_back(TargetPath::ParseLoosely(sides.reader->TextOf(path)));
      return true;
    });
  }
  for (std::size_t m = 0; m < std::size(kNames); ++m) {
    if (!IsText(given, kNames[m])) continue;
    args = {static_cast<ArgsMode>(m), {}};
    return true;
  }
  return false;
}

std::optional<AskedCall> Asked(const OriginSides& sides, const ToolCall& call) {
  AskedCall asked{call.name, call.arguments, false, sides.rules->args.front()};
  const ValueRef arguments = MemberNamed(call.source, "arguments", *sides.shapes);
  const ValueRef args = MemberNamed(call.source, "args", *sides.shapes);
  asked.takes_any = IsText(arguments, "any");
  if (args.present() && !IsObject(args) && !ReadArgs(sides, args, asked.args)) return std::nullopt;
  if (call.bad_arguments && !asked.takes_any && arguments.present()) return std::nullopt;
  asked.max_duration = NumberIn(sides, call.source, "max_duration_ms");
  return asked;
}

ValueRef FollowKeys(const OriginSides& sides, ValueRef object, const TargetPath& path) {
  for (const TargetPath::Step& step : path.steps) object = MemberNamed(object, step.key, *sides.shapes);
  return object;
}

bool HasAll(const OriginSides& sides, ValueRef object, ValueRef members) {
  return AllMembers(members, *sides.shapes, [&](std::string_view key, ValueRef value) {
    const ValueRef given = MemberNamed(object, key, *sides.shapes);
    return given.present() && DeepEqual(value, given, *sides.walker);
  });
}

bool ArgumentsFit(const OriginSides& sides, const AskedCall& asked, const ToolCall& call) {
  if (!asked.arguments.present() || asked.takes_any || asked.args.mode == ArgsMode::kIgnore) return true;
  if (!call.has_arguments()) return false;
  switch (asked.args.mode) {
    case ArgsMode::kSuperset:
      return HasAll(sides, call.arguments, asked.arguments);
    case ArgsMode::kSubset:
      return HasAll(sides, asked.arguments, call.arguments);
    case ArgsMode::kPaths:
      return std::ranges::all_of(asked.args.paths, [&](const TargetPath& path) {
        const ValueRef wanted = FollowKeys(sides, asked.arguments, path);
        const ValueRef given = FollowKeys(sides, call.arguments, path);
        if (wanted.present() != given.present()) return false;
        return !wanted.present() || DeepEqual(wanted, given, *sides.walker);
      });
    default:
      return DeepEqual(asked.arguments, call.arguments, *sides.walker);
  }
}

// Counts hits. A call that matches is a hit. If its duration is limited and known, a duration within the
// limit is a further hit.
class Tally {
 public:
  explicit Tally(const OriginSides& sides) : sides_(sides) {}

  void Hit(const AskedCall& asked, const ToolCall& call) {
    ++hits_;
    if (!asked.max_duration) return;
    const std::optional<double> took = NumberIn(sides_, call.source, "duration_ms");
    if (took) {
      hits_ += *took <= *asked.max_duration;
    } else {
      ++unknown_;
    }
  }
  double Share(const std::vector<AskedCall>& asked) const {
    const auto timed = static_cast<std::size_t>(
        std::ranges::count_if(asked, [](const AskedCall& call) { return call.max_duration.has_value(); }));
    return ShareOf(hits_, asked.size() + timed - unknown_);
  }

 private:
  const OriginSides& sides_;
  std::size_t hits_ = 0;
  std::size_t unknown_ = 0;
};

OriginScore ScoreMinimums(const OriginSides& sides) {
  OriginScore result;
  std::size_t entries = 0;
  std::size_t held = 0;
  std::string buffer;
  AllMembers(sides.expected_value, *sides.shapes, [&](std::string_view name, ValueRef least) {
    const std::optional<double> number = FieldNumber(least, buffer);
    if (!number) result.expected_fault = "a minimum is a number of calls";
    const auto count =
        std::ranges::count_if(sides.actual, [&](const ToolCall& call) { return call.name == name; });
    ++entries;
    held += number && static_cast<double>(count) >= *number;
    return true;
  });
  result.score = entries == 0 ? 1 : ShareOf(held, entries);
  return result;
}

OriginScore ScoreAgentv(const OriginSides& sides) {
  if (sides.rules->mode == CallMode::kCounts) {
    if (!IsObject(sides.expected_value)) return {.expected_fault = "give a map from tools to minimums"};
    return ScoreMinimums(sides);
  }
  std::vector<AskedCall> asked;
  for (const ToolCall& call : sides.expected) {
    std::optional<AskedCall> read = Asked(sides, call);
    if (!read)
      return {.expected_fault =
                  "a call's arguments are an object or \"any\", and its args exact, superset, subset, ignore "
                  "or a list of paths"};
    asked.push_back(*std::move(read));
  }
  const auto& a = sides.actual;
  const bool is_subset = sides.rules->mode == CallMode::kSubset;
  if (asked.empty()) return {.score = is_subset && !a.empty() ? 0.0 : 1.0};
  const auto fits = [&](std::size_t e, std::size_t i) {
    return asked[e].name == a[i].name && ArgumentsFit(sides, asked[e], a[i]);
  };
  Tally tally(sides);
  std::size_t next = 0;
  switch (sides.rules->mode) {
    case CallMode::kSuperset:
      return {.score = ShareOf(CountGreedily(asked.size(), a.size(), fits), asked.size())};
    case CallMode::kSubset: {
      if (a.empty()) return {.score = 1};
      std::size_t fitting = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        bool any = false;
        for (std::size_t e = 0; e < asked.size() && !any; ++e) any = fits(e, i);
        fitting += any;
      }
      return {.score = ShareOf(fitting, a.size())};
    }
    case CallMode::kExact:
      for (std::size_t e = 0; e < std::min(asked.size(), a.size()); ++e) {
        if (fits(e, e)) tally.Hit(asked[e], a[e]);
      }
      return {.score = tally.Share(asked)};
    default:
      for (std::size_t e = 0; e < asked.size(); ++e) {
        while (next < a.size() && asked[e].name != a[next].name) ++next;
        if (next == a.size()) break;
        if (fits(e, next)) tally.Hit(asked[e], a[next]);
        ++next;
      }
      return {.score = tally.Share(asked)};
  }
}

}  // namespace

constinit const Origin kAgentvOrigin = {kAgentvModes, kAgentvOptions, false, ScoreAgentv};

}  // namespace leafscore::internal
