// engine/import/agentv_parts.h: what the readers of AgentV's files share: values by the types of YAML 1.2,
// and files that are sought from a folder upward. Stateless.
#ifndef LEAFSCORE_ENGINE_IMPORT_AGENTV_PARTS_H_
#define LEAFSCORE_ENGINE_IMPORT_AGENTV_PARTS_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "engine/config/config_value.h"

namespace leafscore::internal {

inline constexpr ConfigLimits kAgentVLimits{kMaxImportedBytes.default_value, kMaxImportedNodes.default_value,
                                            /*allows_aliases=*/true};

// Tells whether a value is a text: no number and no bool.
inline bool IsText(const ConfigValue& value) {
  return value.kind == ConfigValue::Kind::kScalar && (value.quoted || (!AsBool(value) && !AsNumber(value)));
}

// Of a value that may be null, as FindValue returns it.
inline std::optional<double> NumberIn(const ConfigValue* value) {
  return value == nullptr ? std::nullopt : AsNumber(*value);
}
inline bool IsTrue(const ConfigValue* value) { return value != nullptr && AsBool(*value) == true; }
inline bool IsFalse(const ConfigValue* value) { return value != nullptr && AsBool(*value) == false; }

// Returns the absolute path of the folder of a file; of "-", the current one.
std::string FolderOfFile(const std::string& path);

// Returns the absolute path of what has a relative path in a folder or, first come, in one of those above it.
std::optional<std::string> FindUpward(std::string_view relative, const std::string& folder);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_PARTS_H_
