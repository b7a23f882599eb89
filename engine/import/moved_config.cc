#include "engine/import/moved_config.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "engine/import/agentv_parts.h"
#include "engine/import/config_maker.h"

namespace leafscore::internal {
namespace {

namespace fs = std::filesystem;

ConfigValue* FindValueToChange(ConfigValue& map, std::string_view key) {
  const auto member = std::ranges::find(map.members, key, &ConfigMember::key);
  return member == map.members.end() ? nullptr : &member->value;
}

}  // namespace

void MoveScripts(const std::string& from, const std::string& to, ConfigValue& config) {
  const fs::path old_folder = FolderOfFile(from);
  const fs::path new_folder = FolderOfFile(to);
  ConfigValue* const scorers = FindValueToChange(config, "evaluators");
  if (old_folder == new_folder || scorers == nullptr) return;
  for (ConfigValue& scorer : scorers->items) {
    const ConfigValue* const type = FindValue(scorer, "type");
    ConfigValue* const scripts = FindValueToChange(scorer, "scripts");
    if (type == nullptr || type->scalar != "asserts" || scripts == nullptr) continue;
    for (ConfigMember& script : scripts->members) {
      ConfigValue* const cwd = FindValueToChange(script.value, "cwd");
      const fs::path folder = (old_folder / (cwd == nullptr ? "." : cwd->scalar)).lexically_normal();
      ConfigValue moved = MakeText(folder.lexically_relative(new_folder).string(), script.line);
      if (cwd != nullptr) {
        *cwd = std::move(moved);
      } else if (script.value.kind == ConfigValue::Kind::kMap) {
        AddMember("cwd", std::move(moved), script.value);
      }
    }
  }
}

}  // namespace leafscore::internal
