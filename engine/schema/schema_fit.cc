#include "engine/schema/schema_fit.h"

#include <algorithm>

#include "engine/json/compact_text.h"
#include "engine/schema/exact_decimal.h"
#include "engine/text/normaliser.h"

namespace leafscore::internal {
namespace {

// Finds all schemas to which the schemas of a place lead. Each is found once.
class PlaceFinder {
 public:
  explicit PlaceFinder(const JsonSchema& schema)
      : schema_(schema), is_expanded_(schema.size()), is_required_(schema.size()) {}

  // Adds a schema, and the schemas that it may apply to the same value.
  void Expand(SchemaId id, std::vector<SchemaId>& schemas) {
    if (id == kNoSchema || is_expanded_[id]) return;
    is_expanded_[id] = true;
    schemas.push_back(id);
    const SchemaNode& node = schema_[id];
    for (const SchemaId inner :
         {node.reference, node.dynamic_reference, node.consequence, node.alternative}) {
      Expand(inner, schemas);
    }
    for (const auto* const list : {&node.all_of, &node.any_of, &node.one_of}) {
      for (const SchemaId inner : *list) Expand(inner, schemas);
    }
    if (node.object == nullptr) return;
    for (const ObjectRules::Dependency& dependency : node.object->dependencies) {
      Expand(dependency.schema, schemas);
    }
  }

  // Adds the keys that a schema requires of an object. The keys of a branch count only if no other branch
  // allows objects.
  void AddRequired(SchemaId id, std::vector<std::string>& keys) {
    if (id == kNoSchema || is_required_[id]) return;
    is_required_[id] = true;
    const SchemaNode& node = schema_[id];
    if (node.object != nullptr) {
      for (const std::string& key : node.object->required) {
        if (known_.insert(key).second) keys.push_back(key);
      }
    }
    AddRequired(node.reference, keys);
    AddRequired(node.dynamic_reference, keys);
    for (const SchemaId inner : node.all_of) AddRequired(inner, keys);
    const auto is_for_objects = [&](SchemaId branch) {
      return (schema_[branch].possible & SchemaTypes::kObject) != 0;
    };
    for (const auto* const branches : {&node.any_of, &node.one_of}) {
      const auto only = std::ranges::find_if(*branches, is_for_objects);
      if (only != branches->end() && std::ranges::count_if(*branches, is_for_objects) == 1)
        AddRequired(*only, keys);
    }
  }

 private:
  const JsonSchema& schema_;
  std::vector<bool> is_expanded_;
  std::vector<bool> is_required_;
  TextSet<std::string> known_;
};

}  // namespace

SchemaFitCounter::SchemaFitCounter(const JsonSchema* schema, ShapeTable* shapes)
    : schema_(schema), shapes_(shapes), places_(2) {
  places_[kAnywhere].possible = SchemaTypes::kAll;
  root_ = PlaceOf({schema->root()});
}

void SchemaFitCounter::Reset() {
  for (SchemaPlace& place : places_) {
    place.shapes.clear();
    place.last = nullptr;
  }
}

SchemaFit SchemaFitCounter::Count(ValueRef value) {
  table_ = value.table;
  fit_ = {};
  CountAt(root_, value.node);
  return fit_;
}

bool SchemaFitCounter::Allows(PlaceNumber place, NodeId value) const {
  const ValueKind kind = table_->kind(value);
  std::uint8_t type = SchemaTypeOf(kind);
  if ((places_[place].possible & type) == type) return true;
  if (kind == ValueKind::kNumber)
    type = IsWholeNumber(table_->leaf_token(value)) ? SchemaTypes::kInteger : SchemaTypes::kFractions;
  return (places_[place].possible & type) != 0;
}

bool SchemaFitCounter::IsBlankText(NodeId text) {
  const std::string_view token = table_->leaf_token(text);
  const auto first = static_cast<unsigned char>(token.empty() ? ' ' : token[0]);
  if (first > ' ' && first < 0x7f && first != '\\') return false;
  text_.clear();
  AppendStringText(*table_, text, text_);
  return IsBlank(text_);
}

void SchemaFitCounter::CountAt(PlaceNumber place, NodeId value) {
  const ValueKind kind = table_->kind(value);
  const bool is_allowed = Allows(place, value);
  const NodeId end = table_->end(value);
  if (kind == ValueKind::kObject) {
    const ShapePlaces& known = PlacesOf(is_allowed ? place : kNowhere, table_->shape(value));
    fit_.required += places_[place].required.size();
    fit_.present += known.present;
    std::size_t m = 0;
    for (NodeId child = value + 1; child != end; child = table_->end(child))
      CountAt(known.members[m++], child);
    return;
  }
  if (!is_allowed) fit_.required += places_[place].required.size();
  if (kind == ValueKind::kArray) {
    const std::span<const PlaceNumber> elements = ElementPlaces(is_allowed ? place : kNowhere);
    std::size_t e = 0;
    for (NodeId child = value + 1; child != end; child = table_->end(child)) {
      CountAt(elements[std::min(e++, elements.size() - 1)], child);
    }
    return;
  }
  if (kind == ValueKind::kNull) return;
  if (IsString(kind) && IsBlankText(value)) return;
  ++fit_.cells;
  fit_.allowed += is_allowed;
}

SchemaFitCounter::PlaceNumber SchemaFitCounter::PlaceOf(std::vector<SchemaId> roots) {
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  const auto known = place_of_.find(roots);
  if (known != place_of_.end()) return known->second;
  SchemaPlace place;
  for (const SchemaId id : roots) place.possible |= (*schema_)[id].possible;
  const auto number = place.possible == 0 ? kNowhere : static_cast<PlaceNumber>(places_.size());
  if (number != kNowhere) {
    PlaceFinder finder(*schema_);
    for (const SchemaId id : roots) finder.Expand(id, place.schemas);
    for (const SchemaId id : roots) finder.AddRequired(id, place.required);
    places_.push_back(std::move(place));
  }
  place_of_.emplace(std::move(roots), number);
  return number;
}

const SchemaFitCounter::ShapePlaces& SchemaFitCounter::PlacesOf(PlaceNumber place, ShapeId shape) {
  if (const ShapePlaces* const last = places_[place].last; last != nullptr && last->shape == shape)
    return *last;
  auto known = places_[place].shapes.find(shape);
  if (known == places_[place].shapes.end()) {
    ShapePlaces found{shape, {}, 0};
    for (const std::string_view key : shapes_->Keys(shape)) found.members.push_back(MemberPlace(place, key));
    for (const std::string& key : places_[place].required)
      found.present += shapes_->FindMember(shape, key) != ShapeTable::kNoMember;
    known = places_[place].shapes.emplace(shape, std::move(found)).first;
  }
  places_[place].last = &known->second;
  return known->second;
}

SchemaFitCounter::PlaceNumber SchemaFitCounter::MemberPlace(PlaceNumber place, std::string_view key) {
  if (place <= kAnywhere) return place;
  std::vector<SchemaId> roots;
  bool is_named = false;
  for (const SchemaId id : places_[place].schemas) {
    const ObjectRules* const rules = (*schema_)[id].object.get();
    if (rules == nullptr || !rules->names_members()) continue;
    is_named = true;
    const std::size_t before = roots.size();
    if (const auto known = rules->properties.find(key); known != rules->properties.end())
      roots.push_back(known->second);
    for (const auto& [pattern, applied] : rules->patterns) {
      if (pattern->Test(key) == JavaScriptRegex::Search::kFound) roots.push_back(applied);
    }
    if (roots.size() != before) continue;
    const SchemaId other = rules->additional != kNoSchema ? rules->additional : rules->unevaluated;
    if (other != kNoSchema) roots.push_back(other);
  }
  if (!is_named) return kAnywhere;
  return roots.empty() ? kNowhere : PlaceOf(std::move(roots));
}

std::span<const SchemaFitCounter::PlaceNumber> SchemaFitCounter::ElementPlaces(PlaceNumber place) {
  if (!places_[place].elements.empty()) return places_[place].elements;
  std::size_t prefix = 0;
  for (const SchemaId id : places_[place].schemas) {
    if (const ArrayRules* const rules = (*schema_)[id].array.get(); rules != nullptr)
      prefix = std::max(prefix, rules->prefix.size());
  }
  std::vector<PlaceNumber> elements;
  for (std::size_t position = 0; position <= prefix; ++position) {
    std::vector<SchemaId> roots;
    for (const SchemaId id : places_[place].schemas) {
      const ArrayRules* const rules = (*schema_)[id].array.get();
      if (rules == nullptr) continue;
      const SchemaId rest = rules->items != kNoSchema ? rules->items : rules->unevaluated;
      const SchemaId applied = position < rules->prefix.size() ? rules->prefix[position] : rest;
      if (applied != kNoSchema) roots.push_back(applied);
    }
    const PlaceNumber open = place == kNowhere ? kNowhere : kAnywhere;
    elements.push_back(roots.empty() ? open : PlaceOf(std::move(roots)));
  }
  places_[place].elements = std::move(elements);
  return places_[place].elements;
}

}  // namespace leafscore::internal
