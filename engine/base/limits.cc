#include "engine/base/limits.h"

#include <fmt/format.h>

#include "leafscore/error.h"

namespace leafscore::internal {

void CheckLimit(const Limit& limit, std::uint64_t value) {
  if (value < limit.min || value > limit.max) {
    throw Error(ErrorCode::kUsage, fmt::format("{} is {}; give a number of {} from {} to {}", limit.option,
                                               value, limit.unit, limit.min, limit.max));
  }
}

}  // namespace leafscore::internal
