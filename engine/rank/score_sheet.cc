#include "engine/rank/score_sheet.h"

namespace leafscore::internal {
namespace {

// Returns the rank of each name in sorted order.
std::vector<std::uint32_t> Places(const NameTable& names) {
  std::vector<std::uint32_t> places(names.size());
  std::uint32_t next = 0;
  for (const std::uint32_t number : names.Sorted()) places[number] = next++;
  return places;
}

// Numbers the values of a field in the order of their bytes. The last number stands for ids without a value.
// RETURNS: how many numbers there are; 0 if the field is not used.
std::uint32_t OrderField(const IdField& field, std::size_t ids, std::vector<std::uint32_t>& of_id) {
  if (field.of.empty()) return 0;
  of_id.reserve(ids);
  const std::vector<std::uint32_t> places = Places(field.values);
  const auto none = static_cast<std::uint32_t>(places.size());
  for (const std::uint32_t value : field.of) of_id.push_back(value == IdField::kNone ? none : places[value]);
  return none + 1;
}

}  // namespace

IdFields FieldsOf(const ScoreSheet& sheet) {
  IdFields fields;
  fields.clusters = OrderField(sheet.clusters, sheet.ids.size(), fields.cluster);
  fields.tasks = OrderField(sheet.tasks, sheet.ids.size(), fields.task);
  return fields;
}

}  // namespace leafscore::internal
