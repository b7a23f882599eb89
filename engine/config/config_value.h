// engine/config/config_value.h: a configuration as read, before its values have types. It is a small tree of
// plain values that owns its text and has line numbers for error messages. It does not depend on a parser;
// engine/config/config_parser.h builds it.
// THREADS: it does not change after reading, so any thread may read it.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_VALUE_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_VALUE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leafscore/error.h"

namespace leafscore::internal {

struct ConfigMember;

struct ConfigValue {
  enum class Kind { kNull, kScalar, kList, kMap };

  // RETURNS: the member with this key; null if there is none, or if this is not a map.
  const ConfigMember* Find(std::string_view key) const;

  Kind kind = Kind::kNull;
  bool quoted = false;                // scalar: written in quotes or as a block, so it is text
  int line = 1;                       // the line where the value begins, from 1
  std::string scalar;                 // the text as written, escapes resolved; numbers are not converted
  std::vector<ConfigValue> items;     // list
  std::vector<ConfigMember> members;  // map, in the order written; keys are unique
};

struct ConfigMember {
  std::string key;
  int line = 1;  // the line of the key
  ConfigValue value;
};

// Convert an unquoted scalar by the core schema of YAML 1.2.2, 10.3.2: true, True, TRUE; 12, 0x1F, 0o17,
// 1e-3, .inf.
// RETURNS: nullopt if the value is not a bool, or not a number in the range of double; never NaN.
std::optional<bool> AsBool(const ConfigValue& value);
std::optional<double> AsNumber(const ConfigValue& value);

// Makes the Error(kUsage) "<source>:<line>: <message>", or only the message if line is 0, which means that
// there is no file. `option` is the name of the option that the error is about.
Error ConfigError(std::string_view source_name, int line, std::string_view message,
                  std::string_view option = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_VALUE_H_
