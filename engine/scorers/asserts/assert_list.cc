#include "engine/scorers/asserts/assert_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"
#include "engine/languages/javascript_text.h"
#include "engine/scorers/registry.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

struct AssertType {
  std::string_view name;
  AssertKind kind;
  bool ignore_case = false;
};

constexpr AssertType kTypes[] = {
    {"contains", AssertKind::kContains},
    {"contains-any", AssertKind::kContainsAny},
    {"contains-all", AssertKind::kContainsAll},
    {"icontains", AssertKind::kContains, true},
    {"icontains-any", AssertKind::kContainsAny, true},
    {"icontains-all", AssertKind::kContainsAll, true},
    {"starts-with", AssertKind::kStartsWith},
    {"ends-with", AssertKind::kEndsWith},
    {"equals", AssertKind::kEquals},
    {"regex", AssertKind::kRegex},
    {"is-json", AssertKind::kIsJson},
    {"field-accuracy", AssertKind::kFieldAccuracy},
    {"script", AssertKind::kScript},
    {"assert-set", AssertKind::kSet},
    {"unavailable", AssertKind::kUnavailable},
    {"trajectory:tool-used", AssertKind::kTrajectory},
    {"trajectory:tool-sequence", AssertKind::kTrajectory},
    {"trajectory:tool-args-match", AssertKind::kTrajectory},
    {"trajectory:step-count", AssertKind::kTrajectory},
    {"not-trajectory:tool-used", AssertKind::kTrajectory},
    {"not-trajectory:tool-sequence", AssertKind::kTrajectory},
    {"not-trajectory:tool-args-match", AssertKind::kTrajectory},
    {"not-trajectory:step-count", AssertKind::kTrajectory},
};

constexpr OptionSpec kCommonOptions[] = {
    {"type", "name", "none", "the kind of assert"},
    {"name", "text", "the type and value", "name of the assert in the details"},
    {"weight", "number from 0", "1", "weight in the weighted mean"},
    {"required", "bool", "false", "the test scores 0 unless this assert scores at least min_score"},
    {"min_score", "number from 0 to 1", "the test's threshold", "least score of a required assert"},
    {"negate", "bool", "false", "take 1 - score and the opposite verdict"},
};
constexpr OptionSpec kValueOptions[] = {{"value", "text or list of texts", "none", "text to look for"}};
constexpr OptionSpec kRegexOptions[] = {{"value", "text", "none", "a regular expression of JavaScript"},
                                        {"flags", "text", "none", "flags of the regular expression"}};
constexpr OptionSpec kFieldAssertOptions[] = {
    {"fields", "list of maps", "none", "fields as in field_accuracy, revision 2026-07"},
    {"aggregation", "weighted_average or all_or_nothing", "weighted_average",
     "how fields are combined into the score"}};
constexpr OptionSpec kScriptAssertOptions[] = {
    {"script", "text", "none", "the name of one of the scorer's scripts"}};
constexpr OptionSpec kTrajectoryOptions[] = {
    {"value", "text, list or map", "none", "expected tool calls, as written for AgentV"}};
constexpr OptionSpec kSetOptions[] = {
    {"asserts", "list of maps", "none", "the asserts of the set"},
    kThresholdOption.WithDefault("none").WithHelp("score from which the set passes")};
constexpr OptionSpec kUnavailableOptions[] = {
    {"stands_for", "name", "none", "the type that is not supported here"},
    {"reason", "text", "none", "why not"},
    {"was", "any value", "none", "the original value"}};

std::span<const OptionSpec> OwnOptions(AssertKind kind) {
  switch (kind) {
    case AssertKind::kIsJson:
      return {};
    case AssertKind::kRegex:
      return kRegexOptions;
    case AssertKind::kFieldAccuracy:
      return kFieldAssertOptions;
    case AssertKind::kScript:
      return kScriptAssertOptions;
    case AssertKind::kSet:
      return kSetOptions;
    case AssertKind::kUnavailable:
      return kUnavailableOptions;
    case AssertKind::kTrajectory:
      return kTrajectoryOptions;
    default:
      return kValueOptions;
  }
}

const AssertType& FindType(const ConfigValue& item, const std::string& owner, const std::string& source) {
  const ConfigMember* const type = item.Find("type");
  if (type == nullptr || type->value.kind != ConfigValue::Kind::kScalar) {
    throw ConfigError(source, item.line, owner + ": an assert needs a type, such as contains");
  }
  const auto known = std::ranges::find(kTypes, type->value.scalar, &AssertType::name);
  if (known == std::end(kTypes)) {
    std::vector<std::string_view> names;
    for (const AssertType& each : kTypes) names.push_back(each.name);
    throw ConfigError(source, type->line,
                      owner + ": " + UnknownNameMessage("assert type", type->value.scalar, names));
  }
  return *known;
}

bool Trims(AssertKind kind) {
  return kind == AssertKind::kStartsWith || kind == AssertKind::kEndsWith || kind == AssertKind::kEquals;
}

void ReadValues(const OptionReader& options, Assert& read) {
  const bool several = read.kind == AssertKind::kContainsAny || read.kind == AssertKind::kContainsAll;
  read.values = options.GetTextList("value");
  if (read.values.empty()) throw options.MakeError("value", "give the text to look for");
  if (!several && options.GetAny("value")->kind == ConfigValue::Kind::kList) {
    throw options.MakeError("value", "it is a list; only contains-any and contains-all take a list");
  }
  for (std::string& value : read.values) {
    if (read.ignore_case) ToLowerCase(value);
    if (Trims(read.kind)) value = std::string(JavaScriptTrim(value));
  }
}

void ReadRegex(const OptionReader& options, Assert& read) {
  if (!options.Has("value")) throw options.MakeError("value", "give the text to look for");
  read.values = {options.GetText("value", "")};
  read.regex = std::make_unique<JavaScriptRegex>(read.values[0], options.GetText("flags", ""));
  if (read.regex->state() == JavaScriptRegex::State::kUnsupported) {
    throw options.MakeError("value",
                            fmt::format("the pattern is not supported here: {}", read.regex->fault()));
  }
}

void ReadFields(const OptionReader& options, const std::string& owner, const std::string& source,
                Assert& read) {
  ConfigValue map;
  map.kind = ConfigValue::Kind::kMap;
  map.members.push_back({std::string(kRevisionOption.name), 0, TextValue("2026-07")});
  for (const OptionSpec& option : kFieldAssertOptions) {
    if (const auto value = options.GetAny(option.name)) {
      map.members.push_back({std::string(option.name), value->line, *value});
    }
  }
  const std::vector<OptionSpec> known = ScorerTypeOptions(kFieldAccuracyScorer);
  read.fields = kFieldAccuracyScorer.make(OptionReader(map, known, owner, source));
}

Assert ReadAssert(const ConfigValue& item, const ScriptsByName& scripts, const std::string& owner,
                  const std::string& source) {
  const AssertType& type = FindType(item, owner, source);
  std::vector<OptionSpec> specs(std::begin(kCommonOptions), std::end(kCommonOptions));
  const auto own = OwnOptions(type.kind);
  specs.insert(specs.end(), own.begin(), own.end());
  const OptionReader options(item, specs, owner, source);
  constexpr double kMost = 1e100;
  Assert read;
  read.kind = type.kind;
  read.type = type.name;
  read.ignore_case = type.ignore_case;
  const std::optional<ConfigValue> value =
      OwnOptions(type.kind).data() == kValueOptions || type.kind == AssertKind::kRegex
          ? options.GetAny("value")
          : std::nullopt;
  read.name = options.GetText("name", DefaultAssertName(type.name, value ? &*value : nullptr));
  read.weight = options.GetNumber("weight", 1, 0, kMost);
  read.required = options.GetBool("required", false);
  if (options.Has("min_score")) read.min_score = options.GetNumber("min_score", 0, 0, 1);
  read.negate = options.GetBool("negate", false);
  switch (type.kind) {
    case AssertKind::kIsJson:
      break;
    case AssertKind::kRegex:
      ReadRegex(options, read);
      break;
    case AssertKind::kFieldAccuracy:
      ReadFields(options, owner, source, read);
      break;
    case AssertKind::kScript: {
      const auto script = scripts.find(options.GetText("script", ""));
      if (script == scripts.end()) {
        throw options.MakeError("script",
                                "the scorer has no script of that name; a test cannot bring its own");
      }
      read.script = &script->second;
      break;
    }
    case AssertKind::kSet:
      if (options.Has(kThresholdOption.name)) read.threshold = ReadThreshold(options);
      read.members = ReadAsserts(options.GetAny("asserts").value_or(ConfigValue{}), scripts, owner, source);
      break;
    case AssertKind::kTrajectory: {
      TrajectoryType trajectory = *TrajectoryTypeOf(type.name);
      trajectory.inverse |= read.negate;
      read.trajectory = ReadTrajectoryAssert(trajectory, options.GetAny("value").value_or(ConfigValue{}));
      read.negate = false;  // already applied
      break;
    }
    case AssertKind::kUnavailable:
      read.type = options.GetText("stands_for", "unavailable");
      read.reason = options.GetText("reason", "it is not supported here");
      break;
    default:
      ReadValues(options, read);
  }
  return read;
}

}  // namespace

std::vector<Assert> ReadAsserts(const ConfigValue& list, const ScriptsByName& scripts,
                                const std::string& owner, const std::string& source) {
  if (list.kind != ConfigValue::Kind::kList || list.items.empty()) {
    throw ConfigError(source, list.line,
                      owner + ": give a list of asserts such as {type: contains, value: yes}");
  }
  std::vector<Assert> asserts;
  for (const ConfigValue& item : list.items) {
    if (item.kind != ConfigValue::Kind::kMap) {
      throw ConfigError(source, item.line,
                        owner + ": an assert is a map such as {type: contains, value: yes}");
    }
    asserts.push_back(
        ReadAssert(item, scripts, fmt::format("{}, assert {}", owner, asserts.size() + 1), source));
  }
  return asserts;
}

std::string DefaultAssertName(std::string_view type, const ConfigValue* value) {
  constexpr std::size_t kMostRegexCharacters = 30;
  if (value == nullptr) return std::string(type);
  if (value->kind == ConfigValue::Kind::kList) return fmt::format("{}-{}", type, value->items.size());
  std::string_view text = value->scalar;
  if (type == "regex") {
    std::size_t end = 0;
    for (std::size_t units = 0; end < text.size() && units < kMostRegexCharacters; ++units) {
      units += static_cast<unsigned char>(text[end]) >= 0xF0 ? 1 : 0;  // two units of UTF-16
      end = CodePointEnd(text, end);
    }
    text = text.substr(0, end);
  }
  return fmt::format("{}-{}", type, text);
}

}  // namespace leafscore::internal
