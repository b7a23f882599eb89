// engine/config/config_parser.h: reads the text of a configuration, YAML or JSON, into a ConfigValue.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/config/config_value.h"

namespace leafscore::internal {

// The limits of a text. Test files of other tools contain their records as well, so their limits are higher.
struct ConfigLimits {
  std::uint64_t bytes = kMaxConfigBytes.default_value;
  std::uint64_t nodes = kMaxConfigNodes.default_value;
  bool allows_aliases = false;  // anchors, aliases and merge keys of YAML
};

// Reads one YAML 1.2 document without tags; anchors, aliases and merge keys only if they are allowed. Text
// whose first character is { or [ is read as JSON (RFC 8259). An empty text is a null. UTF-8, with or without
// a byte order mark.
// ERRORS: Error(kUsage) "<source>:<line>: what is wrong": syntax, a duplicate key, invalid UTF-8, or more
// than the kMaxConfig... limits of engine/base/limits.h allow, which are enforced while reading.
// COST: linear; under 64 MiB of memory whatever the text, with the usual limits. THREADS: safe.
ConfigValue ParseConfig(std::string_view text, const std::string& source_name, ConfigLimits limits = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
