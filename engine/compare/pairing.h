// engine/compare/pairing.h: sorts the ids of two sides. The result does not depend on the order of the lines.
#ifndef LEAFSCORE_ENGINE_COMPARE_PAIRING_H_
#define LEAFSCORE_ENGINE_COMPARE_PAIRING_H_

#include <cstdint>
#include <vector>

#include "engine/compare/compared_scores.h"
#include "leafscore/compare.h"

namespace leafscore::internal {

// Ids, sorted by the checksums of their clusters if there are clusters, then by the checksums of the ids. Ids
// without a cluster form one cluster, which comes last.
struct OrderedIds {
  std::vector<std::uint32_t> ids;
  const ComparedNames* names = nullptr;

  bool clustered() const { return names->clusters.size() > 0; }
  // Returns the unit of an id: its cluster, or without clusters the id itself. Units are independent.
  std::uint32_t UnitOf(std::uint32_t id) const { return clustered() ? names->cluster_of[id] : id; }
};

// Returns whether a record with these scores is compared.
inline bool IsCompared(const IdScore& base, const IdScore& now, const ComparisonOptions& options) {
  return options.common_only ? base.lines > 0 && now.lines > 0 : base.lines > 0 || now.lines > 0;
}

// REQUIRES: `names` outlives the result.
OrderedIds OrderIds(const ComparedNames& names);

}  // namespace leafscore::internal

#endif  // LEAFSCORE_ENGINE_COMPARE_PAIRING_H_
