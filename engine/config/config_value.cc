#include "engine/config/config_value.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>
#include <utility>

namespace leafscore::internal {

const ConfigMember* ConfigValue::Find(std::string_view key) const {
  for (const ConfigMember& member : members) {
    if (member.key == key) return &member;
  }
  return nullptr;
}

std::optional<bool> AsBool(const ConfigValue& value) {
  if (value.kind != ConfigValue::Kind::kScalar || value.quoted) return std::nullopt;
  const std::string_view text = value.scalar;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

std::optional<double> AsNumber(const ConfigValue& value) {
  if (value.kind != ConfigValue::Kind::kScalar || value.quoted) return std::nullopt;
  std::string_view text = value.scalar;
  for (const auto& [prefix, base] : {std::pair{"0x", 16}, std::pair{"0o", 8}}) {
    if (!text.starts_with(prefix)) continue;
    std::uint64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), integer, base);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return static_cast<double>(integer);
  }
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  if (text == ".inf" || text == ".Inf" || text == ".INF") {
    number = std::numeric_limits<double>::infinity();
  } else {
    // from_chars would also accept a second sign, inf and nan.
    if (text.empty() || !(text[0] == '.' || (text[0] >= '0' && text[0] <= '9'))) return std::nullopt;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  }
  return negative ? -number : number;
}

Error ConfigError(std::string_view source_name, int line, std::string_view message, std::string_view option) {
  const std::string prefix = line == 0 ? "" : fmt::format("{}:{}: ", source_name, line);
  return Error(ErrorCode::kUsage, fmt::format("{}{}", prefix, message),
               {std::string(source_name), line, std::string(option)});
}

}  // namespace leafscore::internal
