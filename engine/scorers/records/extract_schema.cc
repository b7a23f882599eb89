#include "engine/scorers/records/extract_schema.h"

#include <algorithm>
#include <utility>

#include "engine/config/config_json.h"
#include "engine/match/target_path.h"
#include "engine/text/lower_case.h"

namespace leafscore::internal {
namespace {

// The branches of a schema are read in this order. If several have the same property, the last branch wins.
constexpr std::string_view kBranches[] = {"anyOf", "oneOf", "allOf"};
constexpr std::size_t kMaxFields = 1 << 16;

// Returns whether holds(Node) is true for a branch of a schema. After the first such branch, no other is
// tried.
template <class Holds>
bool AnyBranch(InlinedSchema& schema, const InlinedSchema::Node& node, Holds holds) {
  for (const std::string_view keyword : kBranches) {
    for (const InlinedSchema::Node& branch : schema.Branches(node, keyword)) {
      if (holds(branch)) return true;
    }
  }
  return false;
}

bool DescribesArray(InlinedSchema& schema, const InlinedSchema::Node& node) {
  const ConfigValue* const items = InlinedSchema::Keyword(node, "items");
  const bool has_items = items != nullptr && items->kind == ConfigValue::Kind::kMap;
  if (has_items || InlinedSchema::HasType(node, "array")) return true;
  return AnyBranch(schema, node,
                   [&](const InlinedSchema::Node& branch) { return DescribesArray(schema, branch); });
}

// Returns the schema of the elements; empty if there is none.
InlinedSchema::Node ItemsOf(InlinedSchema& schema, const InlinedSchema::Node& node) {
  InlinedSchema::Node items = schema.Below(node, "items");
  if (items.empty()) {
    AnyBranch(schema, node, [&](const InlinedSchema::Node& branch) {
      items = ItemsOf(schema, branch);
      return !items.empty();
    });
  }
  return items;
}

InlinedSchema::Properties PropertiesOf(InlinedSchema& schema, const InlinedSchema::Node& node) {
  InlinedSchema::Properties properties = schema.OwnProperties(node);
  std::map<std::string_view, std::size_t> index_of;
  for (std::size_t i = 0; i < properties.size(); ++i) index_of.emplace(properties[i].first, i);
  AnyBranch(schema, node, [&](const InlinedSchema::Node& branch) {
    for (auto& [key, value] : PropertiesOf(schema, branch)) {
      const auto [entry, is_new] = index_of.try_emplace(key, properties.size());
      if (is_new) properties.emplace_back(key, InlinedSchema::Node());
      properties[entry->second].second = std::move(value);
    }
    return false;
  });
  return properties;
}

bool DescribesObject(InlinedSchema& schema, const InlinedSchema::Node& node) {
  if (InlinedSchema::HasType(node, "object") || !PropertiesOf(schema, node).empty()) return true;
  return AnyBranch(schema, node,
                   [&](const InlinedSchema::Node& branch) { return DescribesObject(schema, branch); });
}

}  // namespace

double LikenessOf(std::string_view key) {
  constexpr double kOfDescriptions = 0.95;
  constexpr double kOfCourts = 0.85;
  if (key == "description") return kOfDescriptions;
  return key == "court" ? kOfCourts : 0;
}

ExtractSchema::ExtractSchema(const OptionReader& options, const PathRules& paths)
    : options_(&options), paths_(&paths), schema_(nullptr) {
  InlinedSchema schema(options);
  schema_ = &schema;
  layouts_.emplace_back();
  AddObject(0);
  InlinedSchema::Properties properties = PropertiesOf(schema, schema.Root());
  std::erase_if(properties, [](const auto& property) { return property.first == kProvenance; });
  AddMembers(0, 0, properties, "");
  AddCanonicalKeys(schema.schema());
  options_ = nullptr;
  paths_ = nullptr;
  schema_ = nullptr;
}

void ExtractSchema::AddCanonicalKeys(const ConfigValue& schema) {
  const ConfigMember* const properties = schema.Find("properties");
  if (properties == nullptr) return;
  for (const ConfigMember& member : properties->value.members) {
    std::string folded = member.key;
    FoldCase(folded);
    const auto [entry, is_new] = key_of_folded_.try_emplace(std::move(folded), member.key);
    if (!is_new) entry->second.clear();
  }
}

std::string_view ExtractSchema::CanonicalKey(std::string_view key) const {
  std::string folded(key);
  FoldCase(folded);
  const auto found = key_of_folded_.find(folded);
  return found == key_of_folded_.end() || found->second.empty() ? key : std::string_view(found->second);
}

void ExtractSchema::AddObject(std::uint32_t layout) { layouts_[layout].objects.push_back({{}, objects_++}); }

void ExtractSchema::AddMembers(std::uint32_t layout, std::uint32_t object, const Properties& properties,
                               const std::string& path) {
  for (const auto& [key, node] : properties) {
    std::string path_of_member = path;
    AppendKeyStep(path_of_member, key);
    AddMember(layout, object, key, node, std::move(path_of_member));
  }
}

// Adds a member as rows, as an object, or else as a cell, depending on its schema.
void ExtractSchema::AddMember(std::uint32_t layout, std::uint32_t object, std::string_view key,
                              const InlinedSchema::Node& node, std::string path) {
  using MemberKind = RowLayout::Member::Kind;
  const bool is_array = DescribesArray(*schema_, node);
  const InlinedSchema::Node items = is_array ? ItemsOf(*schema_, node) : InlinedSchema::Node();
  const InlinedSchema::Properties properties = PropertiesOf(*schema_, is_array ? items : node);
  const bool is_object = !is_array && DescribesObject(*schema_, node);
  const bool has_empty_rows = is_array && properties.empty() && InlinedSchema::HasType(items, "object");
  const bool has_rows = is_array && !properties.empty();
  layouts_[layout].is_flat &= !is_object && !has_rows && !has_empty_rows;
  if (has_empty_rows) return;  // nothing in them counts

  RowLayout::Member member{std::string(key), MemberKind::kCell, 0, RowLayout::kNoDefault,
                           paths_->KeySymbol(key)};
  if (const ConfigValue* const value = InlinedSchema::Keyword(node, "default")) {
    member.default_number = static_cast<std::uint32_t>(defaults_.size());
    AppendConfigAsJson(*value, defaults_.emplace_back());
  }
  if (properties.empty()) {
    AddCell(layouts_[layout], object, std::move(member), std::move(path));
  } else if (has_rows) {
    const auto below = static_cast<std::uint32_t>(layouts_.size());
    member.kind = MemberKind::kRows;
    member.index = static_cast<std::uint32_t>(layouts_[layout].arrays.size());
    layouts_[layout].arrays.push_back(below);
    layouts_[layout].objects[object].members.push_back(std::move(member));
    layouts_.emplace_back();
    AddObject(below);
    AddMembers(below, 0, properties, path + "[*]");
  } else {
    member.kind = MemberKind::kObject;
    member.index = static_cast<std::uint32_t>(layouts_[layout].objects.size());
    layouts_[layout].objects[object].members.push_back(member);
    AddObject(layout);
    AddMembers(layout, member.index, properties, path);
  }
}

void ExtractSchema::AddCell(RowLayout& row, std::uint32_t object, RowLayout::Member member,
                            std::string path) {
  if (fields_.size() == kMaxFields) {
    throw options_->MakeError("schema", "it has more than 65,536 fields; leave some of them out");
  }
  const double likeness = LikenessOf(member.key);
  member.index = static_cast<std::uint32_t>(row.columns.size());
  row.columns.push_back({static_cast<std::uint32_t>(fields_.size()), likeness});
  row.has_likeness |= likeness != 0;
  row.objects[object].members.push_back(std::move(member));
  fields_.push_back(std::move(path));
}

}  // namespace leafscore::internal
