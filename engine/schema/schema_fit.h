// engine/schema/schema_fit.h: counts the parts of a value whose types a schema allows, and the required keys
// that are present.
//
// A place is the set of schemas that apply to a value by its path, whether or not the value satisfies them.
// The set includes the schemas to which $ref, allOf, anyOf, oneOf, then and else lead. Places are found once
// for each schema and shape.
// THREADS: one at a time; each worker owns one for each schema.
#ifndef LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FIT_H_
#define LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FIT_H_

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/match/pair_walker.h"
#include "engine/schema/json_schema.h"

namespace leafscore::internal {

struct SchemaFit {
  std::uint64_t cells = 0;     // non-blank texts, numbers and booleans
  std::uint64_t allowed = 0;   // cells whose type a schema for their path allows
  std::uint64_t required = 0;  // keys that are required in objects
  std::uint64_t present = 0;   // required keys that are present

  // Both are shares, and 1 if there is nothing to count (no cells, or no required keys).
  double type_safety() const { return Share(allowed, cells); }
  double required_share() const { return Share(present, required); }

 private:
  static double Share(std::uint64_t some, std::uint64_t all) {
    return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
  }
};

class SchemaFitCounter {
 public:
  // REQUIRES: both outlive this.
  SchemaFitCounter(const JsonSchema* schema, ShapeTable* shapes);

  // Forgets what it knows about shapes. REQUIRES: called whenever the table of shapes was cleared.
  void Reset();

  // COST: linear in the value.
  SchemaFit Count(ValueRef value);

 private:
  using PlaceNumber = std::uint32_t;
  static constexpr PlaceNumber kNowhere = 0;   // a key that schemas lack; nothing is allowed
  static constexpr PlaceNumber kAnywhere = 1;  // no schema says anything
  // The places of the members of objects of a shape.
  struct ShapePlaces {
    ShapeId shape;
    std::vector<PlaceNumber> members;
    std::uint32_t present = 0;  // required keys that the shape has
  };
  struct SchemaPlace {
    std::vector<SchemaId> schemas;
    std::uint8_t possible = 0;
    std::vector<std::string> required;
    std::vector<PlaceNumber> elements;  // the places of the first elements; later ones are at the last place
    std::map<ShapeId, ShapePlaces> shapes;
    const ShapePlaces* last = nullptr;
  };

  PlaceNumber PlaceOf(std::vector<SchemaId> roots);
  const ShapePlaces& PlacesOf(PlaceNumber place, ShapeId shape);
  PlaceNumber MemberPlace(PlaceNumber place, std::string_view key);
  // The span is valid as long as this object; ShapePlaces are valid until Reset.
  std::span<const PlaceNumber> ElementPlaces(PlaceNumber place);
  void CountAt(PlaceNumber place, NodeId value);
  bool IsBlankText(NodeId text);
  bool Allows(PlaceNumber place, NodeId value) const;

  const JsonSchema* schema_;
  ShapeTable* shapes_;
  const LeafTable* table_ = nullptr;
  std::vector<SchemaPlace> places_;
  std::map<std::vector<SchemaId>, PlaceNumber> place_of_;  // by the schemas that a path leads to
  PlaceNumber root_ = kNowhere;
  SchemaFit fit_;
  std::string text_;
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCHEMA_SCHEMA_FIT_H_
