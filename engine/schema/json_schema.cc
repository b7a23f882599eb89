#include "engine/schema/json_schema.h"

#include "engine/json/json_value.h"
#include "engine/schema/schema_compiler.h"

namespace leafscore::internal {

std::unique_ptr<const JsonSchema> JsonSchema::Compile(JsonView schema, SchemaOptions options,
                                                      std::string* fault) {
  return SchemaCompiler(schema, options).Compile(fault);
}

std::unique_ptr<const JsonSchema> JsonSchema::Compile(std::string_view json, SchemaOptions options,
                                                      std::string* fault) {
  JsonValue value({.strict = true});
  const JsonView schema = value.Read(json);
  if (!schema.present()) {
    *fault = "it is not JSON, or nests deeper than 1,024 levels";
    return nullptr;
  }
  if (value.has_duplicate_keys()) {
    *fault = "an object in it has the same key twice";
    return nullptr;
  }
  return Compile(schema, options, fault);
}

SchemaId JsonSchema::FindDynamic(std::uint32_t resource, std::string_view name) const {
  const auto found = dynamic_.find(std::pair(resource, std::string(name)));
  return found == dynamic_.end() ? kNoSchema : found->second;
}

std::string JsonSchema::Location(SchemaId id) const {
  std::vector<SchemaId> path;
  for (; id != kNoSchema; id = nodes_[id].parent) path.push_back(id);
  std::string location = "#";
  for (auto at = path.rbegin(); at != path.rend(); ++at) location += nodes_[*at].step;
  return location;
}

std::string_view JsonSchema::KeywordOf(SchemaId id) const {
  const std::string_view step = nodes_[id].step;
  if (step.empty()) return step;
  const std::size_t end = step.find('/', 1);
  return step.substr(1, end == step.npos ? end : end - 1);
}

std::uint8_t SchemaTypeOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::kNull:
      return SchemaTypes::kNull;
    case ValueKind::kFalse:
    case ValueKind::kTrue:
      return SchemaTypes::kBoolean;
    case ValueKind::kNumber:
      return SchemaTypes::kNumber;
    case ValueKind::kString:
    case ValueKind::kEscapedString:
      return SchemaTypes::kString;
    case ValueKind::kArray:
      return SchemaTypes::kArray;
    case ValueKind::kObject:
      return SchemaTypes::kObject;
  }
  return 0;
}

}  // namespace leafscore::internal
