#include "engine/match/field_finder.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace leafscore::internal {

FieldFinder::FieldFinder(std::vector<std::string> names, const ShapeTable* shapes)
    : names_(std::move(names)), shapes_(shapes), positions_(names_.size()) {
  for (std::size_t f = 0; f < names_.size(); ++f) {
    std::optional<TargetPath> path = TargetPath::Parse(names_[f]);
    if (!path || path->steps.empty()) continue;
    if (path->steps.size() == 1 && path->steps[0].key == names_[f]) continue;
    paths_.emplace_back(f, *std::move(path), shapes);
  }
  Reset();
}

void FieldFinder::Reset() {
  for (Path& path : paths_) path.follower.Reset();
  LookUp(ShapeTable::kEmptyShape);
}

void FieldFinder::LookUp(ShapeId shape) {
  shape_ = shape;
  end_position_ = 0;
  for (std::size_t f = 0; f < names_.size(); ++f) {
    positions_[f] = shapes_->FindMember(shape, names_[f]);
    if (positions_[f] != ShapeTable::kNoMember) end_position_ = std::max(end_position_, positions_[f] + 1);
  }
  followed_.clear();
  for (Path& path : paths_) {
    if (positions_[path.field] == ShapeTable::kNoMember) followed_.push_back(&path);
  }
}

const std::vector<NodeId>& FieldFinder::Find(const LeafTable& table, NodeId record) {
  if (table.shape(record) != shape_) LookUp(table.shape(record));
  found_.assign(names_.size(), kNoNode);
  NodeId member = record + 1;
  for (std::uint32_t position = 0; position != end_position_; ++position, member = table.end(member)) {
    for (std::size_t f = 0; f < positions_.size(); ++f) {
      if (positions_[f] == position) found_[f] = member;
    }
  }
  for (Path* const path : followed_) found_[path->field] = path->follower.Follow({&table, record}).node;
  return found_;
}

}  // namespace leafscore::internal
