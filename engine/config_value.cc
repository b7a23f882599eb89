#include "engine/config_value.h"

#include <fmt/format.h>

namespace leafscore {

const ConfigMember* ConfigValue::Find(std::string_view key) const {
  for (const ConfigMember& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

Error ConfigError(std::string_view source_name, int line, std::string_view message) {
  const std::string place = line == 0 ? "" : fmt::format("{}:{}: ", source_name, line);
  return Error(ErrorCode::kUsage, fmt::format("{}{}", place, message));
}

}  // namespace leafscore
