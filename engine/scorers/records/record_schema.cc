#include "engine/scorers/records/record_schema.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "engine/match/target_path.h"
#include "engine/schema/uri.h"
#include "engine/scorers/normalise_options.h"
#include "engine/scorers/value_or_file.h"

namespace leafscore::internal {
namespace {

constexpr std::string_view kOwnOptions = "x-leafscore";
constexpr OptionSpec kPlaceOptions[] = {
    kNormaliseOption,
    kCellToleranceOption,
    kCellRelativeOption,
    kCellSimilarityOption,
    {"match_by", "list of texts", "none", "keys of rows"},
    {"order", "any_order, ordered or whole", "any_order", "how elements are paired"},
    {"ignore", "bool", "false", "whether to ignore the place"},
};
constexpr std::string_view kCombinators[] = {"allOf", "anyOf", "oneOf"};
// First the keywords whose members are named schemas, then the keywords whose values are not schemas.
constexpr std::string_view kMapsOfSchemas[] = {"properties", "patternProperties", "$defs", "definitions",
                                               "dependentSchemas"};
constexpr std::string_view kData[] = {"default", "const", "enum", "examples", kOwnOptions};

const ConfigValue* ValueOf(const ConfigValue& map, std::string_view key) {
  const ConfigMember* const member = map.Find(key);
  return member == nullptr ? nullptr : &member->value;
}

bool IsText(const ConfigValue* value, std::string_view text) {
  return value != nullptr && value->kind == ConfigValue::Kind::kScalar && value->scalar == text;
}

}  // namespace

ConfigValue ReadSchemaOption(const OptionReader& options, const ConfigValue& given) {
  ConfigValue schema = ReadValueOrFile(given);
  if (schema.kind != ConfigValue::Kind::kMap) {
    throw options.MakeError("schema", "a JSON Schema is an object; give one, or the path of a file with one");
  }
  return schema;
}

const ConfigValue* TargetOfReference(const ConfigValue& schema, std::string_view reference) {
  if (!reference.starts_with('#')) return nullptr;
  const std::optional<std::vector<std::string>> steps = StepsOfPointer(reference.substr(1));
  if (!steps) return nullptr;
  const ConfigValue* at = &schema;
  for (const std::string& key : *steps) {
    if (at != nullptr) at = ValueOf(*at, key);
  }
  return at;
}

RecordSchema::RecordSchema(const OptionReader& options, const ConfigValue& schema, RecordRules& rules)
    : schema_(ReadSchemaOption(options, schema)) {
  ReadRules(options, schema_, rules);
  Expand(schema_, root_);
}

// Reads every x-leafscore, and checks every $ref.
void RecordSchema::ReadRules(const OptionReader& options, const ConfigValue& schema, RecordRules& rules) {
  if (const ConfigValue* const reference = ValueOf(schema, "$ref");
      reference != nullptr && reference->kind == ConfigValue::Kind::kScalar &&
      TargetOfReference(schema_, reference->scalar) == nullptr) {
    throw options.MakeError("schema",
                            "\"$ref\": \"" + reference->scalar +
                                "\" is not found; references must be within the schema, as in #/$defs/Name");
  }
  if (const ConfigValue* const own = ValueOf(schema, kOwnOptions)) {
    const OptionReader place = options.Nested(*own, kPlaceOptions, kOwnOptions);
    PlaceRule rule;
    ReadCellRule(place, rules, rule);
    constexpr std::string_view kOrders[] = {"any_order", "ordered", "whole"};
    if (place.Has("order")) rule.mode = static_cast<ArrayMode>(place.GetChoice("order", 0, kOrders));
    if (place.Has("match_by")) rule.keys = rules.AddKeys(place, "match_by", place.GetTextList("match_by"));
    rule.ignored = place.GetBool("ignore", false);
    rules_.emplace(own, rule);
  }
  for (const ConfigMember& member : schema.members) {
    const auto has_key = [&](std::span<const std::string_view> keys) {
      return std::ranges::find(keys, member.key) != keys.end();
    };
    if (has_key(kData)) continue;
    if (has_key(kMapsOfSchemas)) {
      for (const ConfigMember& named : member.value.members) ReadRules(options, named.value, rules);
    } else {
      ReadRules(options, member.value, rules);
      for (const ConfigValue& item : member.value.items) ReadRules(options, item, rules);
    }
  }
}

// Adds a schema and all schemas that apply together with it. A cycle ends at a schema that is already in the
// set.
void RecordSchema::Expand(const ConfigValue& schema, Set& set) const {
  if (schema.kind != ConfigValue::Kind::kMap || std::ranges::find(set, &schema) != set.end()) return;
  if (IsText(ValueOf(schema, "type"), "null")) return;
  set.push_back(&schema);
  const ConfigValue* const reference = ValueOf(schema, "$ref");
  if (reference != nullptr && reference->kind == ConfigValue::Kind::kScalar) {
    if (const ConfigValue* const target = TargetOfReference(schema_, reference->scalar)) Expand(*target, set);
  }
  for (const std::string_view combinator : kCombinators) {
    if (const ConfigValue* const branches = ValueOf(schema, combinator)) {
      for (const ConfigValue& branch : branches->items) Expand(branch, set);
    }
  }
}

RecordSchema::Set RecordSchema::Member(const Set& object, std::string_view key) const {
  Set set;
  for (const ConfigValue* const schema : object) {
    const ConfigValue* const properties = ValueOf(*schema, "properties");
    const ConfigValue* const member = properties == nullptr ? nullptr : ValueOf(*properties, key);
    if (member != nullptr) Expand(*member, set);
  }
  return set;
}

RecordSchema::Set RecordSchema::Element(const Set& array) const {
  Set set;
  for (const ConfigValue* const schema : array) {
    if (const ConfigValue* const items = ValueOf(*schema, "items")) Expand(*items, set);
  }
  return set;
}

const ConfigValue* RecordSchema::DefaultOf(const Set& place) {
  for (const ConfigValue* const schema : place) {
    if (const ConfigValue* const value = ValueOf(*schema, "default")) return value;
  }
  return nullptr;
}

bool RecordSchema::IsDate(const Set& place) {
  return std::ranges::any_of(place, [](const ConfigValue* schema) {
    const ConfigValue* const format = ValueOf(*schema, "format");
    return IsText(format, "date") || IsText(format, "date-time");
  });
}

bool RecordSchema::IsTuple(const Set& place) {
  return std::ranges::any_of(
      place, [](const ConfigValue* schema) { return schema->Find("prefixItems") != nullptr; });
}

const PlaceRule* RecordSchema::RuleOf(const Set& place) const {
  for (const ConfigValue* const schema : place) {
    const ConfigValue* const own = ValueOf(*schema, kOwnOptions);
    if (const auto rule = rules_.find(own); rule != rules_.end()) return &rule->second;
  }
  return nullptr;
}

}  // namespace leafscore::internal
