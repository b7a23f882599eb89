// engine/config/config_parser.h: reads the text of a configuration, YAML or JSON, into a ConfigValue.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/limits.h"
#include "engine/config/config_value.h"

namespace leafscore::internal {

// The limits of a text. They are higher for test files of other tools, which also contain the records.
struct ConfigLimits {
  std::uint64_t bytes = kMaxConfigBytes.default_value;
  std::uint64_t nodes = kMaxConfigNodes.default_value;
  bool allows_aliases = false;  // anchors, aliases and merge keys of YAML
};

// Reads one YAML 1.2 document. Tags are refused. Anchors, aliases and merge keys are refused unless `limits`
// allows them. A text whose first character is { or [ is read as JSON (RFC 8259). An empty text is null. The
// text is UTF-8, with or without a byte order mark.
// ERRORS:  Error(kUsage) "<source>:<line>: <problem>" for wrong syntax, a duplicate key, invalid UTF-8, or a
//          text that exceeds `limits` or a kMaxConfig... limit of engine/base/limits.h. Limits are checked
//          while reading.
// COST:    linear; with the default limits, less than 64 MiB of memory for any text.
// THREADS: any number.
ConfigValue ParseConfig(std::string_view text, const std::string& source_name, ConfigLimits limits = {});

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
