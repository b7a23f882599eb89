// engine/scorers/pattern_map.h: reads options that are maps from path patterns (engine/match/path_rules.h).
#ifndef LEAFSCORE_ENGINE_SCORERS_PATTERN_MAP_H_
#define LEAFSCORE_ENGINE_SCORERS_PATTERN_MAP_H_

#include <fmt/format.h>

#include <optional>
#include <string_view>

#include "engine/config/options.h"

namespace leafscore::internal {

// Calls read(pattern, value) for each member of a map. `value` is an OptionReader with one option of the
// given type: its name is the pattern, and its value is the member's value. ERRORS: Error(kUsage) if the
// option is not a map; the message shows `example`.
template <class Read>
void ForEachPattern(const OptionReader& options, std::string_view option, std::string_view type,
                    std::string_view example, Read read) {
  const std::optional<ConfigValue> map =
      options.GetMap(option, fmt::format("give a map from path patterns, such as {}", example));
  if (!map) return;
  for (const ConfigMember& member : map->members) {
    const OptionSpec specs[] = {{member.key, type, "none", ""}};
    ConfigValue one;
    one.kind = ConfigValue::Kind::kMap;
    one.members = {member};
    read(member.key, options.Nested(one, specs, option));
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_PATTERN_MAP_H_
