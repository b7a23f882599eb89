// engine/scorers/records/cell_details.h: writes the cells of a record for its details. Stateless except for
// CellPaths, which makes paths on demand.
#ifndef LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_DETAILS_H_
#define LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_DETAILS_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/json/shape_table.h"
#include "engine/match/target_path.h"
#include "engine/scorers/details_writer.h"
#include "engine/scorers/records/place_tree.h"
#include "engine/scorers/records/record_results.h"

namespace leafscore::internal {

// The two values of a part of a record.
struct CellSides {
  ValueRef expected;
  ValueRef actual;
  const TargetPath* path;
};

// Returns the path of a field; "*" for the whole value.
std::string DisplayPath(const Place& place);

// Paths of cells with their positions: a.b[3].c.
class CellPaths {
 public:
  CellPaths(std::span<const CellSides> parts, const ShapeTable& shapes) : parts_(parts), shapes_(shapes) {}

  // Return the path of a cell on one side. `Of` takes the expected side, unless only the actual side has the
  // cell; `OfActual` takes the actual side. COST: for the first cell, linear in the size of the side; for
  // every further cell, linear in the length of its path.
  std::string Of(const JudgedCell& cell, const Place& place);
  std::string OfActual(const JudgedCell& cell, const Place& place);

 private:
  struct Step {
    NodeId parent;
    std::uint32_t position;  // among its children
  };
  struct Tree {
    const LeafTable* table;
    NodeId root;
    std::vector<Step> steps;  // by node, from the root on
  };

  std::string PathOf(ValueRef value, const Place& place);
  const Tree& TreeOf(ValueRef root);
  static bool Holds(ValueRef root, ValueRef value) {
    return root.present() && root.table == value.table && root.node <= value.node &&
           value.node < root.table->end(root.node);
  }

  std::span<const CellSides> parts_;
  const ShapeTable& shapes_;
  std::vector<Tree> trees_;
};

// Writes a cell as an object: path, actual_path if it differs, verdict, expected, actual, confidence if there
// is one, similarity, the normalisers that the match needed, and the number of the accepted value that
// matched.
void WriteCell(const JudgedCell& cell, const Place& place, CellPaths& paths, const ShapeTable& shapes,
               DetailsWriter& json);

// For a scorer without rules by place: returns a function from a field to a place that has only the path of
// the field. `path_of` returns the path of a field.
template <class PathOf>
auto PlacesOf(PathOf path_of) {
  return [path_of, place = Place()](std::uint32_t field) mutable -> const Place& {
    place.path = path_of(field);
    return place;
  };
}

// Writes the member `leaves` of details. `place_of` returns the place with a given number.
template <class PlaceOf>
void WriteLeaves(std::span<const JudgedCell> cells, PlaceOf place_of, CellPaths paths,
                 const ShapeTable& shapes, DetailsWriter& json) {
  json.Key<"leaves">();
  json.StartList();
  for (const JudgedCell& cell : cells) {
    WriteCell(cell, place_of(cell.place), paths, shapes, json);
    if (!json.EndElement()) break;
  }
  json.EndArray();
}

// Appends the same cells for ScorerBatch::AppendLeaves.
template <class PlaceOf>
void AppendJudgedLeaves(std::span<const JudgedCell> cells, PlaceOf place_of, CellPaths paths,
                        const ShapeTable& shapes, LeafList& leaves) {
  for (const JudgedCell& cell : cells) {
    const double similarity = cell.verdict == CellVerdict::kMatched ? 1 : 0;
    const std::string path = paths.Of(cell, place_of(cell.place));
    if (!leaves.Add(MakeJudgedLeaf(path, cell.expected, cell.actual, similarity, shapes))) return;
  }
}

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_SCORERS_RECORDS_CELL_DETAILS_H_
