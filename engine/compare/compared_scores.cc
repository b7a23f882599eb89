#include "engine/compare/compared_scores.h"

#include <algorithm>
#include <cstring>

namespace leafscore::internal {

double SideScores::VarianceOf(std::uint32_t id) const {
  const IdScore& score = by_id[id];
  const double lines = score.lines;
  return std::max(0.0, (squares[id] - score.sum * score.sum / lines) / (lines - 1));
}

void AppendKey(std::uint32_t group, bool is_real, std::string_view id, std::string& key) {
  key.append(reinterpret_cast<const char*>(&group), sizeof group);
  key += is_real ? 'i' : 'r';
  key += id;
}

std::uint32_t ComparedNames::GroupOf(std::uint32_t id) const {
  std::uint32_t group;
  std::memcpy(&group, ids[id].data(), sizeof group);
  return group;
}

std::string_view ComparedNames::GroupName(std::uint32_t group) const {
  const std::string_view name = groups[group];
  return name.empty() ? kNoGroup : name.substr(1);
}

std::string_view ComparedNames::KindAndIdOf(std::uint32_t id) const {
  return ids[id].substr(sizeof(std::uint32_t));
}

}  // namespace leafscore::internal
