#include "engine/scorers/schema_option.h"

#include <fmt/format.h>

#include "engine/base/limits.h"
#include "engine/base/suggest.h"
#include "engine/config/config_json.h"
#include "engine/config/config_parser.h"
#include "engine/io/read_text.h"
#include "leafscore/error.h"

namespace leafscore::internal {

std::string ReadSchemaFile(const std::string& path) {
  std::string text = ReadText(path, kMaxSchemaBytes.default_value);
  if (text.size() > kMaxSchemaBytes.default_value) {
    throw Error(ErrorCode::kUsage, fmt::format("{}: a JSON Schema may have {} bytes at most",
                                               QuoteForMessage(path), kMaxSchemaBytes.default_value));
  }
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') return text;
  std::string json;
  AppendConfigAsJson(ParseConfig(text, path), json);
  return json;
}

std::string SchemaJsonOf(const ConfigValue& given) {
  if (given.kind == ConfigValue::Kind::kScalar && !AsBool(given)) return ReadSchemaFile(given.scalar);
  std::string json;
  AppendConfigAsJson(given, json);
  return json;
}

std::unique_ptr<const JsonSchema> CompileSchemaOption(const OptionReader& options, std::string_view name,
                                                      const ConfigValue& given, SchemaOptions how) {
  std::string fault;
  std::unique_ptr<const JsonSchema> schema = JsonSchema::Compile(SchemaJsonOf(given), how, &fault);
  if (schema == nullptr) throw options.MakeError(name, fault);
  return schema;
}

}  // namespace leafscore::internal
