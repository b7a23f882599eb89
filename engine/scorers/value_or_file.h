// engine/scorers/value_or_file.h: options that give a value, or the path of a file that contains it.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_VALUE_OR_FILE_H_
#define LEAFSCORE_ENGINE_SCORERS_VALUE_OR_FILE_H_

#include "engine/base/limits.h"
#include "engine/config/config_parser.h"
#include "engine/config/config_value.h"
#include "engine/io/read_text.h"

namespace leafscore::internal {

inline bool IsFilePath(const ConfigValue& given) { return given.kind == ConfigValue::Kind::kScalar; }

// Returns a map or list as it is. A text is the path of a YAML or JSON file, whose content is returned.
// ERRORS: as ReadText and ParseConfig.
inline ConfigValue ReadValueOrFile(const ConfigValue& given) {
  if (!IsFilePath(given)) return given;
  return ParseConfig(ReadText(given.scalar, kMaxConfigBytes.default_value), given.scalar);
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_VALUE_OR_FILE_H_
