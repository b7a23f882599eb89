// engine/scorers/records/place_tree.h: the places of values, and the rules of the options and the schema for
// each place. Places form a tree of keys, in which all positions of an array are one place. A place is a
// field of the details. Places are made on first use, so that options and schemas are evaluated once for each
// place instead of once for each value.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_TREE_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_TREE_H_

#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/text_map.h"
#include "engine/json/shape_table.h"
#include "engine/match/path_rules.h"
#include "engine/match/target_path.h"
#include "engine/scorers/records/record_rules.h"
#include "engine/scorers/records/record_schema.h"

namespace leafscore::internal {

using PlaceId = std::uint32_t;
inline constexpr PlaceId kNoPlace = std::numeric_limits<PlaceId>::max();

// The members of an object of one shape at one place.
struct ShapeMembers {
  static constexpr std::uint32_t kNoMember = ShapeTable::kNoMember;

  std::vector<PlaceId> places;            // by member
  bool has_value = false;                 // whether a member has the key of an envelope's value
  std::uint32_t envelope = kNoMember;     // the member with the value, if the object is an envelope
  std::uint32_t confidence = kNoMember;   // the member with the confidence in this value
  bool is_alternatives = false;           // whether it is {any_of_key: ...}; it is a set if this is an array
  std::vector<PlaceId> missing_defaults;  // members that the object lacks and that have a default
  std::vector<std::uint32_t> sidecars;    // members about another member: X_citations, X_meta beside X
};

struct Place {
  std::string path;  // a.b[*].c; empty for the whole value
  PathMatcher::State state = PathMatcher::kStart;
  bool ignored = false;
  bool in_rows = false;  // inside an array
  ArrayMode mode = ArrayMode::kAnyOrder;
  const Normaliser* normaliser = nullptr;
  double tolerance = -1;  // below 0: no tolerance
  bool relative = false;
  double similarity = -1;                         // below 0: texts must be equal
  const std::vector<TargetPath>* keys = nullptr;  // for the rows of this array
  RecordSchema::Set schemas = {};
  const ConfigValue* default_value = nullptr;
  std::vector<PlaceId> defaults = {};  // for an object: its members that have a default
  PlaceId element = kNoPlace;
  TextMap<std::string, PlaceId> members = {};
  std::unordered_map<ShapeId, ShapeMembers> members_of = {};  // by the shape of an object

  bool is_fuzzy() const { return tolerance >= 0 || similarity >= 0; }
};

class PlaceTree {
 public:
  PlaceTree(const RecordRules* rules, ShapeTable* shapes)
      : rules_(rules), shapes_(shapes), matcher_(&rules->paths, shapes) {
    Clear();
  }

  // Forgets the shapes. REQUIRES: called for each batch.
  void Begin() {
    for (Place& place : places_) place.members_of.clear();
  }
  // Forgets all places.
  void Clear();

  const Place& operator[](PlaceId place) const { return places_[place]; }
  std::size_t size() const { return places_.size(); }

  PlaceId Start(const TargetPath& path);
  PlaceId Element(PlaceId array);
  const ShapeMembers& MembersOf(PlaceId object, ShapeId shape);

  // Returns, for each pattern, whether it led somewhere.
  const std::vector<bool>& led_somewhere() const { return matcher_.led_somewhere(); }

 private:
  PlaceId Member(PlaceId object, std::string_view key);
  PlaceId Add(std::string path, PathMatcher::State state, RecordSchema::Set schemas, bool in_rows);
  void Apply(const PlaceRule& rule, Place& place) const;

  const RecordRules* rules_;
  ShapeTable* shapes_;
  PathMatcher matcher_;
  std::deque<Place> places_;  // never moved
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_PLACE_TREE_H_
