// The schemas in docs/schemas have what the descriptions of figures say: their names, types, and that they
// are always there. The schemas add what they mean, their ranges, and the values of an enumeration.
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <algorithm>
#include <span>
#include <string>

#include "engine/compare/comparison_formats.h"
#include "engine/rank/leaderboard.h"
#include "engine/rank/versus_board.h"
#include "engine/render/figures.h"
#include "engine/report/summary_figures.h"
#include "tests/documented_schema.h"

namespace leafscore::internal {
namespace {

using Json = rapidjson::Document;
using JsonValue = rapidjson::Value;

// Returns a member, which is made if it is not there.
JsonValue& MemberOf(JsonValue& object, std::string_view name, JsonValue made, Json& json) {
  const JsonValue key = TextOf(name, json);
  if (!object.HasMember(key)) object.AddMember(TextOf(name, json), made, json.GetAllocator());
  return object[key];
}

JsonValue ObjectSchema(Json& json) {
  JsonValue schema(rapidjson::kObjectType);
  schema.AddMember("type", "object", json.GetAllocator());
  schema.AddMember("properties", JsonValue(rapidjson::kObjectType), json.GetAllocator());
  schema.AddMember("required", JsonValue(rapidjson::kArrayType), json.GetAllocator());
  schema.AddMember("additionalProperties", false, json.GetAllocator());
  return schema;
}

// Returns the schema of an object's property, which is required from now on.
JsonValue& Require(JsonValue& object, std::string_view name, JsonValue made, Json& json) {
  JsonValue& required = MemberOf(object, "required", JsonValue(rapidjson::kArrayType), json);
  const auto is_name = [&](const JsonValue& other) { return other.GetString() == name; };
  if (std::ranges::none_of(required.GetArray(), is_name))
    required.PushBack(TextOf(name, json), json.GetAllocator());
  return MemberOf(object["properties"], name, std::move(made), json);
}

// Returns whether the schema says itself of which type a value is: by a definition, by its values, or whether
// a number may be null, which figures are that are not finite.
bool HasOwnType(const JsonValue& property, const ValueType& type) {
  for (const char* says : {"$ref", "enum", "anyOf", "oneOf"})
    if (property.HasMember(says)) return true;
  if (type.name != "number" || type.nullable || !property.HasMember("type")) return false;
  const JsonValue& there = property["type"];
  return there.IsArray() && there.Size() == 2 && there[0] == "number" && there[1] == "null";
}

void SetType(JsonValue& property, const ValueType& type, Json& json) {
  if (HasOwnType(property, type)) return;
  JsonValue is = TextOf(type.name, json);
  if (type.nullable) {
    JsonValue either(rapidjson::kArrayType);
    either.PushBack(is, json.GetAllocator()).PushBack("null", json.GetAllocator());
    is = either;
  }
  MemberOf(property, "type", JsonValue(), json) = is;
  if (type.name != "array") return;
  JsonValue text(rapidjson::kObjectType);
  text.AddMember("type", "string", json.GetAllocator());
  MemberOf(property, "items", std::move(text), json);
}

void SetFigures(const DescribedObject& described, Json& json) {
  JsonValue* const root = rapidjson::Pointer(described.schema.c_str()).Get(json);
  ASSERT_NE(root, nullptr) << described.schema;
  for (const FigureFacts& figure : described.figures) {
    if (figure.in != In::kAll && figure.in != In::kJson) continue;
    JsonValue* object = root;
    if (!figure.group.empty()) object = &Require(*root, figure.group, ObjectSchema(json), json);
    if (!object->HasMember("properties")) continue;  // a definition
    SetType(Require(*object, figure.name, JsonValue(rapidjson::kObjectType), json), figure.type, json);
  }
}

TEST(FigureSchemas, AreMadeFromTheDescriptionsOfFigures) {
  ExpectSchema("comparison.json", [](Json& schema) {
    for (const DescribedObject& object : ComparisonObjects()) SetFigures(object, schema);
  });
  ExpectSchema("leaderboard.json", [](Json& schema) {
    for (const DescribedObject& object : LeaderboardObjects()) SetFigures(object, schema);
  });
  ExpectSchema("leaderboard_versus.json", [](Json& schema) {
    for (const DescribedObject& object : VersusObjects()) SetFigures(object, schema);
  });
  ExpectSchema("summary.json", [](Json& schema) {
    for (const DescribedObject& object : SummaryObjects()) SetFigures(object, schema);
  });
}

}  // namespace
}  // namespace leafscore::internal
