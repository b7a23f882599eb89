// engine/config/config_parser.h: reads the text of a configuration, YAML or JSON, into a ConfigValue.
#ifndef LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
#define LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_

#include <string>
#include <string_view>

#include "engine/config/config_value.h"

namespace leafscore::internal {

// Reads one YAML 1.2 document without anchors, aliases, tags and merge keys; text whose first character is
// { or [ is read as JSON (RFC 8259). An empty text is a null. UTF-8, with or without a byte order mark.
// ERRORS:  kUsage "<source>:<line>: what is wrong": syntax, a duplicate key, invalid UTF-8, or more than the
//          kMaxConfig... limits of engine/base/limits.h allow, which are enforced while reading.
// COST:    linear; under 64 MiB of memory whatever the text. THREADS: safe.
ConfigValue ParseConfig(std::string_view text, const std::string& source_name);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_CONFIG_CONFIG_PARSER_H_
