// engine/config/config_value.h: a configuration as read, before anything gives its values a type.
// A small tree of plain values that owns all its text and remembers its lines for error messages. It depends
// on no parser; engine/config/config_parser.h makes one. Not changed after reading, so any thread may read
// it.
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

  // RETURNS: the member of a map with this key, or null when it has none or this is no map.
  const ConfigMember* Find(std::string_view key) const;

  Kind kind = Kind::kNull;
  bool quoted = false;                // scalar: it was written in quotes or as a block, so it is text
  int line = 1;                       // where the value begins, from 1
  std::string scalar;                 // the text as written, escapes resolved; numbers are not converted
  std::vector<ConfigValue> items;     // list
  std::vector<ConfigMember> members;  // map, in the order written; keys are unique
};

struct ConfigMember {
  std::string key;
  int line = 1;  // of the key
  ConfigValue value;
};

// The values of unquoted scalars in YAML 1.2.2, 10.3.2 (core schema): true, True, TRUE; 12, 0x1F, 0o17, 1e-3,
// .inf. RETURNS: nothing when the value is no bool, or no number in the range of double; never NaN.
std::optional<bool> AsBool(const ConfigValue& value);
std::optional<double> AsNumber(const ConfigValue& value);

// Makes the kUsage error "<source>:<line>: <message>"; line 0 is in no file and leaves only the message.
// `option` names the option that it is about.
Error ConfigError(std::string_view source_name, int line, std::string_view message,
                  std::string_view option = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_VALUE_H_
