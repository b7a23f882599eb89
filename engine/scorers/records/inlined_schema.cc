#include "engine/scorers/records/inlined_schema.h"

#include <algorithm>
#include <optional>
#include <string>

#include "engine/scorers/records/record_schema.h"

namespace leafscore::internal {
namespace {

// A reference to the whole schema, which the original evaluators do not follow.
constexpr std::string_view kWholeSchema = "#";
constexpr std::uint64_t kMaxResolved = 1 << 22;

}  // namespace

InlinedSchema::InlinedSchema(const OptionReader& options) : options_(options) {
  if (const std::optional<ConfigValue> given = options.GetAny("schema")) {
    schema_ = ReadSchemaOption(options, *given);
  }
}

const ConfigValue* InlinedSchema::Keyword(const Node& node, std::string_view keyword) {
  for (const Part& part : node) {
    if (const ConfigMember* const member = part.schema->Find(keyword)) return &member->value;
  }
  return nullptr;
}

bool InlinedSchema::HasType(const Node& node, std::string_view type) {
  const ConfigValue* const types = Keyword(node, "type");
  if (types == nullptr) return false;
  const auto is_type = [&](const ConfigValue& value) {
    return value.kind == ConfigValue::Kind::kScalar && value.scalar == type;
  };
  return is_type(*types) || std::ranges::any_of(types->items, is_type);
}

// Returns a schema, followed by the targets of its references.
InlinedSchema::Node InlinedSchema::Resolved(const ConfigValue& schema, std::uint32_t references) {
  Node node;
  for (const ConfigValue* at = &schema; at != nullptr && at->kind == ConfigValue::Kind::kMap;) {
    if (++resolved_ > kMaxResolved) {
      throw options_.MakeError("schema", "its references lead to too many fields; leave some of them out");
    }
    const ConfigMember* const reference = at->Find("$ref");
    const bool is_followed = reference != nullptr && reference->value.kind == ConfigValue::Kind::kScalar &&
                             reference->value.scalar != kWholeSchema;
    const std::string_view target = is_followed ? std::string_view(reference->value.scalar) : "";
    if (is_followed && Follows(references, target)) {
      has_cycle_ = true;
      break;
    }
    node.push_back({at, references});
    if (!is_followed) break;
    at = TargetOfReference(schema_, target);
    if (at == nullptr) {
      throw options_.MakeError("schema", "\"$ref\": \"" + std::string(target) +
                                             "\" is not found; references must be within the schema, as in "
                                             "#/$defs/Name");
    }
    references_.push_back({target, references});
    references = static_cast<std::uint32_t>(references_.size() - 1);
  }
  return node;
}

bool InlinedSchema::Follows(std::uint32_t references, std::string_view target) const {
  for (; references != 0; references = references_[references].around) {
    if (references_[references].target == target) return true;
  }
  return false;
}

InlinedSchema::Node InlinedSchema::Below(const Node& node, std::string_view keyword) {
  for (const Part& part : node) {
    if (const ConfigMember* const member = part.schema->Find(keyword)) {
      return Resolved(member->value, part.references);
    }
  }
  return {};
}

std::vector<InlinedSchema::Node> InlinedSchema::Branches(const Node& node, std::string_view keyword) {
  std::vector<Node> branches;
  for (const Part& part : node) {
    const ConfigMember* const member = part.schema->Find(keyword);
    if (member == nullptr) continue;
    for (const ConfigValue& branch : member->value.items) {
      branches.push_back(Resolved(branch, part.references));
    }
    break;
  }
  return branches;
}

InlinedSchema::Properties InlinedSchema::OwnProperties(const Node& node) {
  Properties properties;
  for (const Part& part : node) {
    const ConfigMember* const own = part.schema->Find("properties");
    if (own == nullptr) continue;
    for (const ConfigMember& member : own->value.members) {
      properties.emplace_back(member.key, Resolved(member.value, part.references));
    }
    break;
  }
  return properties;
}

}  // namespace leafscore::internal
