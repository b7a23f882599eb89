#include "engine/statistics/kendall_tau.h"

#include <cmath>
#include <cstddef>
#include <numeric>

namespace leafscore::internal {

OrderedPairs CountOrderedPairs(std::span<const double> one, std::span<const double> other) {
  const std::vector<double> none(one.size());
  OrderedPairs pairs{none, none, none};
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int by_one = (one[i] > one[j]) - (one[i] < one[j]);
      const int by_other = (other[i] > other[j]) - (other[i] < other[j]);
      for (const std::size_t item : {i, j}) {
        pairs.agreement[item] += by_one * by_other;
        pairs.by_one[item] += by_one != 0;
        pairs.by_other[item] += by_other != 0;
      }
    }
  }
  return pairs;
}

std::optional<double> KendallTauB(std::span<const double> one, std::span<const double> other) {
  const OrderedPairs pairs = CountOrderedPairs(one, other);
  const auto sum = [](const std::vector<double>& counts) {
    return std::accumulate(counts.begin(), counts.end(), 0.0);
  };
  const double ordered = std::sqrt(sum(pairs.by_one) * sum(pairs.by_other));
  if (ordered == 0) return std::nullopt;
  return sum(pairs.agreement) / ordered;
}

}  // namespace leafscore::internal
