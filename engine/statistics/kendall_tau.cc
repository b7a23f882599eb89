#include "engine/statistics/kendall_tau.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

namespace leafscore::internal {

std::optional<double> KendallTauB(std::span<const double> one, std::span<const double> other) {
  std::int64_t agreement = 0;
  std::int64_t ordered_by_one = 0;
  std::int64_t ordered_by_other = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int by_one = (one[i] > one[j]) - (one[i] < one[j]);
      const int by_other = (other[i] > other[j]) - (other[i] < other[j]);
      agreement += by_one * by_other;
      ordered_by_one += by_one != 0;
      ordered_by_other += by_other != 0;
    }
  }
  if (ordered_by_one == 0 || ordered_by_other == 0) return std::nullopt;
  return static_cast<double>(agreement) /
         std::sqrt(static_cast<double>(ordered_by_one) * static_cast<double>(ordered_by_other));
}

}  // namespace leafscore::internal
