#include "engine/run/record_fields.h"

#include <algorithm>

namespace leafscore::internal {
namespace {

std::vector<std::string> NamesOf(const RecordFields& fields) {
  std::vector<std::string> names = {fields.id, fields.expected, fields.actual, fields.join,
                                    fields.calls.empty() ? fields.actual : fields.calls};
  names.insert(names.end(), fields.groups.begin(), fields.groups.end());
  return names;
}

}  // namespace

RecordFieldFinder::RecordFieldFinder(const RecordFields& fields, const ShapeTable* shapes)
    : field_count_(kFirstGroupField + fields.groups.size()),
      shapes_(*shapes),
      finder_(NamesOf(fields), shapes) {}

const std::vector<NodeId>& RecordFieldFinder::Find(const LeafTable& table, NodeId record) {
  const std::vector<NodeId>& found = finder_.Find(table, record);
  if (presence_.records++ == 0) first_ = record;
  for (std::size_t f = 0; f < kFirstGroupField; ++f) presence_.found[f] += found[f] != kNoNode;
  return found;
}

void RecordFieldFinder::End(const LeafTable& table) {
  if (presence_.records != 0 && std::ranges::find(presence_.found, 0u) != presence_.found.end()) {
    presence_.there = ListFields(table, shapes_, first_);
  }
}

}  // namespace leafscore::internal
