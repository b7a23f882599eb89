#include "engine/config/scorer_specs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "engine/base/suggest.h"
#include "engine/base/utf8.h"

namespace leafscore::internal {
namespace {

using Kind = ConfigValue::Kind;

constexpr std::string_view kTopLevelNames[] = {"evaluators", "scorers"};

const ConfigMember& FindList(const ConfigValue& root, const std::string& source_name) {
  constexpr std::string_view kShape = "write \"evaluators:\" and below it a list of {name, type, options...}";
  if (root.kind == Kind::kNull) {
    throw ConfigError(source_name, root.line, fmt::format("the configuration is empty; {}", kShape));
  }
  if (root.kind != Kind::kMap) {
    throw ConfigError(source_name, root.line, fmt::format("the configuration is not a map; {}", kShape));
  }
  const ConfigMember* list = nullptr;
  for (const ConfigMember& member : root.members) {
    if (std::find(std::begin(kTopLevelNames), std::end(kTopLevelNames), member.key) ==
        std::end(kTopLevelNames)) {
      throw ConfigError(source_name, member.line, UnknownNameMessage("member", member.key, kTopLevelNames));
    }
    if (list != nullptr) {
      throw ConfigError(source_name, member.line,
                        fmt::format("\"{}\" beside \"{}\" on line {}; they mean the same, join them",
                                    member.key, list->key, list->line));
    }
    list = &member;
  }
  if (list == nullptr || list->value.kind != Kind::kList || list->value.items.empty()) {
    throw ConfigError(source_name, list == nullptr ? root.line : list->line,
                      fmt::format("no scorers; {}", kShape));
  }
  return *list;
}

// Makes the error for a scorer without a type. It names the member that was probably meant as the type.
Error MissingType(const ConfigValue& entry, const std::string& source_name) {
  constexpr std::string_view kType[] = {"type"};
  for (const ConfigMember& member : entry.members) {
    if (NearestName(member.key, kType).empty()) continue;
    return ConfigError(
        source_name, member.line,
        fmt::format("a scorer without a type; did you mean \"type\" by {}?", QuoteForMessage(member.key)));
  }
  return ConfigError(source_name, entry.line,
                     "a scorer without a type; add one such as type: json_similarity");
}

}  // namespace

ScorerSpec ReadScorerSpec(const ConfigValue& entry, const std::string& source_name) {
  if (entry.kind != Kind::kMap) {
    throw ConfigError(source_name, entry.line, "a scorer must be a map such as {type: json_similarity}");
  }
  ScorerSpec spec;
  spec.line = entry.line;
  spec.options.kind = Kind::kMap;
  spec.options.line = entry.line;
  for (const ConfigMember& member : entry.members) {
    if (member.key != "name" && member.key != "type") {
      spec.options.members.push_back(member);
    } else if (member.value.kind != Kind::kScalar || member.value.scalar.empty()) {
      throw ConfigError(source_name, member.line, fmt::format("\"{}\" of a scorer must be text", member.key));
    } else {
      (member.key == "name" ? spec.name : spec.type) = member.value.scalar;
    }
  }
  if (spec.type.empty()) throw MissingType(entry, source_name);
  if (spec.name.empty()) spec.name = spec.type;
  return spec;
}

std::vector<ScorerSpec> ReadScorerSpecs(const ConfigValue& root, const std::string& source_name) {
  std::vector<ScorerSpec> specs;
  for (const ConfigValue& entry : FindList(root, source_name).value.items) {
    specs.push_back(ReadScorerSpec(entry, source_name));
  }
  CheckScorerSpecs(specs, source_name);
  return specs;
}

void CheckScorerSpecs(std::span<const ScorerSpec> specs, const std::string& source_name) {
  if (specs.empty()) throw ConfigError(source_name, 0, "no scorers; name at least one");
  std::map<std::string_view, int> lines;
  for (const ScorerSpec& spec : specs) {
    if (spec.name.find('\0') != std::string::npos ||
        FindInvalidUtf8(spec.name) != spec.name.size()) {  // no column can have this name
      throw ConfigError(
          source_name, spec.line,
          fmt::format("the name {} contains a NUL or is not UTF-8", QuoteForMessage(spec.name)));
    }
    const auto [first, is_new] = lines.emplace(spec.name, spec.line);
    if (is_new) continue;
    const std::string where = first->second == 0 ? "" : fmt::format(", the first on line {}", first->second);
    throw ConfigError(source_name, spec.line,
                      fmt::format("two scorers named {}{}; rename one", QuoteForMessage(spec.name), where));
  }
}

}  // namespace leafscore::internal
