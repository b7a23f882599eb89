// engine/scorers/schema_option.h: reads a JSON Schema that a configuration contains, or whose file it names.
// Stateless.
#ifndef LEAFSCORE_ENGINE_SCORERS_SCHEMA_OPTION_H_
#define LEAFSCORE_ENGINE_SCORERS_SCHEMA_OPTION_H_

#include <memory>
#include <string>

#include "engine/config/config_value.h"
#include "engine/config/options.h"
#include "engine/schema/json_schema.h"

namespace leafscore::internal {

// Returns the schema in a file, JSON or YAML, as JSON.
// ERRORS: as ReadText and ParseConfig; Error(kUsage) for a file above kMaxSchemaBytes.
std::string ReadSchemaFile(const std::string& path);

// Returns as JSON the schema that an option gives: as a map, as true or false, or as the path of a file.
std::string SchemaJsonOf(const ConfigValue& given);

// Compiles the schema of an option. ERRORS: as ReadSchemaFile; Error(kUsage) for a schema that is wrong.
std::unique_ptr<const JsonSchema> CompileSchemaOption(const OptionReader& options, std::string_view name,
                                                      const ConfigValue& given, SchemaOptions how);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_SCHEMA_OPTION_H_
