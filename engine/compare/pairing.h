// engine/compare/pairing.h: the ids of two sides, in an order that no line decides.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRING_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRING_H_

#include <cstdint>
#include <vector>

#include "engine/compare/compared_scores.h"

namespace leafscore::internal {

// Ids by the checksums of their clusters, if there are any, then by their own. Ids without a cluster are one,
// which comes last.
struct OrderedIds {
  std::vector<std::uint32_t> ids;
  const ComparedNames* names = nullptr;

  bool clustered() const { return names->clusters.size() > 0; }
  // Returns the unit of an id: what can be drawn without regard to others.
  std::uint32_t UnitOf(std::uint32_t id) const { return clustered() ? names->cluster_of[id] : id; }
};

// REQUIRES: `names` outlives the result.
OrderedIds OrderIds(const ComparedNames& names);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRING_H_
