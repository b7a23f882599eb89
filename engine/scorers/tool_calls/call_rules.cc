#include "engine/scorers/tool_calls/call_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/scorers/normalise_options.h"
#include "engine/scorers/tool_calls/call_options.h"
#include "engine/scorers/tool_calls/name_pattern.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kCallModes[] = {"exact", "in_order", "any_order", "superset", "subset", "counts"};
constexpr std::string_view kArgsModes[] = {"exact", "superset", "subset", "ignore"};
constexpr std::string_view kExtraCalls[] = {"count", "free"};
constexpr std::string_view kAggregations[] = {"weighted_average", "all_or_nothing"};
constexpr std::string_view kCredits[] = {"whole", "each"};
constexpr std::string_view kDuplicates[] = {"count", "once"};
constexpr std::string_view kParallel[] = {"ordered", "unordered"};
constexpr std::string_view kOutputs[] = {"ignore", "exact"};
constexpr std::string_view kNameMatches[] = {"exact", "ignore_case", "pattern"};
constexpr std::string_view kMatches[] = {"exact", "numeric_tolerance", "date",  "fuzzy", "any_of", "regex",
                                         "text",  "present",           "ignore"};

constexpr OptionSpec kToolOptions[] = {
    kArgsOption,        kArgumentFieldsOption,
    kIgnorePathsOption, {"defaults", "map", "none", "arguments that a call may omit, with their values"},
    kCallOutputOption,  {"weight", "number", "1", "weight of the tool's calls; 0 leaves them out"},
};

constexpr OptionSpec kCallFieldOptions[] = {
    {"path", "text", "none", "path pattern of the arguments: city, items[*].price, **.date"},
    {"match", "exact, numeric_tolerance, date, fuzzy, any_of, regex, text, present or ignore", "exact",
     "how the two values are compared"},
    kFieldRequiredOption,
    kFieldArrayMatchOption,
    kFieldToleranceOption,
    kFieldRelativeOption,
    kFieldFormatsOption,
    kFieldAlgorithmOption,
    kFieldThresholdOption,
    kFieldNormaliseOption,
    {"values", "list", "none", "any_of: values that match besides the expected one"},
    {"pattern", "text", "the expected text", "regex: a regular expression of JavaScript"},
};

// The options that apply to only one kind of match.
constexpr std::pair<std::string_view, ArgumentMatch> kOptionsOfMatches[] = {
    {kFieldToleranceOption.name, ArgumentMatch::kNumericTolerance},
    {kFieldRelativeOption.name, ArgumentMatch::kNumericTolerance},
    {kFieldFormatsOption.name, ArgumentMatch::kDate},
    {kFieldAlgorithmOption.name, ArgumentMatch::kFuzzy},
    {kFieldThresholdOption.name, ArgumentMatch::kFuzzy},
    {kNormaliseOption.name, ArgumentMatch::kExact},
    {"values", ArgumentMatch::kAnyOf},
    {"pattern", ArgumentMatch::kRegex},
};

// The options that have an effect in the mode counts.
constexpr std::string_view kOptionsOfCounts[] = {"mode",
                                                 "tools",
                                                 "aggregation",
                                                 "name_match",
                                                 "ignore_tools",
                                                 "threshold",
                                                 "call_text",
                                                 "incomplete",
                                                 kTargetOutputKeyOption.name,
                                                 kDefaultExpectedOption.name};

std::string JsonOf(const ConfigValue& value) {
  std::string json;
  AppendConfigAsJson(value, json);
  return json;
}

}  // namespace

CallRules::CallRules(const OptionReader& options) {
  mode = static_cast<CallMode>(
      options.GetChoice("mode", static_cast<std::size_t>(CallMode::kAnyOrder), kCallModes));
  if (mode == CallMode::kCounts) {
    for (const OptionSpec& option : kToolCallsOptions) {
      const bool is_used = std::ranges::find(kOptionsOfCounts, option.name) != std::end(kOptionsOfCounts);
      if (!is_used && options.Has(option.name)) {
        throw options.MakeError(option.name, "it has no effect in mode: counts, which looks only at names");
      }
    }
  }
  extra_calls_free = options.GetChoice("extra_calls", 0, kExtraCalls) == 1;
  if (extra_calls_free && (mode == CallMode::kSuperset || mode == CallMode::kSubset)) {
    throw options.MakeError("extra_calls",
                            fmt::format("mode: {} already decides which calls are free; leave it out",
                                        kCallModes[static_cast<std::size_t>(mode)]));
  }
  all_or_nothing = options.GetChoice("aggregation", 0, kAggregations) == 1;
  each_argument = options.GetChoice("argument_credit", 0, kCredits) == 1;
  name_credit = options.GetNumber("name_credit", 0, 0, 1);
  duplicates_once = options.GetChoice("duplicates", 0, kDuplicates) == 1;
  parallel_unordered = options.GetChoice("parallel", 0, kParallel) == 1;
  expected_rules = options.GetBool("expected_rules", false);
  name_match = static_cast<NameMatch>(options.GetChoice("name_match", 0, kNameMatches));
  threshold = ReadThreshold(options);
  ignored_tools = options.GetTextList("ignore_tools");
  of_all.args = AddArgs(options);
  if (options.Has("fields")) of_all.fields = AddFields(options);
  if (options.Has(kIgnorePathsOption.name)) of_all.ignored = AddIgnored(options);
  of_all.compares_output = options.GetChoice("output", 0, kOutputs) == 1;
  ReadTools(options);
}

std::uint32_t CallRules::AddArgs(const OptionReader& options) {
  ArgsRule rule;
  const std::optional<ConfigValue> given = options.GetAny("args");
  if (given && given->kind == ConfigValue::Kind::kList) {
    rule.mode = ArgsMode::kPaths;
    for (const std::string& text : options.GetTextList("args")) {
      rule.paths.push_back(
          ReadPath(options, "args", text,
                   "\"" + text + "\" is not a path of an argument; write it like city or filter.date"));
    }
    if (rule.paths.empty())
      throw options.MakeError("args", "the list is empty; `ignore` compares no arguments");
  } else {
    rule.mode = static_cast<ArgsMode>(options.GetChoice("args", 0, kArgsModes));
  }
  args.push_back(std::move(rule));
  return static_cast<std::uint32_t>(args.size() - 1);
}

ArgumentField CallRules::ReadField(const OptionReader& field) {
  ArgumentField read;
  read.match = static_cast<ArgumentMatch>(field.GetChoice("match", 0, kMatches));
  for (const auto& [name, match] : kOptionsOfMatches) {
    if (read.match != match && field.Has(name)) {
      throw field.MakeError(name, fmt::format("it is for match: {}, but the match is {}",
                                              kMatches[static_cast<std::size_t>(match)],
                                              kMatches[static_cast<std::size_t>(read.match)]));
    }
  }
  ReadFieldComparison(field, /*is_2026_07=*/false, read.comparison);
  read.required = read.comparison.required;
  if (read.match <= ArgumentMatch::kFuzzy) {
    read.comparison.match = static_cast<FieldMatch>(read.match);
  } else if (field.Has("array_match")) {
    throw field.MakeError("array_match", "it is for match: exact, numeric_tolerance, date and fuzzy");
  }
  has_fuzzy |= read.match == ArgumentMatch::kFuzzy;
  if (read.match == ArgumentMatch::kAnyOf) {
    const std::optional<ConfigValue> values = field.GetAny("values");
    if (!values || values->kind != ConfigValue::Kind::kList) {
      throw field.MakeError("values", "give the list of values that match, too");
    }
    read.values_json = JsonOf(*values);
  }
  if (read.match == ArgumentMatch::kRegex && field.Has("pattern")) {
    auto regex = std::make_shared<JavaScriptRegex>(field.GetText("pattern", ""), "");
    if (regex->state() != JavaScriptRegex::State::kReady) {
      throw field.MakeError("pattern", "it is not a supported regular expression: " + regex->fault());
    }
    read.regex = std::move(regex);
  }
  return read;
}

std::uint32_t CallRules::AddFields(const OptionReader& options) {
  PathSet set;
  constexpr char kAdvice[] = "give a list of fields such as {path: city, match: text}";
  options.ForEachField(kCallFieldOptions, kAdvice, [&](const OptionReader& field) {
    const std::string path = field.GetText("path", "");
    if (path.empty())
      throw field.MakeError("path", "it does not name an argument; write it like city or items[*].price");
    set.paths.AddMark(field, "path", path, static_cast<std::uint32_t>(set.fields.size()));
    set.fields.push_back(ReadField(field));
  });
  path_sets.push_back(std::move(set));
  return static_cast<std::uint32_t>(path_sets.size() - 1);
}

std::uint32_t CallRules::AddIgnored(const OptionReader& options) {
  path_sets.push_back({PathRules::OnlyIgnored(options), {}});
  return static_cast<std::uint32_t>(path_sets.size() - 1);
}

void CallRules::ReadTools(const OptionReader& options) {
  const std::optional<ConfigValue> map = options.GetAny("tools");
  if (!map || map->kind == ConfigValue::Kind::kNull) return;
  if (map->kind != ConfigValue::Kind::kMap) {
    throw options.MakeError("tools", "give a map from tool names, such as {search: {args: [query]}}");
  }
  for (const ConfigMember& member : map->members) {
    const OptionReader tool =
        options.Nested(member.value, kToolOptions, "tool " + QuoteForMessage(member.key));
    ToolEntry& entry = tools_.emplace_back();
    entry.pattern = member.key;
    if (tool.Has("args")) entry.args = AddArgs(tool);
    if (tool.Has("fields")) entry.fields = AddFields(tool);
    if (tool.Has(kIgnorePathsOption.name)) entry.ignored = AddIgnored(tool);
    if (tool.Has("output")) entry.compares_output = tool.GetChoice("output", 0, kOutputs) == 1;
    constexpr double kMost = 1e12;  // so that sums stay finite
    if (tool.Has("weight")) entry.weight = tool.GetNumber("weight", 1, 0, kMost);
    constexpr char kDefaultsAdvice[] = "give a map from arguments to values, such as {limit: 10}";
    if (const std::optional<ConfigValue> defaults = tool.GetMap("defaults", kDefaultsAdvice)) {
      defaults_json.push_back(JsonOf(*defaults));
      entry.defaults = static_cast<std::uint32_t>(defaults_json.size() - 1);
    }
    const bool compares =
        entry.args || entry.fields || entry.ignored || entry.defaults || entry.compares_output;
    if (mode == CallMode::kCounts && compares) {
      throw options.MakeError("tools", "in mode: counts, only the weight of a tool has an effect");
    }
  }
}

ToolRules CallRules::Of(std::string_view tool) const {
  ToolRules rules = of_all;
  for (const ToolEntry& entry : tools_) {
    if (!FitsNamePattern(tool, entry.pattern)) continue;
    if (entry.args) rules.args = *entry.args;
    if (entry.fields) rules.fields = *entry.fields;
    if (entry.ignored) rules.ignored = *entry.ignored;
    if (entry.defaults) rules.defaults = *entry.defaults;
    if (entry.compares_output) rules.compares_output = *entry.compares_output;
    if (entry.weight) rules.weight = *entry.weight;
  }
  return rules;
}

bool CallRules::Ignores(std::string_view tool) const {
  return std::ranges::any_of(ignored_tools,
                             [&](const std::string& pattern) { return FitsNamePattern(tool, pattern); });
}

bool CallRules::NamesMatch(std::string_view expected, std::string_view actual) const {
  if (expected == actual) return true;
  if (name_match == NameMatch::kExact) return false;
  if (name_match == NameMatch::kPattern) return FitsNamePattern(actual, expected);
  std::string folded(expected);
  std::string other(actual);
  FoldCase(folded);
  FoldCase(other);
  return folded == other;
}

bool CallRules::pairs_by_equality() const {
  return std::ranges::all_of(args, [](const ArgsRule& rule) { return rule.mode == ArgsMode::kExact; }) &&
         !each_argument && path_sets.empty() && defaults_json.empty() && !expected_rules;
}

}  // namespace leafscore::internal
