#include "cli/scenario_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "cli/config_file.h"
#include "engine/base/suggest.h"
#include "engine/base/text_map.h"
#include "leafscore/error.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

using Profiles = std::map<std::string, std::string, std::less<>>;  // paths by name

bool IsProfile(const fs::path& path) {
  const std::string ending = path.extension();
  return ending == ".yaml" || ending == ".yml" || ending == ".json";
}

Profiles FindProfiles(const std::string& path) {
  Profiles found;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    found.emplace(fs::path(path).stem(), path);
    return found;
  }
  for (const auto& entry : fs::directory_iterator(path, error)) {
    if (IsProfile(entry.path())) found.emplace(entry.path().stem(), entry.path());
  }
  if (!found.empty()) return found;
  throw Error(ErrorCode::kUsage, "there is no profile (*.yaml, *.yml, *.json) in " + path);
}

// Appends the ids of a category.
void AppendIds(const std::string& path, std::string_view category, const ConfigValue& profile,
               std::vector<std::string>& ids) {
  constexpr char kShape[] = "a profile is a map of categories and their ids, as in fcc: [501, 502]";
  if (profile.kind != ConfigValue::Kind::kMap) throw ConfigError(path, profile.line, kShape);
  const ConfigMember* const member = profile.Find(category);
  if (member == nullptr) {
    std::vector<std::string_view> known;
    for (const ConfigMember& other : profile.members) known.emplace_back(other.key);
    throw ConfigError(path, profile.line, UnknownNameMessage("category", category, known));
  }
  if (member->value.kind == ConfigValue::Kind::kNull) return;  // none
  const bool is_list = member->value.kind == ConfigValue::Kind::kList;
  for (const ConfigValue& id : is_list ? member->value.items : std::vector<ConfigValue>{member->value}) {
    if (id.kind != ConfigValue::Kind::kScalar) throw ConfigError(path, id.line, kShape);
    ids.push_back(id.scalar);
  }
}

}  // namespace

std::vector<std::string> ResolveScenarioIds(const std::vector<std::string>& values,
                                            const std::string& profiles) {
  if (profiles.empty()) return values;
  const Profiles found = FindProfiles(profiles);
  std::vector<std::string> ids;
  bool any_selection = false;
  for (const std::string& value : values) {
    const std::size_t end = value.rfind('_');
    const auto profile = end == std::string::npos ? found.end() : found.find(value.substr(end + 1));
    if (profile == found.end()) {
      ids.push_back(value);
      continue;
    }
    any_selection = true;
    const ConfigValue map = ReadConfigFile(profile->second);
    for (std::size_t begin = 0; begin <= end;) {
      const std::size_t plus = std::min(value.find('+', begin), end);
      AppendIds(profile->second, std::string_view(value).substr(begin, plus - begin), map, ids);
      begin = plus + 1;
    }
  }
  if (!any_selection) {
    std::string names;
    for (const auto& [name, path] : found) names += (names.empty() ? "" : ", ") + name;
    throw Error(ErrorCode::kUsage,
                fmt::format("no --scenario-ids is a selection such as fcc_lite or fcc+fmsr_lite; the "
                            "profiles of {} are {}",
                            profiles, names));
  }
  if (ids.empty()) {  // would select every scenario
    throw Error(ErrorCode::kUsage,
                fmt::format("--scenario-ids {} selects nothing: its categories have no ids in {}",
                            QuoteForMessage(fmt::format("{}", fmt::join(values, ","))), profiles));
  }
  TextSet<std::string> seen;
  std::erase_if(ids, [&](const std::string& id) { return !seen.insert(id).second; });
  return ids;
}

}  // namespace leafscore::internal
