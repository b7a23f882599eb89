#include "engine/compare/looks.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/statistics/looks.h"
#include "leafscore/error.h"

namespace leafscore::internal {

Look NextLook(const LookPlan& plan, double alpha, std::uint64_t units, const std::string& digest) {
  if (!plan.earlier.empty()) {
    const Look& latest = plan.earlier.back();
    if (latest.digest == digest) return latest;
    if (latest.units >= plan.planned) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("all {} units that were planned have been looked at, and alpha is spent; a further "
                      "look needs a new plan, on new records",
                      plan.planned));
    }
    if (units <= latest.units) {
      throw Error(
          ErrorCode::kUsage,
          fmt::format("there are {} units, and the latest look had {}; look again when there are more", units,
                      latest.units));
    }
  }
  const double share = std::min(1.0, static_cast<double>(units) / static_cast<double>(plan.planned));
  return {.units = units, .spent = SpentAlpha(share, alpha), .digest = digest};
}

double LevelOf(const LookPlan& plan, const Look& look) {
  double before = 0;
  for (const Look& earlier : plan.earlier) {
    if (earlier.digest != look.digest) before = earlier.spent;
  }
  return look.spent - before;
}

}  // namespace leafscore::internal
