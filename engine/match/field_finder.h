// engine/match/field_finder.h: finds the fields that a run looks at in record after record.
//
// A field is named by a path, such as meta.task or output[0].text (engine/match/target_path.h), or by the
// name of a member, whatever characters it holds: where a record has a member with the whole text as its
// name, that is the field. Where fields are is worked out once for each shape, as the records of a run repeat
// theirs. THREADS: one at a time.
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
  FieldFinder(const FieldFinder&) = delete;  // the followers point to the paths
  FieldFinder& operator=(const FieldFinder&) = delete;

  // Forgets the shapes met. REQUIRES: called when their table was cleared.
  void Reset();

  // Finds the fields of a record, an object of `table`. Each number of a field is that of its name; a field
  // that the record lacks is kNoNode. RETURNS: the nodes, until the next call.
  const std::vector<NodeId>& Find(const LeafTable& table, NodeId record);

 private:
  // A name that may lead further than to a member of the record.
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

  // Of the shape of the record seen last:
  ShapeId shape_ = ShapeTable::kEmptyShape;
  std::vector<std::uint32_t> positions_;  // of the member that is the field; kNoMember: none is
  std::uint32_t end_position_ = 0;        // one past the last of them
  std::vector<Path*> followed_;           // the fields to look for by their paths
};

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_MATCH_FIELD_FINDER_H_
