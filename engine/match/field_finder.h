// engine/match/field_finder.h: finds the same fields in every record of a run.
//
// A field is named by a path, such as meta.task or output[0].text (engine/match/target_path.h), or by the
// name of a member, which may have any characters. If a record has a member whose name is the whole text,
// that member is the field. The positions of the fields are computed once per shape, because the records of a
// run repeat their shapes. THREADS: one at a time.
#ifndef LEAFSCORE_ENGINE_MATCH_FIELD_FINDER_H_
#define LEAFSCORE_ENGINE_MATCH_FIELD_FINDER_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "engine/json/leaf_table.h"
#include "engine/json/shape_table.h"
#include "engine/match/target_path.h"

namespace leafscore::internal {

class FieldFinder {
 public:
  // REQUIRES: `shapes` outlives this.
  FieldFinder(std::vector<std::string> names, const ShapeTable* shapes);
  FieldFinder(const FieldFinder&) = delete;  // followers_ point to paths_
  FieldFinder& operator=(const FieldFinder&) = delete;

  // Drops the known shapes. REQUIRES: called when the shape table was cleared.
  void Reset();

  // Finds the fields of a record, which is an object of `table`. RETURNS: by name, the node of the field, or
  // kNoNode if the record lacks the field; valid until the next call.
  const std::vector<NodeId>& Find(const LeafTable& table, NodeId record);

 private:
  // A name that can be read as a path, not only as the name of a member.
  struct Path {
    Path(std::size_t number, TargetPath steps, const ShapeTable* shapes)
        : field(number), path(std::move(steps)), follower(&path, shapes) {}

    std::size_t field;
    TargetPath path;
    PathFollower follower;
  };

  void LookUp(ShapeId shape);

  std::vector<std::string> names_;
  const ShapeTable* shapes_;
  std::deque<Path> paths_;
  std::vector<NodeId> found_;

  // About the shape of the record seen last:
  ShapeId shape_ = ShapeTable::kEmptyShape;
  std::vector<std::uint32_t> positions_;  // by name: the position of the member; kNoMember if it is missing
  std::uint32_t end_position_ = 0;        // one past the last position
  std::vector<Path*> followed_;           // the fields that have no member and are found by paths
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_FIELD_FINDER_H_
