#include "engine/scorers/records/place_tree.h"

#include <algorithm>
#include <utility>

#include "engine/scorers/records/metadata_keys.h"

namespace leafscore::internal {
void PlaceTree::Clear() {
  places_.clear();
  const bool has_schema = rules_->schema != nullptr;
  Add("", PathMatcher::kStart, has_schema ? rules_->schema->root() : RecordSchema::Set(), /*in_rows=*/false);
  if (rules_->root_rule) Apply(rules_->place_rules[*rules_->root_rule], places_[0]);
}

void PlaceTree::Apply(const PlaceRule& rule, Place& place) const {
  if (rule.normaliser) place.normaliser = &rules_->normalisers[*rule.normaliser];
  if (rule.tolerance) {
    place.tolerance = *rule.tolerance;
    place.relative = rule.relative;
  }
  if (rule.similarity) place.similarity = *rule.similarity;
  if (rule.mode) place.mode = *rule.mode;
  if (rule.keys) place.keys = &rules_->keys[*rule.keys];
  place.ignored |= rule.ignored;
}

PlaceId PlaceTree::Add(std::string path, PathMatcher::State state, RecordSchema::Set schemas, bool in_rows) {
  Place place;
  place.path = std::move(path);
  place.state = state;
  place.in_rows = in_rows;
  place.normaliser = &rules_->normalisers[0];
  if (!schemas.empty()) {
    if (RecordSchema::IsDate(schemas)) place.normaliser = &rules_->normalisers[rules_->date_normaliser];
    if (RecordSchema::IsTuple(schemas)) place.mode = ArrayMode::kOrdered;
    if (const PlaceRule* const rule = rules_->schema->RuleOf(schemas)) Apply(*rule, place);
    if (rules_->defaults) place.default_value = RecordSchema::DefaultOf(schemas);
  }
  const PathMatcher::Effect& effect = matcher_.effect(state);
  for (const std::uint32_t mark : effect.marks) Apply(rules_->place_rules[mark], place);
  place.ignored |= effect.ignored;
  place.schemas = std::move(schemas);
  const auto id = static_cast<PlaceId>(places_.size());
  places_.push_back(std::move(place));
  // Members with defaults get places now, because a value that lacks them needs the places, too.
  const RecordSchema::Set of_object = places_[id].schemas;
  for (const ConfigValue* const schema : of_object) {
    const ConfigMember* const properties = rules_->defaults ? schema->Find("properties") : nullptr;
    if (properties == nullptr) continue;
    for (const ConfigMember& member : properties->value.members) {
      if (RecordSchema::DefaultOf(rules_->schema->Member(of_object, member.key)) == nullptr) continue;
      const PlaceId with_default = Member(id, member.key);
      std::vector<PlaceId>& defaults = places_[id].defaults;
      if (std::ranges::find(defaults, with_default) == defaults.end()) defaults.push_back(with_default);
    }
  }
  return id;
}

PlaceId PlaceTree::Member(PlaceId object, std::string_view key) {
  if (const auto found = places_[object].members.find(key); found != places_[object].members.end()) {
    return found->second;
  }
  std::string path = places_[object].path;
  AppendKeyStep(path, key);
  RecordSchema::Set schemas;
  if (!places_[object].schemas.empty()) schemas = rules_->schema->Member(places_[object].schemas, key);
  const PathMatcher::State state = matcher_.Next(places_[object].state, rules_->paths.KeySymbol(key));
  const PlaceId member = Add(std::move(path), state, std::move(schemas), places_[object].in_rows);
  places_[object].members.emplace(key, member);
  return member;
}

PlaceId PlaceTree::Element(PlaceId array) {
  if (places_[array].element != kNoPlace) return places_[array].element;
  RecordSchema::Set schemas;
  if (!places_[array].schemas.empty()) schemas = rules_->schema->Element(places_[array].schemas);
  const PathMatcher::State state = matcher_.Next(places_[array].state, PathRules::kOtherPosition);
  const PlaceId element = Add(places_[array].path + "[*]", state, std::move(schemas), /*in_rows=*/true);
  places_[array].element = element;
  return element;
}

PlaceId PlaceTree::Start(const TargetPath& path) {
  PlaceId place = 0;
  for (const TargetPath::Step& step : path.steps) {
    place = step.has_key() ? Member(place, step.key) : Element(place);
  }
  return place;
}

const ShapeMembers& PlaceTree::MembersOf(PlaceId object, ShapeId shape) {
  const auto [entry, is_new] = places_[object].members_of.try_emplace(shape);
  ShapeMembers& members = entry->second;
  if (!is_new) return members;
  const std::vector<std::string_view> keys = shapes_->Keys(shape);
  bool only_metadata = true;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    members.places.push_back(Member(object, keys[i]));
    if (IsSidecar(keys[i], keys)) members.sidecars.push_back(static_cast<std::uint32_t>(i));
    if (keys[i] == kValueKey) {
      members.envelope = static_cast<std::uint32_t>(i);
    } else if (!rules_->confidence_key.empty() && keys[i] == rules_->confidence_key) {
      members.confidence = static_cast<std::uint32_t>(i);
    } else {
      only_metadata &= IsMetadataKey(keys[i]);
    }
  }
  members.has_value = members.envelope != ShapeMembers::kNoMember;
  if (!only_metadata) members.envelope = ShapeMembers::kNoMember;
  members.is_alternatives = keys.size() == 1 && !rules_->any_of_key.empty() && keys[0] == rules_->any_of_key;
  for (const PlaceId with_default : places_[object].defaults) {
    if (std::ranges::find(members.places, with_default) == members.places.end()) {
      members.missing_defaults.push_back(with_default);
    }
  }
  return members;
}

}  // namespace leafscore::internal
