// engine/import/agentv_parts.h: shared by the readers of AgentV's files: values by the types of YAML 1.2, and
// a search for files in a folder and the folders above it. Stateless.
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

// Returns whether a value is a text, not a number or bool.
inline bool IsText(const ConfigValue& value) {
  return value.kind == ConfigValue::Kind::kScalar && (value.quoted || (!AsBool(value) && !AsNumber(value)));
}

// Returns the number in a value, which may be null, as from FindValue.
inline std::optional<double> NumberIn(const ConfigValue* value) {
  return value == nullptr ? std::nullopt : AsNumber(*value);
}
inline bool IsTrue(const ConfigValue* value) { return value != nullptr && AsBool(*value) == true; }
inline bool IsFalse(const ConfigValue* value) { return value != nullptr && AsBool(*value) == false; }

// Returns the absolute path of the folder of a file; the current folder for "-".
std::string FolderOfFile(const std::string& path);

// Returns the absolute path of `relative` in a folder or in the nearest parent folder that contains it.
std::optional<std::string> FindUpward(std::string_view relative, const std::string& folder);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_AGENTV_PARTS_H_
