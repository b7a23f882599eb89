// engine/import/config_maker.h: makes values of a configuration. THREADS: safe.
#ifndef LEAFSCORE_ENGINE_IMPORT_CONFIG_MAKER_H_
#define LEAFSCORE_ENGINE_IMPORT_CONFIG_MAKER_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/config/config_value.h"

namespace leafscore::internal {

inline ConfigValue MakeScalar(std::string text, bool quoted, int line) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::kScalar;
  value.quoted = quoted;
  value.line = line;
  value.scalar = std::move(text);
  return value;
}

// Makes a text, never a number or bool.
inline ConfigValue MakeText(std::string text, int line = 1) {
  return MakeScalar(std::move(text), true, line);
}
inline ConfigValue MakeBool(bool value, int line = 1) {
  return MakeScalar(value ? "true" : "false", false, line);
}

inline ConfigValue MakeMap(int line = 1) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::kMap;
  value.line = line;
  return value;
}
inline ConfigValue MakeList(int line = 1) {
  ConfigValue value;
  value.kind = ConfigValue::Kind::kList;
  value.line = line;
  return value;
}

// Adds a member to a map that does not have its key; its line is the line of the value.
inline void AddMember(std::string_view key, ConfigValue value, ConfigValue& map) {
  const int line = value.line;
  map.members.push_back({std::string(key), line, std::move(value)});
}

// RETURNS: the value of a member, or null if there is none.
inline const ConfigValue* FindValue(const ConfigValue& map, std::string_view key) {
  const ConfigMember* const member = map.Find(key);
  return member == nullptr ? nullptr : &member->value;
}

// RETURNS: the configuration with these scorers, {evaluators: [...]}.
inline ConfigValue MakeConfig(std::vector<ConfigValue> scorers) {
  ConfigValue list = MakeList();
  list.items = std::move(scorers);
  ConfigValue root = MakeMap();
  AddMember("evaluators", std::move(list), root);
  return root;
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_IMPORT_CONFIG_MAKER_H_
