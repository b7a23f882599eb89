#include "engine/rank/score_sheet.h"

namespace leafscore::internal {
namespace {

// Returns the place of each name among all of them.
std::vector<std::uint32_t> Places(const NameTable& names) {
  std::vector<std::uint32_t> places(names.size());
  std::uint32_t next = 0;
  for (const std::uint32_t number : names.Sorted()) places[number] = next++;
  return places;
}

}  // namespace

IdOrder OrderOf(const ScoreSheet& sheet) {
  IdOrder order;
  order.place = Places(sheet.ids);
  if (sheet.cluster_of.empty()) return order;
  const std::vector<std::uint32_t> places = Places(sheet.clusters);
  for (const std::uint32_t cluster : sheet.cluster_of) {
    order.cluster.push_back(cluster == ScoreSheet::kNoCluster ? static_cast<std::uint32_t>(places.size())
                                                              : places[cluster]);
  }
  order.clusters = static_cast<std::uint32_t>(places.size()) + 1;
  return order;
}

}  // namespace leafscore::internal
