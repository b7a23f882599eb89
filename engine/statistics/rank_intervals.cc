#include "engine/statistics/rank_intervals.h"

#include <cstddef>

namespace leafscore::internal {

std::vector<Interval> SimultaneousRankIntervals(std::span<const double> means,
                                                std::span<const double> p_corrected, double alpha) {
  std::vector<Interval> ranks(means.size(), Interval{1, static_cast<double>(means.size())});
  auto p = p_corrected.begin();
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (std::size_t j = i + 1; j < means.size(); ++j, ++p) {
      if (*p >= alpha || means[i] == means[j]) continue;
      --ranks[means[i] > means[j] ? i : j].high;
      ++ranks[means[i] > means[j] ? j : i].low;
    }
  }
  return ranks;
}

}  // namespace leafscore::internal
